import ListSources
import ListStream
import _TestTools
import Snapshots
import Testing

/// For any history of a list, any reader that comes, goes, sleeps and comes back has the list in the end, and never
/// has a state that the list did not have.
@Suite("Stream law")
struct StreamLawTests {
  typealias Target = ListStreamTarget<String, Int, Int>

  /// A remote reader that follows the specification.
  final class Reader {
    private(set) var replica = ListStreamReplica()
    private var frames: ListStreamFrames<String, Int, Int>.AsyncIterator?
    private(set) var mutationIDs: [String] = []
    private(set) var snapshotFrames = 0

    func connect(to target: Target, forgetting: Bool = false) {
      frames = target.frames(since: forgetting ? nil : replica.version).makeAsyncIterator()
    }

    func disconnect() { frames = nil }

    /// Reads until it is at the present version of the target.
    func catchUp(with target: Target) async throws {
      if frames == nil { connect(to: target) }
      while replica.version != target.version {
        let frame = try #require(await frames?.next())
        if frame.kind == .snapshot { snapshotFrames += 1 }
        guard case .applied(let acknowledged) = replica.receive(frame.json) else {
          Issue.record("a frame that does not fit: \(String(decoding: frame.json, as: UTF8.self))")
          return
        }
        mutationIDs += acknowledged
      }
    }
  }

  @Test(
    "Random histories, random disconnections: all readers arrive",
    arguments: inTurns(Array(0..<10) as [UInt64], of: 2))
  func readersArrive(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let target = Target(
      options: ListStreamOptions(epoch: "e", ringCapacity: Int.random(in: 1...12, using: &random)))
    let versions = Versions()
    let source = DiffableDataSource(target: target) { item in item * 1000 + versions[item] }
    let readers = (0..<4).map { _ in Reader() }
    var sent: Set<String> = []
    var snapshot = DiffableSnapshot<String, Int>()
    for step in 0..<80 {
      snapshot = try Self.randomEdit(of: snapshot, &random)
      let marked = snapshot.itemIdentifiers.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
      for item in marked { versions.bump(item) }
      var next = snapshot
      try next.reconfigureItems(marked)
      let act = "act \(step)"
      sent.insert(act)
      if Int.random(in: 0..<20, using: &random) == 0 {
        for item in snapshot.itemIdentifiers { versions.bump(item) }
        await source.applyUsingReloadData(next, options: ApplyOptions(origins: [act]))
      } else {
        await source.apply(next, options: ApplyOptions(origins: [act]))
      }
      for reader in readers {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: reader.disconnect()
        case 1: reader.connect(to: target, forgetting: true)
        case 2...4:
          try await reader.catchUp(with: target)
          try expect(reader, has: source.snapshot(), versions, "seed \(seed), step \(step)")
        default: break
        }
      }
    }
    for reader in readers {
      try await reader.catchUp(with: target)
      try expect(reader, has: source.snapshot(), versions, "seed \(seed), at the end")
      #expect(sent.isSuperset(of: reader.mutationIDs))
    }
  }

  private func expect(
    _ reader: Reader, has snapshot: DiffableSnapshot<String, Int>, _ versions: Versions, _ comment: Comment
  ) throws {
    let expected = try DiffableSnapshot<String, String>(
      sections: snapshot.sections.map { ($0.id, $0.items.map(String.init)) })
    #expect(reader.replica.snapshot == expected, comment)
    var contents: [String: JSONValue] = [:]
    for item in snapshot.items { contents[String(item)] = .integer(item * 1000 + versions[item]) }
    #expect(reader.replica.contents == contents, comment)
  }

  /// How often the content of each item has changed.
  final class Versions {
    private var counts: [Int: Int] = [:]
    subscript(item: Int) -> Int { counts[item] ?? 0 }
    func bump(_ item: Int) { counts[item, default: 0] += 1 }
  }

  static func randomEdit(
    of snapshot: DiffableSnapshot<String, Int>, _ random: inout SplitMix
  ) throws -> DiffableSnapshot<String, Int> {
    var sections = snapshot.sections.map { ($0.id, Array($0.items)) }
    if sections.isEmpty || Int.random(in: 0..<10, using: &random) == 0 {
      let names = ["A", "B", "C", "D"].filter { name in !sections.contains { $0.0 == name } }
      if let name = names.randomElement(using: &random) {
        sections.insert((name, []), at: Int.random(in: 0...sections.count, using: &random))
      }
    }
    if Int.random(in: 0..<12, using: &random) == 0 { sections.shuffle(using: &random) }
    if sections.count > 1, Int.random(in: 0..<12, using: &random) == 0 {
      sections.remove(at: Int.random(in: 0..<sections.count, using: &random))
    }
    for _ in 0..<3 {
      let item = Int.random(in: 0..<30, using: &random)
      for index in sections.indices { sections[index].1.removeAll { $0 == item } }
      if Bool.random(using: &random) {
        let section = Int.random(in: 0..<sections.count, using: &random)
        sections[section].1.insert(item, at: Int.random(in: 0...sections[section].1.count, using: &random))
      }
    }
    return try DiffableSnapshot(sections: sections)
  }

  @Test("Many readers in tasks of their own, while the list changes: all arrive, and none is left waiting")
  func concurrentReaders() async throws {
    let target = Target(options: ListStreamOptions(epoch: "e", ringCapacity: 16))
    let last = 300
    let readers = (0..<16).map { number in
      Task { () -> String? in
        let reader = Reader()
        var count = 0
        reader.connect(to: target)
        while reader.replica.snapshot.indexPath(ofItem: "\(last)") == nil {
          try await reader.catchUp(with: target)
          count += 1
          if (count + number) % 5 == 0 { reader.disconnect() }
          await Task.yield()
        }
        return reader.replica.snapshot.itemIdentifiers.joined(separator: ",")
      }
    }
    let source = DiffableDataSource(target: target) { $0 }
    for number in 0...last {
      await source.apply(try DiffableSnapshot(sections: [("", Array(max(0, number - 20)...number))]))
      await Task.yield()
    }
    let expected = source.snapshot().itemIdentifiers.map(String.init).joined(separator: ",")
    for reader in readers { #expect(try await reader.value == expected) }
    #expect(target.subscriberCount == 0)
  }
}

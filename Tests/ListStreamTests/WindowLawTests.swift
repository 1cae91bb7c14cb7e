import ListSources
import ListStream
import _TestTools
import Snapshots
import Testing

/// For any history of a list, a reader that knows some of it, asks for rows and gets the answers late never knows
/// anything wrong; and one that has asked for all has the list.
@Suite("Window law")
struct WindowLawTests {
  typealias Target = ListStreamTarget<String, Int, Int>

  @Test(
    "Random histories, late answers, lost connections: what is known is right",
    arguments: inTurns(Array(0..<20) as [UInt64], of: 4))
  func sparseReaders(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let target = Target(
      options: ListStreamOptions(
        epoch: "e", ringCapacity: Int.random(in: 2...12, using: &random),
        maximumWholeList: Int.random(in: 0...6, using: &random),
        maximumChange: Int.random(in: 2...12, using: &random)),
      loading: { items in Dictionary(uniqueKeysWithValues: items.map { ($0, $0 * 1000) }) })
    let source = DiffableDataSource(target: target) { item in item * 1000 }
    var replica = ListStreamReplica()
    var frames: ListStreamFrames<String, Int, Int>.AsyncIterator?
    var answers: [ListStreamFrame] = []
    var taken = 0
    var snapshot = DiffableSnapshot<String, Int>()

    func window() -> ListStreamWindow {
      ListStreamWindow(
        from: Int.random(in: 0..<24, using: &random), count: Int.random(in: 0..<6, using: &random))
    }

    func catchUp() async throws {
      if frames == nil {
        frames = target.frames(since: replica.version, window: window()).makeAsyncIterator()
      }
      while replica.version != target.version {
        let frame = try #require(await frames?.next())
        guard case .applied = replica.receive(frame.json) else {
          Issue.record(
            "seed \(seed): a frame that does not fit: \(String(decoding: frame.json, as: UTF8.self))")
          return
        }
      }
    }

    func expectNothingWrong(_ comment: Comment) throws {
      #expect(replica.sections.map(\.id) == snapshot.sections.map(\.id), comment)
      for (known, section) in zip(replica.sections, snapshot.sections) {
        #expect(known.items.count == section.items.count, comment)
        for (item, expected) in zip(known.items, section.items) {
          #expect(item == nil || item == "\(expected)", comment)
        }
      }
      for (item, content) in replica.contents {
        #expect(Int(item).map { .integer($0 * 1000) } == content, comment)
        #expect(replica.snapshot.containsItem(item), comment)
      }
    }

    for step in 0..<120 {
      snapshot = try StreamLawTests.randomEdit(of: snapshot, &random)
      await source.apply(snapshot)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: frames = nil
      case 1...3:
        try await catchUp()
        try expectNothingWrong("seed \(seed), step \(step)")
      case 4, 5:
        if let answer = try await target.range(window()) { answers.append(answer) }
      default:
        guard let answer = answers.randomElement(using: &random) else { break }
        switch replica.receive(range: answer.json) {
        case .applied, .again: answers.removeAll { $0 == answer }
        case .later: break
        }
        if replica.version == target.version { try expectNothingWrong("seed \(seed), step \(step), a range") }
        taken += 1
      }
    }
    try await catchUp()
    while !replica.isWhole {
      let unknown = try #require(replica.sections.flatMap(\.items).firstIndex(of: nil))
      let rows = try #require(try await target.range(ListStreamWindow(from: unknown, count: 3)))
      #expect(replica.receive(range: rows.json) == .applied)
    }
    try expectNothingWrong("seed \(seed), at the end")
    #expect(replica.snapshot.numberOfItems == snapshot.numberOfItems)
    #expect(taken > 0)
  }
}

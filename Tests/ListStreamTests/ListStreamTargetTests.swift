import Foundation
import ListSources
import ListStream
import Snapshots
import Testing

/// A list with a stream and a data source, as an app has it.
struct StreamedList {
  typealias Target = ListStreamTarget<String, Int, String>

  let target: Target
  let source: DiffableDataSource<Target>

  init(
    _ options: ListStreamOptions = ListStreamOptions(epoch: "e"),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    target = Target(options: options, clock: clock)
    source = DiffableDataSource(target: target) { "item \($0)" }
  }

  func show(_ sections: [(String, [Int])], reconfiguring items: [Int] = [], origins: [String] = [])
    async throws
  {
    var snapshot = try DiffableSnapshot<String, Int>(sections: sections)
    try snapshot.reconfigureItems(items)
    await source.apply(snapshot, options: ApplyOptions(origins: origins))
  }
}

func json(_ frame: ListStreamFrame?) throws -> JSONValue {
  try JSONDecoder().decode(JSONValue.self, from: Data(#require(frame).json))
}

@Suite("Stream")
struct ListStreamTargetTests {
  @Test("A reader gets the list first, then each change as one frame")
  func snapshotThenChanges() async throws {
    let list = StreamedList()
    try await list.show([("A", [1, 2]), ("B", [3])])
    var frames = list.target.frames().makeAsyncIterator()
    let first = try json(await frames.next())
    #expect(first["kind"]?.string == "snapshot")
    #expect(first["seq"] == .integer(0))
    #expect(first["content"]?["3"]?.string == "item 3")

    try await list.show([("A", [2, 1, 4])], reconfiguring: [1, 4], origins: ["drag"])
    let second = try json(await frames.next())
    #expect(second["kind"]?.string == "change")
    #expect(second["from"] == .integer(0))
    #expect(second["acts"] == .array([.string("drag")]))
    #expect(second["sections"]?["deleted"] == .array([.array([.string("B"), .integer(1)])]))
    // Item 3 goes with its section, item 4 arrives and is not reconfigured as well.
    #expect(second["items"]?["deleted"] == nil)
    #expect(second["reconfigured"] == .array([.string("1")]))
    #expect(second["content"] == .object(["1": .string("item 1"), "4": .string("item 4")]))
  }

  @Test("A reader that comes before the first snapshot waits for it")
  func readerBeforeList() async throws {
    let list = StreamedList()
    let target = list.target
    let reading = Task {
      var frames = target.frames().makeAsyncIterator()
      return await frames.next()
    }
    try await list.show([("", [1])])
    #expect(await reading.value?.kind == .snapshot)
  }

  @Test("A reader that missed nothing gets a heartbeat at once, and then what comes")
  func resumesAtPresent() async throws {
    let list = StreamedList()
    try await list.show([("", [1])])
    var events = list.target.events(since: "e.0").makeAsyncIterator()
    #expect(await events.next() == ListStreamFrame.alive(every: .seconds(5)))
    try await list.show([("", [1, 2])])
    let event = try #require(await events.next())
    #expect(
      String(decoding: event, as: UTF8.self).hasPrefix("id: e.1\ndata: {\"format\":1,\"kind\":\"change\""))
    #expect(event.suffix(2) == [10, 10])
  }

  @Test("A reader that missed changes gets those from the ring")
  func resumesFromRing() async throws {
    let list = StreamedList()
    for count in 1...4 { try await list.show([("", Array(1...count))]) }
    var frames = list.target.frames(since: ListStreamVersion("e.1")).makeAsyncIterator()
    for sequence in 2...3 {
      let frame = try #require(await frames.next())
      #expect(frame.kind == .change)
      #expect(frame.version == ListStreamVersion(epoch: "e", sequence: sequence))
    }
  }

  @Test(
    "A reader with any other version gets a snapshot",
    arguments: ["e.0", "e.99", "f.3", "e.-1", "nonsense", "", "e.", ".3", "e.3.3", "e.99999999999999999999"])
  func resumesWithSnapshot(_ since: String) async throws {
    let list = StreamedList(ListStreamOptions(epoch: "e", ringCapacity: 2))
    for count in 1...4 { try await list.show([("", Array(1...count))]) }
    var events = list.target.events(since: since).makeAsyncIterator()
    let event = String(decoding: try #require(await events.next()), as: UTF8.self)
    #expect(event.hasPrefix("id: e.3\ndata: {\"format\":1,\"kind\":\"snapshot\""))
  }

  @Test("All readers share one encoded frame")
  func sharesFrames() async throws {
    let list = StreamedList()
    try await list.show([("", [1])])
    var iterators = (0..<3).map { _ in list.target.frames().makeAsyncIterator() }
    var snapshots: [[UInt8]] = []
    for index in iterators.indices {
      snapshots.append(try #require(await iterators[index].next()).serverSentEvent)
    }
    try await list.show([("", [1, 2])])
    var changes: [[UInt8]] = []
    for index in iterators.indices {
      changes.append(try #require(await iterators[index].next()).serverSentEvent)
    }
    for frames in [snapshots, changes] {
      let addresses = Set(frames.map { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } })
      #expect(addresses.count == 1)
    }
  }

  @Test("A reader that comes late gets the list as it is, also where an earlier one got it as it was")
  func lateReader() async throws {
    let list = StreamedList()
    try await list.show([("", Array(0..<100))])
    var early = list.target.frames().makeAsyncIterator()
    #expect(await early.next()?.version == ListStreamVersion("e.0"))
    try await list.show([("", Array((1..<100).reversed()))])
    var late = list.target.frames().makeAsyncIterator()
    let frame = try #require(await late.next())
    #expect(frame.version == ListStreamVersion("e.1"))
    #expect(try json(frame)["content"]?["0"] == nil)
    #expect(await early.next()?.kind == .change)
  }

  @Test("Of a very long list, what was encoded before and the changes since are enough")
  func lateReaderOfLongList() async throws {
    let list = StreamedList()
    try await list.show([("", Array(0...10_000))])
    var early = list.target.frames().makeAsyncIterator()
    _ = await early.next()
    try await list.show([("", Array(1...10_000))])
    try await list.show([("", Array(1...10_001))])
    var late = list.target.frames().makeAsyncIterator()
    #expect(await late.next()?.version == ListStreamVersion("e.0"))
    for sequence in 1...2 {
      #expect(await late.next()?.version == ListStreamVersion(epoch: "e", sequence: sequence))
    }
  }

  @Test("A slow reader is brought to the present by one snapshot, whatever it missed")
  func slowReader() async throws {
    let list = StreamedList(ListStreamOptions(epoch: "e", ringCapacity: 8))
    try await list.show([("", [0])])
    var frames = list.target.frames().makeAsyncIterator()
    _ = await frames.next()
    for count in 1...100 { try await list.show([("", Array(0...count))], origins: ["act \(count)"]) }
    let frame = try #require(await frames.next())
    #expect(frame.kind == .snapshot)
    #expect(frame.version == ListStreamVersion("e.100"))
    let acts = try json(frame)["acts"]?.array ?? []
    #expect(acts.suffix(8) == (93...100).map { .string("act \($0)") })
    #expect(acts.count <= 16)
  }

  @Test("The ring is bounded in bytes as well")
  func ringOfBytes() async throws {
    let list = StreamedList(ListStreamOptions(epoch: "e", ringByteCapacity: 1000))
    for count in 1...50 { try await list.show([("", Array(1...count))]) }
    var early = list.target.frames(since: ListStreamVersion("e.30")).makeAsyncIterator()
    #expect(await early.next()?.kind == .snapshot)
    var late = list.target.frames(since: ListStreamVersion("e.48")).makeAsyncIterator()
    #expect(await late.next()?.kind == .change)
  }

  @Test("A reload brings every reader to a snapshot")
  func reloads() async throws {
    let list = StreamedList()
    try await list.show([("", [1])])
    var frames = list.target.frames().makeAsyncIterator()
    _ = await frames.next()
    await list.source.applyUsingReloadData(try DiffableSnapshot(sections: [("", [2, 1])]))
    #expect(await frames.next()?.kind == .snapshot)
    var behind = list.target.frames(since: ListStreamVersion("e.0")).makeAsyncIterator()
    #expect(await behind.next()?.kind == .snapshot)
  }

  @Test("Mutations that changed nothing come back all the same")
  func idleActs() async throws {
    let list = StreamedList()
    try await list.show([("", [1])])
    var frames = list.target.frames(since: ListStreamVersion("e.0")).makeAsyncIterator()
    try await list.show([("", [1])], origins: ["idle"])
    let frame = try json(await frames.next())
    #expect(frame["acts"] == .array([.string("idle")]))
    #expect(frame["items"] == nil)
  }

  @Test("A failure is told to all, also to those who come later, and is over with the next change")
  func failure() async throws {
    let list = StreamedList()
    try await list.show([("", [1])])
    var old = list.target.frames(since: ListStreamVersion("e.0")).makeAsyncIterator()
    list.target.fail("The disk is full.")
    #expect(try json(await old.next())["message"]?.string == "The disk is full.")

    var new = list.target.frames().makeAsyncIterator()
    #expect(await new.next()?.kind == .snapshot)
    #expect(await new.next()?.kind == .failure)

    list.target.recover()
    let recovery = try json(await old.next())
    #expect(recovery["kind"]?.string == "failure" && recovery["message"] == .null)

    list.target.fail("Again.")
    try await list.show([("", [1, 2])])
    var newest = list.target.frames().makeAsyncIterator()
    #expect(await newest.next()?.kind == .snapshot)
    try await list.show([("", [1])])
    #expect(await newest.next()?.kind == .change)
  }

  @Test("A provider that fails leaves readers with what they had and tells them; the next apply mends it")
  func failingProvider() async throws {
    struct Trouble: Error {}
    let target = StreamedList.Target(options: ListStreamOptions(epoch: "e"))
    nonisolated(unsafe) var fails = false
    let source = DiffableDataSource(target: target) { (item: Int) throws -> String? in
      if fails { throw Trouble() }
      return "\(item)"
    }
    await source.apply(try DiffableSnapshot(sections: [("", [1])]))
    var frames = target.frames().makeAsyncIterator()
    _ = await frames.next()
    fails = true
    let report = await source.apply(try DiffableSnapshot(sections: [("", [1, 2])]))
    guard case .failed = report.outcome else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(await frames.next()?.kind == .failure)
    fails = false
    await source.apply(try DiffableSnapshot(sections: [("", [1, 2, 3])]))
    let frame = try json(await frames.next())
    #expect(frame["kind"]?.string == "snapshot")
    #expect(frame["content"]?["2"]?.string == "2")
  }

  @Test("Finishing ends the streams of those who wait and those who come")
  func finishing() async throws {
    let list = StreamedList()
    try await list.show([("", [1])])
    let target = list.target
    let waiting = Task {
      var frames = target.frames(since: ListStreamVersion("e.0")).makeAsyncIterator()
      return await frames.next()
    }
    target.finish()
    #expect(await waiting.value == nil)
    var late = target.frames().makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test("Cancelling ends one reader and no other, and readers are counted")
  func cancelling() async throws {
    let list = StreamedList()
    try await list.show([("", [1])])
    let target = list.target
    let reading = Task {
      var count = 0
      for await _ in target.frames() { count += 1 }
      return count
    }
    var other = target.frames().makeAsyncIterator()
    _ = await other.next()
    reading.cancel()
    _ = await reading.value
    try await list.show([("", [1, 2])])
    #expect(await other.next()?.kind == .change)
    #expect(target.subscriberCount == 1)
  }

  @Test("Names and contents with quotes, breaks and signs of all kinds arrive as they are")
  func escaping() async throws {
    let strange = "\"\\/\n\r\t\u{0}\u{1F}\u{2028}é🙂"
    let target = ListStreamTarget<String, String, String>(
      options: ListStreamOptions(epoch: "e"), sectionName: { $0 }, itemName: { $0 })
    let source = DiffableDataSource(target: target) { $0 }
    await source.apply(try DiffableSnapshot(sections: [(strange, [strange])]))
    var frames = target.frames().makeAsyncIterator()
    let frame = try #require(await frames.next())
    #expect(!frame.json.contains(10) && !frame.json.contains(13))
    var replica = ListStreamReplica()
    #expect(replica.receive(frame.json) == .applied(mutationIDs: []))
    #expect(replica.snapshot.sectionIdentifiers == [strange])
    #expect(replica.contents[strange] == .string(strange))
  }

  @Test("An epoch that is not one is replaced")
  func epochs() {
    #expect(ListStreamOptions(epoch: "a b").epoch != "a b")
    #expect(ListStreamOptions(epoch: "").epoch != "")
    #expect(ListStreamOptions(epoch: "Az0_-").epoch == "Az0_-")
    #expect(ListStreamVersion("k3.v9.4") == nil)
    #expect(ListStreamVersion("k3v9x2.41")?.description == "k3v9x2.41")
  }
}

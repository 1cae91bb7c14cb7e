import Foundation
import ListSources
import ListStream
import Snapshots
import Synchronization
import Testing

@Suite("Windows of long lists")
struct WindowTests {
  typealias Target = ListStreamTarget<String, Int, String>

  /// A loader that notes the requests of a stream, and can be told to fail.
  final class Contents: Sendable {
    private let asked = Mutex<[[Int]]>([])
    private let failures = Mutex(0)

    var questions: [[Int]] { asked.withLock { $0 } }

    func fail(_ times: Int) { failures.withLock { $0 = times } }

    func load(_ items: [Int]) throws -> [Int: String] {
      asked.withLock { $0.append(items) }
      let fails = failures.withLock { count in
        defer { count = max(0, count - 1) }
        return count > 0
      }
      if fails { throw CocoaError(.fileReadUnknown) }
      return Dictionary(uniqueKeysWithValues: items.map { ($0, "item \($0)") })
    }
  }

  struct List {
    let contents = Contents()
    let target: Target
    let source: DiffableDataSource<Target>

    init(
      longest: Int = 20, maximumChange: Int = 10, maximumRange: Int = 8,
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      let contents = contents
      target = Target(
        options: ListStreamOptions(
          epoch: "e", maximumWholeList: longest, maximumChange: maximumChange, maximumRange: maximumRange,
          maximumRangeOfIDs: 30),
        clock: clock, loading: { try contents.load($0) })
      source = DiffableDataSource(target: target, provider: .loading { try contents.load($0) })
    }

    func show(_ sections: [(String, [Int])], origins: [String] = []) async throws {
      await source.apply(
        try DiffableSnapshot<String, Int>(sections: sections), options: ApplyOptions(origins: origins))
    }
  }

  @Test("A window is written and read")
  func reading() {
    #expect(ListStreamWindow("60") == ListStreamWindow(from: 0, count: 60))
    #expect(ListStreamWindow("120,60") == ListStreamWindow(from: 120, count: 60))
    for text in ["", ",", "1,", ",1", "-1", "1,2,3", "a", "1 ", "9999999999999999"] {
      #expect(ListStreamWindow(text) == nil, "\(text)")
    }
    #expect(ListStreamWindow("120,60")?.description == "120,60")
  }

  @Test("Of a long list a reader gets counts and its window, and no other content is loaded")
  func countedSnapshot() async throws {
    let list = List()
    try await list.show([("A", Array(0..<10)), ("B", Array(10..<1000))])
    #expect(list.contents.questions.isEmpty)
    var frames = list.target.frames(window: ListStreamWindow(from: 8, count: 4)).makeAsyncIterator()
    let frame = try json(await frames.next())
    #expect(
      frame["sections"]
        == .array([
          .object([
            "id": .string("A"), "count": .integer(10),
            "windows": .array([.array([.integer(8), .array([.string("8"), .string("9")])])]),
          ]),
          .object([
            "id": .string("B"), "count": .integer(990),
            "windows": .array([.array([.integer(0), .array([.string("10"), .string("11")])])]),
          ]),
        ]))
    #expect(frame["content"]?["11"]?.string == "item 11")
    #expect(list.contents.questions == [[8, 9, 10, 11]])
  }

  @Test("A frame cannot make a reader keep more rows than one list may have, in however many sections")
  func tooManyRows() {
    func frame(_ counts: [Int]) -> JSONValue {
      let sections = counts.enumerated().map { number, count in
        JSONValue.object(["id": .string("\(number)"), "count": .integer(count), "windows": .array([])])
      }
      return .object([
        "format": .integer(1), "kind": .string("snapshot"), "epoch": .string("e"), "seq": .integer(1),
        "sections": .array(sections), "content": .object([:]),
      ])
    }
    var replica = ListStreamReplica()
    #expect(replica.receive(frame([1000, 1000])) == .applied(mutationIDs: []))
    #expect(replica.receive(frame(Array(repeating: 100, count: 500) + [50_000_000])) == .resync)
    #expect(replica.sections.count == 2)
  }

  @Test("Readers of the same window share its frame; a window is no larger than the stream allows")
  func sharedWindow() async throws {
    let list = List()
    try await list.show([("", Array(0..<100))])
    var first = list.target.frames(window: ListStreamWindow(count: 50)).makeAsyncIterator()
    var second = list.target.frames(window: ListStreamWindow(count: 50)).makeAsyncIterator()
    #expect(await first.next() == (await second.next()))
    #expect(list.contents.questions == [Array(0..<8)])
  }

  @Test("A short list travels whole; when it grows, as changes")
  func whole() async throws {
    let list = List()
    try await list.show([("", Array(0..<20))])
    var windowed = list.target.frames(window: ListStreamWindow(count: 4)).makeAsyncIterator()
    let short = try json(await windowed.next())
    #expect(short["sections"]?.array?.first?["items"]?.array?.count == 20)
    try await list.show([("", Array(0..<21))])
    var plain = list.target.frames().makeAsyncIterator()
    var replica = ListStreamReplica()
    while replica.version != list.target.version {
      let frame = try #require(await plain.next())
      #expect(replica.receive(frame.json) == .applied(mutationIDs: []))
    }
    #expect(replica.isWhole && replica.snapshot.numberOfItems == 21)
    #expect(replica.contents["20"]?.string == "item 20")
    // The change that made the list long is a change to those who have it.
    #expect(try json(await windowed.next())["kind"]?.string == "change")
  }

  @Test("Rows are answered with their version, counts and contents; ids alone load nothing")
  func range() async throws {
    let list = List()
    #expect(try await list.target.range(ListStreamWindow(count: 1)) == nil)
    try await list.show([("A", Array(0..<10)), ("B", Array(10..<1000))])
    try await list.show([("A", Array(1..<10)), ("B", Array(10..<1000))])
    let rows = try json(try await list.target.range(ListStreamWindow(from: 997, count: 5)))
    #expect(rows["kind"]?.string == "range" && rows["seq"] == .integer(1))
    #expect(rows["sections"]?.array?.map { $0["count"]?.integer } == [9, 990])
    #expect(rows["sections"]?.array?[0]["windows"] == nil)
    #expect(
      rows["sections"]?.array?[1]["windows"]
        == .array([.array([.integer(988), .array([.string("998"), .string("999")])])]))
    #expect(rows["content"] == .object(["998": .string("item 998"), "999": .string("item 999")]))
    #expect(list.contents.questions == [[998, 999]])
    let ids = try json(
      try await list.target.range(ListStreamWindow(from: 20, count: 99), withContents: false))
    #expect(ids["content"] == nil)
    #expect(ids["sections"]?.array?[1]["windows"]?.array?[0].array?[1].array?.count == 30)
    #expect(list.contents.questions.count == 1)
    let beyond = try json(try await list.target.range(ListStreamWindow(from: 5000, count: 3)))
    #expect(beyond["sections"]?.array?.count == 2 && beyond["content"] == .object([:]))
  }

  @Test("A stream that keeps its contents answers from them")
  func rangeOfKept() async throws {
    let list = StreamedList()
    try await list.show([("", [1, 2, 3])])
    let rows = try json(try await list.target.range(ListStreamWindow(from: 1, count: 1)))
    #expect(rows["content"] == .object(["2": .string("item 2")]))
  }

  @Test("In place of a change that is too large every reader gets its window anew, with the mutations")
  func largeChange() async throws {
    let list = List()
    try await list.show([("", Array(0..<100))])
    var frames = list.target.frames(window: ListStreamWindow(from: 40, count: 3)).makeAsyncIterator()
    _ = await frames.next()
    try await list.show([("", Array(10..<100))])
    #expect(try json(await frames.next())["kind"]?.string == "change")
    try await list.show([("", Array(30..<100))], origins: ["delete"])
    let frame = try json(await frames.next())
    #expect(frame["kind"]?.string == "snapshot" && frame["seq"] == .integer(2))
    #expect(frame["acts"] == .array([.string("delete")]))
    #expect(frame["content"]?["70"]?.string == "item 70")
  }

  @Test("When contents cannot be loaded readers are told, and get the list when they can")
  func loaderFails() async throws {
    let list = List(clock: InstantClock())
    try await list.show([("", Array(0..<100))])
    list.contents.fail(2)
    var frames = list.target.frames(window: ListStreamWindow(count: 3)).makeAsyncIterator()
    let trouble = try json(await frames.next())
    #expect(trouble["kind"]?.string == "failure" && trouble["message"]?.string != nil)
    #expect(try json(await frames.next())["kind"]?.string == "snapshot")
    let over = try json(await frames.next())
    #expect(over["kind"]?.string == "failure" && over["message"] == .null)
  }

  @Test("A long list travels whole to a reader that asks for no window")
  func longWhole() async throws {
    let list = List()
    try await list.show([("", Array(0..<30))])
    var frames = list.target.frames().makeAsyncIterator()
    let frame = try json(await frames.next())
    #expect(frame["sections"]?.array?.first?["items"]?.array?.count == 30)
    #expect(frame["content"]?["29"]?.string == "item 29")
    #expect(list.contents.questions.map(\.count) == [8, 8, 8, 6])
  }

  /// A clock on which no time passes while one sleeps.
  struct InstantClock: Clock {
    typealias Instant = ContinuousClock.Instant
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws { try Task.checkCancellation() }
  }
}

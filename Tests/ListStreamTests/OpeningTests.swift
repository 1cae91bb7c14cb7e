import ListStream
import Testing

@Suite("Openings")
struct OpeningTests {
  @Test("An opening is a snapshot that a reader takes, and that the list itself takes the place of")
  func opensAndGivesWay() async throws {
    let frame = try ListStreamFrame.opening(
      count: 5000, from: 100,
      items: [(name: "a", content: ["title": "A"]), (name: "b", content: ["title": "B"])])
    let json = try json(frame)
    #expect(json["kind"]?.string == "snapshot")
    #expect(
      json["sections"]
        == .array([
          .object([
            "id": .string(""), "count": .integer(5000),
            "windows": .array([.array([.integer(100), .array([.string("a"), .string("b")])])]),
          ])
        ]))
    #expect(json["content"]?["b"]?["title"]?.string == "B")
    var replica = ListStreamReplica()
    #expect(replica.receive(frame.json) == .applied(mutationIDs: []))
    #expect(replica.sections.first?.items.count == 5000)

    let list = StreamedList()
    try await list.show([("", [7, 8])])
    var frames = list.target.frames().makeAsyncIterator()
    let first = try #require(await frames.next())
    #expect(first.version?.epoch != frame.version?.epoch)
    #expect(replica.receive(first.json) == .applied(mutationIDs: []))
    #expect(replica.version == first.version)
  }

  @Test("No opening is resumed from")
  func leadsNowhere() async throws {
    let frame = try ListStreamFrame.opening(count: 9, from: 0, items: [(name: "1", content: 1)])
    let list = StreamedList()
    try await list.show([("", [1])])
    var frames = list.target.frames(since: frame.version).makeAsyncIterator()
    #expect(await frames.next()?.kind == .snapshot)
  }
}

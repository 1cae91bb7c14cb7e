import ListSources
import ListStream
import Snapshots
import Testing

@Suite("Lists of the past")
struct PastVersionTests {
  @Test("A list is known as it was for as long as its version can be resumed from")
  func knowsWhatCanBeResumed() async throws {
    let list = StreamedList(ListStreamOptions(epoch: "e", ringCapacity: 3))
    func items(_ version: String) throws -> [Int]? {
      list.target.snapshot(at: try #require(ListStreamVersion(version)))?.itemIdentifiers
    }
    #expect(try items("e.0") == nil)
    for count in 1...6 {
      try await list.show([("", Array(0..<count))])
      for old in 0..<count {
        #expect(try items("e.\(old)") == (old >= count - 4 ? Array(0...old) : nil), "e.\(old) of \(count)")
      }
    }
    #expect(try items("e.6") == nil)
    #expect(try items("f.5") == nil)
    _ = await list.source.acknowledge(["act"])
    #expect(try items("e.6") == Array(0..<6))
    _ = await list.source.applyUsingReloadData(try DiffableSnapshot(sections: [("", [9])]))
    #expect(try items("e.6") == nil)
    #expect(try items("e.7") == [9])
  }
}

import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing
import _TestTools

@Suite("Pending rows among the rows of a read")
struct MergeTests {
  @Test("Lists are read as from a store that has the pending rows", arguments: 1...6 as ClosedRange<UInt64>)
  func likeSaved(_ seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    func item(_ id: Int) -> Item {
      Item(
        id: id, section: ["", "a", "ab", "a\0b", "b"][Int.random(in: 0..<5, using: &random)],
        key: .random(in: -40..<40, using: &random),
        note: [nil, "", "x", "xy"][Int.random(in: 0..<4, using: &random)])
    }
    let (store, expected) = (InMemoryStore(), InMemoryStore())
    for id in 0..<400 {
      let item = item(id)
      store.put(item)
      expected.put(item)
    }
    let draft = FetchDraft(of: store)
    try draft.edit { edit in
      for _ in 0..<90 {
        let item = item(.random(in: 0..<440, using: &random))
        if Int.random(in: 0..<4, using: &random) == 0 {
          try edit.delete(Item.self, id: item.id)
          expected.remove(item.id)
        } else {
          try edit.perform([.put(item)])
          expected.put(item)
        }
      }
    }
    let requests: [FetchDescriptor<Item>] = [
      FetchDescriptor().ordered(by: .ascending(\.section), .ascending(\.key)),
      FetchDescriptor().ordered(by: .descending(\.section), .descending(\.key)),
      FetchDescriptor().ordered(by: .ascending(\.key)).sectioned(by: \.section),
      FetchDescriptor().ordered(by: .ascending(\.note), .descending(\.section)),
      FetchDescriptor().ordered(by: .descending(\.note), .ascending(\.key)).limit(50).offset(100),
      FetchDescriptor().ordered(by: .ascending(\.id)),
    ]
    for request in requests {
      let read = try await FetchController(request, in: draft).performFetch()
      #expect(read == (try await FetchController(request, in: expected).performFetch()), "\(request)")
    }
  }
}

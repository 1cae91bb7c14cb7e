import ListSourcesTestSupport
import LiveLists
import LiveListsTestSupport
import Testing

// The pieces of the pages of the modules for tests.
struct TestSupportTests {
  @Test("The store in memory takes rows")
  func storeInMemory() {
    let store = InMemoryStore()
    store.write { $0.put(["id": .integer(1), "title": .text("Fjord")], in: "photo") }
    #expect(store.position > InMemoryStore().position)
  }

  @Test("The strict view takes any lists")
  func strictView() async throws {
    var list = DiffableSnapshot<String, Int>()
    try list.appendSections(["A"])
    var anyListsAtAll = [list]
    for item in [3, 1, 2] {
      try list.appendItems([item])
      anyListsAtAll.append(list)
    }
    let view = StrictListView<String, Int, String>()
    let source = DiffableDataSource(target: view) { "cell \($0)" }
    for list in anyListsAtAll { await source.apply(list) }
    #expect(view.violations.isEmpty)
    #expect(view.contents == "A[3,1,2]")
  }
}

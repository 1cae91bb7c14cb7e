import ListSources
import ListSourcesApple
import Observation
import Snapshots
import Testing

@MainActor
@Suite("Observable list")
struct ObservableListTests {
  @Test("It has the list and the contents, and asks only for what is new")
  func follows() async throws {
    let shown = ObservableList<String, Int, String>()
    var asked: [Int] = []
    var edition = 1
    let source = DiffableDataSource(target: shown) { item in
      asked.append(item)
      return "\(item) in edition \(edition)"
    }
    #expect(!shown.isLoaded)
    await source.apply(list("A[1,2]"))
    #expect(shown.isLoaded)
    #expect(asked == [1, 2])
    edition = 2
    var next = list("A[2,1,3]")
    try next.reconfigureItems([1])
    await source.apply(next)
    #expect(Set(asked.dropFirst(2)) == [1, 3])
    #expect(text(shown.snapshot) == "A[2,1,3]")
    #expect(shown[1] == "1 in edition 2" && shown[2] == "2 in edition 1" && shown[3] == "3 in edition 2")
    await source.apply(list("A[3]"))
    #expect(shown.contents.count == 1)
  }

  @Test("Who observes it is told of a change")
  func isObserved() async {
    let shown = ObservableList<String, Int, String>()
    let source = DiffableDataSource(target: shown) { "\($0)" }
    await source.apply(list("A[1]"))
    await confirmation { told in
      withObservationTracking {
        _ = shown.snapshot
      } onChange: {
        told()
      }
      await source.apply(list("A[1,2]"))
    }
  }
}

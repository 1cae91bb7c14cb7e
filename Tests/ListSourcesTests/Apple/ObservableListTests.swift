import ListSources
import ListSourcesApple
import Observation
import Snapshots
import Testing

@MainActor
@Suite("Observable list")
struct ObservableListTests {
  @Test("It asks for the contents that are read, each once, and again for what has changed")
  func follows() async throws {
    let shown = ObservableList<String, Int, String>()
    var asked: [Int] = []
    var edition = 1
    let source = DiffableDataSource(target: shown) { item in
      asked.append(item)
      return "\(item) in edition \(edition)"
    }
    #expect(!shown.isLoaded)
    await source.apply(list("A[1,2,4,5,6,7,8,9]"))
    #expect(shown.isLoaded && asked.isEmpty)
    for item in [1, 2, 1] { #expect(shown[item] == "\(item) in edition 1") }
    #expect(asked == [1, 2])
    edition = 2
    var next = list("A[2,1,3]")
    try next.reconfigureItems([1])
    await source.apply(next)
    #expect(asked == [1, 2])
    #expect(text(shown.snapshot) == "A[2,1,3]")
    #expect(shown[1] == "1 in edition 2" && shown[2] == "2 in edition 1" && shown[3] == "3 in edition 2")
    #expect(shown[9] == nil && asked == [1, 2, 1, 3])
    await source.apply(list("A[3]"))
    #expect(shown[1] == nil && shown[3] == "3 in edition 2")
    await source.apply(list("A[3,1]"))
    #expect(shown[1] == "1 in edition 2" && asked == [1, 2, 1, 3, 1])
  }

  @Test("A provider that loads is asked for all contents, and for those of a change")
  func loads() async {
    let shown = ObservableList<String, Int, String>()
    var asked: [[Int]] = []
    let source = DiffableDataSource(
      target: shown,
      provider: .loading { items in
        asked.append(items)
        return Dictionary(uniqueKeysWithValues: items.map { ($0, "\($0)") })
      })
    await source.apply(list("A[1,2]"))
    await source.apply(list("A[2,3]"))
    #expect(asked == [[1, 2], [3]] && shown[2] == "2" && shown[3] == "3" && shown[1] == nil)
  }

  @Test("A provider that fails is reported, and asked again")
  func failure() async {
    struct Broken: Error {}
    let shown = ObservableList<String, Int, String>()
    var failures: [any Error] = []
    var isBroken = true
    shown.failureHandler = { failures.append($0) }
    let source = DiffableDataSource(target: shown) { item in
      if isBroken { throw Broken() }
      return "\(item)"
    }
    await source.apply(list("A[1]"))
    #expect(shown[1] == nil && failures.count == 1 && failures.first is Broken)
    isBroken = false
    #expect(shown[1] == "1" && failures.count == 1)
  }

  @Test("Who observes it is told of a change, also one of a content alone")
  func isObserved() async throws {
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
    var next = list("A[1,2]")
    try next.reconfigureItems([1])
    await confirmation { [next] told in
      withObservationTracking {
        _ = shown[1]
      } onChange: {
        told()
      }
      await source.apply(next)
    }
  }
}

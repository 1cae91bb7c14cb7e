import ListSources
import LiveFetch
import ListSourcesTestSupport
import LiveListsTestSupport
import Snapshots
import Testing

@Suite("A data source that follows a list")
struct FollowTests {
  private static let request = FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key))

  private static func put(_ ids: Int..., in store: InMemoryStore) {
    store.write { transaction in
      for id in ids { transaction.put(ConformanceItem(id: id, section: "a", key: id).values, in: "item") }
    }
  }

  private struct Broken: Error {}

  @Test("It shows a controller's list and each change, and returns when the controller stops")
  func followsUntilTheEnd() async throws {
    let store = InMemoryStore()
    Self.put(1, 2, in: store)
    let controller = FetchController(Self.request, in: store)
    try await controller.performFetch()
    let view = StrictListView<FetchSectionID, Int, String>()
    let source = DiffableDataSource(target: view) { id in
      // Each step follows from one that is on the way to the view.
      if id == 2 { Self.put(3, in: store) }
      if id == 3 { controller.stop() }
      return "cell \(id)"
    }
    try await source.follow(controller)
    #expect(source.snapshot().itemIdentifiers == [1, 2, 3])
    #expect(view.violations.isEmpty)
  }

  @Test("It returns when its task is cancelled, and a controller goes on")
  func endsWithItsTask() async throws {
    let store = InMemoryStore()
    Self.put(1, in: store)
    let controller = FetchController(Self.request, in: store)
    try await controller.performFetch()
    let source = DiffableDataSource(target: StrictListView<FetchSectionID, Int, String>()) { id in
      withUnsafeCurrentTask { $0?.cancel() }
      return "cell \(id)"
    }
    try await source.follow(controller)
    #expect(source.snapshot().itemIdentifiers == [1])
    Self.put(2, in: store)
    await controller.waitUntilCurrent()
    #expect(controller.snapshot?.itemIdentifiers == [1, 2])
  }

  @Test("It shows what came before an error, and throws the error")
  func throwsTheError() async throws {
    struct Step: SnapshotChange {
      var previousSnapshot: DiffableSnapshot<String, Int>?
      var snapshot: DiffableSnapshot<String, Int>
      var difference: SnapshotDifference<String, Int> {
        snapshot.difference(from: previousSnapshot ?? .init())
      }
      var origins: [String] { [] }
    }
    let (first, second): (DiffableSnapshot<String, Int>, DiffableSnapshot<String, Int>) = (
      ["": [1]], ["": [2, 1]]
    )
    let (changes, continuation) = AsyncThrowingStream<Step, any Error>.makeStream()
    continuation.yield(Step(previousSnapshot: nil, snapshot: first))
    continuation.yield(Step(previousSnapshot: first, snapshot: second))
    continuation.finish(throwing: Broken())
    let source = DiffableDataSource(target: StrictListView<String, Int, String>()) { "cell \($0)" }
    await #expect(throws: Broken.self) { try await source.follow(changes) }
    #expect(source.snapshot().itemIdentifiers == [2, 1])
  }
}

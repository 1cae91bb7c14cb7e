import Foundation
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Synchronization
import Testing

@Suite("Listening")
struct ListeningTests {
  let store = InMemoryStore()
  let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key))

  @Test("Whoever listens has the list read, and it is live from then on")
  func fetchesByItself() async throws {
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    let changes = controller.changes.makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.snapshot == ["": [1]] && first.isInitial)
    store.put(Piece(2, "a", 2))
    #expect(try await changes.next()?.inserted == [2])
    #expect(controller.statistics.fetches == 1)
  }

  @Test("The first fetch takes the list that a listener had read; the second reads it anew")
  func fetchAfterListening() async throws {
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    #expect(try await controller.performFetch() == ["": [1]])
    #expect(controller.statistics.fetches == 1)
    try await controller.performFetch()
    #expect(controller.statistics.fetches == 2)
    #expect(try await changes.next()?.isInitial == true)
  }

  @Test("Many that begin to listen at once have the list read once")
  func manyAtOnce() async throws {
    for id in 1...5 { store.put(Piece(id, "a", id)) }
    let controller = FetchController(request, in: store)
    let lists = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<20 {
        group.addTask {
          for try await change in controller.changes { return change.snapshot.itemIdentifiers }
          return []
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(lists == Array(repeating: [1, 2, 3, 4, 5], count: 20))
    #expect(controller.statistics.fetches == 1)
  }

  @Test("A list that cannot be read throws, and the next listener tries again")
  func failure() async throws {
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    store.failReads(with: .outOfOrderSection(name: "x"))
    let changes = controller.changes.makeAsyncIterator()
    let error = await #expect(throws: FetchError.self) { try await changes.next() }
    #expect(error?.kind == .outOfOrderSection && controller.failures.count == 1)
    store.failReads(with: nil)
    let later = controller.changes.makeAsyncIterator()
    #expect(try await later.next()?.snapshot == ["": [1]])
    let mistaken = FetchController(FetchDescriptor<Piece>(), in: store)
    let never = mistaken.changes.makeAsyncIterator()
    #expect(await #expect(throws: FetchError.self) { try await never.next() }?.kind == .request)
  }

  @Test("Whoever listens to a closed store has nothing, and is not kept waiting")
  func closed() async throws {
    store.close()
    let changes = FetchController(request, in: store).changes.makeAsyncIterator()
    #expect(try await changes.next() == nil)
  }

  @Test("After a stop, listening makes the list live again; who listened before is at the end")
  func afterStop() async throws {
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    let former = controller.changes.makeAsyncIterator()
    _ = try await former.next()
    let unused = controller.changes.makeAsyncIterator()
    controller.stop()
    store.put(Piece(2, "a", 2))
    let later = controller.changes.makeAsyncIterator()
    #expect(try await later.next()?.snapshot == ["": [1, 2]])
    store.put(Piece(3, "a", 3))
    #expect(try await later.next()?.inserted == [3])
    #expect(try await former.next() == nil)
    // It was there before the stop, and had been asked for nothing: the end of its list is what there is.
    _ = try await unused.next()
    #expect(try await unused.next() == nil)
  }

  @Test("Fetched, stopped and fetched again, a list is live for listeners of either time")
  func fetchedStoppedFetched() async throws {
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    for id in 2...4 {
      try await controller.performFetch()
      let changes = controller.changes
      let iterator = changes.makeAsyncIterator()
      _ = try await iterator.next()
      store.put(Piece(id, "a", id))
      #expect(try await iterator.next()?.inserted == [id])
      controller.stop()
      #expect(try await iterator.next() == nil)
      // The same sequence again, from the beginning.
      let again = changes.makeAsyncIterator()
      #expect(try await again.next()?.snapshot.numberOfItems == id)
      store.put(Piece(1, "a", -id))
      #expect(try await again.next()?.updated == [1])
      controller.stop()
    }
  }

  @Test("A delegate has the list read, too")
  func delegate() async throws {
    final class Delegate: FetchControllerDelegate {
      let (changes, continuation) = AsyncStream<FetchChange<Int>>.makeStream()
      func listDidChange(_ change: FetchChange<Int>) async { continuation.yield(change) }
    }
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    let delegate = Delegate()
    controller.setDelegate(delegate)
    var changes = delegate.changes.makeAsyncIterator()
    #expect(await changes.next()?.snapshot == ["": [1]])
  }

  @Test("A controller is asked for its request at each fetch")
  func configured() async throws {
    for id in 1...4 { store.put(Piece(id, "a", id)) }
    let least = Mutex(2)
    let asked = Mutex(0)
    let controller = FetchController<Piece>(in: store) { [request] in
      asked.withLock { $0 += 1 }
      let key = least.withLock { $0 }
      return request.filter(#Predicate { $0.key >= key })
    }
    #expect(asked.withLock { $0 } == 0)
    let changes = controller.changes.makeAsyncIterator()
    #expect(try await changes.next()?.snapshot == ["": [2, 3, 4]])
    least.withLock { $0 = 4 }
    store.put(Piece(5, "a", 5))
    #expect(try await changes.next()?.snapshot == ["": [2, 3, 4, 5]])
    #expect(try await controller.performFetch() == ["": [4, 5]])
    #expect(try await changes.next()?.deleted == [2, 3])
    try await controller.update(request: request)
    #expect(controller.snapshot == ["": [1, 2, 3, 4, 5]])
    #expect(try await controller.performFetch() == ["": [4, 5]])
    #expect(asked.withLock { $0 } == 3)
  }

  @Test("Of requests that are given without waiting the last wins, and a failure is told")
  func updates() async throws {
    for id in 1...9 { store.put(Piece(id, "a", id)) }
    let controller = FetchController(request, in: store)
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    // As a search field would: a function that is not asynchronous.
    func search(_ request: FetchDescriptor<Piece>) { controller.update(request: request) }
    for least in 2...8 { search(request.filter(#Predicate { $0.key >= least })) }
    while controller.snapshot != ["": [8, 9]] { _ = try await changes.next() }
    search(FetchDescriptor())
    var failures: [FetchError] = []
    while failures.isEmpty { failures = try #require(try await changes.next()).failures }
    #expect(failures.first?.kind == .request)
    #expect(controller.snapshot == ["": [8, 9]])
  }
}

import Foundation
import LiveFetch
import LiveListsTestSupport
import _TestTools
import Snapshots
import Testing

/// Everything that may be done to a list, by many tasks at once. `scripts/test-races` runs these under the thread sanitizer.
@Suite("Lists that many tasks use at once")
struct RaceTests {
  static let requests: [FetchDescriptor<Piece>] = [
    FetchDescriptor().ordered(by: .ascending(\.key)),
    FetchDescriptor().ordered(by: .descending(\.key)).sectioned(by: \.section),
    FetchDescriptor().filter(#Predicate { $0.key < 50 }).ordered(by: .ascending(\.key)).limit(20),
  ]

  /// Replays what a controller tells until the stream ends.
  /// - Returns: Whether the differences always led to what was told.
  static func replay(_ changes: FetchChanges<Int>) async throws -> Bool {
    var replayed: DiffableSnapshot<FetchSectionID, Int>?
    for try await change in changes {
      replayed = try replayed.map { try $0.applying(change.difference) } ?? change.snapshot
      if replayed != change.snapshot { return false }
    }
    return true
  }

  static func write(_ store: InMemoryStore, _ seed: UInt64, _ count: Int) async {
    var random = SplitMix(seed: seed)
    for _ in 0..<count {
      let ids = (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0..<60, using: &random)
      }
      store.write { transaction in
        for id in ids {
          if Int.random(in: 0..<5, using: &random) == 0 {
            transaction.remove(.integer(Int64(id)), from: "piece")
          } else {
            let section = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
            transaction.put(Piece(id, section, .random(in: 0..<99, using: &random)).row, in: "piece")
          }
        }
      }
      if Int.random(in: 0..<9, using: &random) == 0 { store.reset() }
      await Task.yield()
    }
  }

  static func use(_ controller: FetchController<Piece>, _ count: Int) async {
    for number in 0..<count {
      if let id = controller.snapshot?.items.first { _ = controller.object(for: id) }
      _ = try? controller.objects(in: 0..<8)
      _ = try? await controller.objects(for: [number % 60, (number + 7) % 60])
      _ = controller.statistics
      _ = controller.indexPath(for: number % 60)
      await Task.yield()
    }
  }

  @Test(
    "Writers, resets, pauses, new requests, readers, and listeners that come and go: all end at one list",
    arguments: 1...3 as ClosedRange<UInt64>)
  func all(_ seed: UInt64) async throws {
    let store = InMemoryStore()
    let controller = FetchController(Self.requests[0], in: store)
    try await controller.performFetch()
    let listeners = (0..<3).map { _ in
      let changes = controller.changes
      return Task { try await Self.replay(changes) }
    }
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<3 { group.addTask { await Self.write(store, seed &* 10 &+ UInt64(writer), 60) } }
      for _ in 0..<2 { group.addTask { await Self.use(controller, 60) } }
      group.addTask {
        for number in 0..<30 {
          _ = try? await controller.update(request: Self.requests[number % 3])
          await Task.yield()
        }
      }
      group.addTask {
        for _ in 0..<60 {
          controller.pause()
          await Task.yield()
          controller.resume()
        }
      }
      group.addTask {
        // Others with the same and with other requests, of which none is left.
        for number in 0..<30 {
          let other = FetchController(Self.requests[number % 3], in: store)
          let changes = other.changes.makeAsyncIterator()
          _ = try? await other.performFetch()
          _ = try? await changes.next()
        }
      }
      group.addTask {
        for _ in 0..<30 {
          let changes = controller.changes
          let task = Task { for try await _ in changes {} }
          await Task.yield()
          task.cancel()
        }
      }
    }
    controller.resume()
    try await controller.update(request: Self.requests[1])
    await controller.waitUntilCurrent()
    let fresh = FetchController(Self.requests[1].limit(1_000), in: store)
    #expect(controller.snapshot == (try await fresh.performFetch()), "seed \(seed)")
    controller.stop()
    for listener in listeners {
      let isRight = try await listener.value
      #expect(isRight, "seed \(seed): differences lead elsewhere")
    }
  }

  @Test("A task may be cancelled just as it is woken", .timeLimit(.minutes(20)))
  func cancelledWhileWoken() async throws {
    let store = InMemoryStore()
    let controller = FetchController(Self.requests[0], in: store)
    try await controller.performFetch()
    for _ in 0..<50_000 {
      controller.pause()
      let changes = controller.changes
      let task = Task { for try await _ in changes {} }
      // It takes what there is, and waits.
      while controller.statistics.listeners == 0 { await Task.yield() }
      for _ in 0..<3 { await Task.yield() }
      async let woken: Void = controller.resume()
      task.cancel()
      await woken
    }
    #expect(controller.statistics.fetches == 1)
  }

  @Test("A store that is closed while it is written to and read ends every stream", arguments: 1...5)
  func closing(_ round: Int) async throws {
    let store = InMemoryStore()
    let controllers = Self.requests.map { FetchController($0, in: store) }
    for controller in controllers { try await controller.performFetch() }
    let listeners = controllers.map { controller in
      let changes = controller.changes
      return Task { try await Self.replay(changes) }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await Self.write(store, UInt64(round), 40) }
      for controller in controllers {
        group.addTask { _ = try? await controller.performFetch() }
        group.addTask { await Self.use(controller, 10) }
      }
      group.addTask {
        for _ in 0..<round * 5 { await Task.yield() }
        store.close()
      }
    }
    for listener in listeners {
      let isRight = try await listener.value
      #expect(isRight)
    }
  }
}

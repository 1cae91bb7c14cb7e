import LiveFetch
import LiveListsTestSupport
import Metrics
import MetricsTestKit
import Testing

@Suite("Exported metrics")
struct MetricsTests {
  static let names = [
    "livelists_deliveries", "livelists_rows_read", "livelists_statements", "livelists_failures",
    "livelists_cache_hits", "livelists_cache_misses",
  ]

  /// A controller whose metrics go to a factory of its own: other tests are not disturbed, nor do they disturb it.
  static func controller(_ store: InMemoryStore, label: String?) -> (FetchController<Piece>, TestMetrics) {
    let metrics = TestMetrics()
    var options = FetchOptions()
    options.metricsLabel = label
    let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key))
    return (withMetricsFactory(metrics) { FetchController(request, in: store, options: options) }, metrics)
  }

  @Test("All that a controller does is exported under its label, and is what its statistics say")
  func exported() async throws {
    let store = InMemoryStore()
    store.put(Piece(1), Piece(2))
    let (controller, metrics) = Self.controller(store, label: "pieces")
    let dimensions = [("controller", "pieces")]
    func total(_ name: String) throws -> Int64 {
      try metrics.expectCounter(name, dimensions).values.reduce(0, +)
    }
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    // Who listens beside changes nothing but the number of deliveries.
    let other = controller.changes.makeAsyncIterator()
    _ = try await other.next()
    for number in 3...5 {
      store.put(Piece(number, "a", number), Piece(1, "a", number))
      _ = try await changes.next()
    }
    store.write { transaction in
      var row = Piece(3).row
      row["state"] = .text("nonsense")
      transaction.put(row, in: "piece")
    }
    _ = try await changes.next()
    for id in [1, 2, 1] { _ = controller.object(for: id) }
    _ = try await changes.next()  // The row that is no piece is reported.

    let statistics = controller.statistics
    #expect(
      statistics.rowsRead == 9 && statistics.deliveries == 7 && statistics.cacheHits > 0
        && statistics.cacheMisses > 0)
    #expect(try total("livelists_deliveries") == Int64(statistics.deliveries))
    #expect(try total("livelists_rows_read") == Int64(statistics.rowsRead))
    #expect(try total("livelists_statements") == Int64(statistics.statements))
    #expect(try total("livelists_failures") == 1)
    #expect(try total("livelists_cache_hits") == Int64(statistics.cacheHits))
    #expect(try total("livelists_cache_misses") == Int64(statistics.cacheMisses))
    let latency = try metrics.expectTimer("livelists_latency", dimensions).values
    #expect(latency.count == 4, "a fetch and a report of a row have no commit behind them")
    #expect(latency.max() == statistics.maximumLatency.nanoseconds)
    #expect(latency.reduce(0, +) == statistics.totalLatency.nanoseconds)
    let delay = try metrics.expectTimer("livelists_queue_delay", dimensions).values
    #expect(delay.count == statistics.deliveries && delay.max() == statistics.maximumQueueDelay.nanoseconds)
    #expect(Set(metrics.counters.map(\.label)) == Set(Self.names))
    #expect(Set(metrics.timers.map(\.label)) == ["livelists_latency", "livelists_queue_delay"])
  }

  @Test("A controller without a label exports nothing")
  func silent() async throws {
    let store = InMemoryStore()
    let (controller, metrics) = Self.controller(store, label: nil)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(1))
    _ = try await changes.next()
    #expect(metrics.counters.isEmpty && metrics.timers.isEmpty)
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}

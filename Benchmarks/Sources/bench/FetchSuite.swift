import Foundation
import GRDB
import LiveFetch
import LiveFetchSQLite
import OrderedCollections
import Snapshots

/// Lists over SQLite: what a commit costs until its change is delivered, and what the first fetch costs.
///
/// Beside them stands what one does without: GRDB's `ValueObservation`, which runs the query again with each commit, and
/// the identifiers compared by `OrderedSet`.
///
/// `BENCH_ROWS` gives another size than a million, `BENCH_ONLY` a part of a row's name: for profiling.
enum FetchSuite {
  static let environment = ProcessInfo.processInfo.environment
  static let rows = environment["BENCH_ROWS"].flatMap(Int.init) ?? 1_000_000

  static func isWanted(_ name: String) -> Bool { environment["BENCH_ONLY"].map { name.contains($0) } ?? true }

  static func run(_ report: inout Report) async throws {
    let large = try TrackBench(rows: rows)
    if isWanted("fetch") { try await large.firstFetch(&report) }
    try await large.controller.performFetch()
    if isWanted("one row") { try await oneRow(large, &report) }
    if isWanted("transaction") { try await large.manyRows(&report) }
    if isWanted("another") { try await elsewhere(&report) }
    if isWanted("walk") { try await large.walk(&report) }
    if isWanted("lists") { try await manyControllers(&report) }
    if isWanted("again") { try await large.readingAnew(&report) }
  }

  private static func oneRow(_ large: TrackBench, _ report: inout Report) async throws {
    let median = try await large.oneRow()
    let statistics = large.controller.statistics
    let engine =
      Measure.milliseconds(statistics.indexing) * 1e3 / Double(max(1, statistics.effectiveCommits))
    let small = try TrackBench(rows: 10_000)
    try await small.controller.performFetch()
    let smallMedian = try await small.oneRow()
    let peer = try large.peer()
    report.add(
      Row(
        name: "one row moves among 1,000,000: commit to delivery", figure: median.beyond, unit: "µs",
        target: 100, peer: peer, peerName: "ValueObservation and OrderedSet.difference",
        others: [
          "of it the engine": engine, "bare commit": median.bare, "10,000 rows": smallMedian.beyond,
          "bare commit at 10,000 rows": smallMedian.bare,
          "of it from thread to thread": try await Hop.median(),
        ],
        bounds: [
          .init(name: "the same at 10,000 rows", ratio: median.beyond / smallMedian.beyond, most: 2),
          .init(name: "of the peer", ratio: median.beyond / peer, most: 0.001),
        ]))
  }

  private static func elsewhere(_ report: inout Report) async throws {
    func cost(_ isListed: Bool) async throws -> (Double, Int) {
      let fresh = try TrackBench(rows: 10)
      if isListed { try await fresh.controller.performFetch() }
      let before = fresh.controller.statistics.statements
      let time = try Measure.microseconds(calls: 4_000) { number in
        try fresh.store.pool.write { db in
          try db.cachedStatement(sql: "UPDATE other SET value = ? WHERE id = ?").execute(arguments: [
            number, 1,
          ])
        }
      }
      return (time, fresh.controller.statistics.statements - before)
    }
    // In turn, so that both meet the same state of the machine.
    var bare: [Double] = []
    var listed: [Double] = []
    var statements = 0
    for _ in 0..<5 {
      bare.append(try await cost(false).0)
      let (time, more) = try await cost(true)
      listed.append(time)
      statements += more
    }
    let least = Measure.median(bare)
    report.add(
      Row(
        name: "a commit to another table, beyond the bare commit",
        figure: max(0, Measure.median(listed) - least),
        unit: "µs", target: 5, others: ["bare commit": least, "statements": Double(statements)]))
  }

  private static func manyControllers(_ report: inout Report) async throws {
    func cost(of count: Int) async throws -> Double {
      let fresh = try TrackBench(rows: 20_000)
      let store = fresh.store
      try await store.write { db in
        try db.execute(sql: "CREATE INDEX track_section ON track (section, position)")
        try db.execute(sql: "UPDATE track SET section = 'list ' || (position / 10 % 10000)")
      }
      var controllers: [FetchController<Track>] = []
      for number in 0..<count {
        let name = "list \(number)"
        let request = FetchDescriptor<Track>().filter(#Predicate { $0.section == name })
          .ordered(by: .ascending(\.position))
        let controller = FetchController(request, in: store)
        try await controller.performFetch()
        controllers.append(controller)
      }
      let listener = Listener(controllers[0].changes)
      try await listener.next()
      var times: [Double] = []
      for number in 1...1_200 {
        let start = ContinuousClock.now
        try fresh.write(fresh.ids[0], number * 1_000_000)
        times.append(Measure.microseconds(try await listener.next() - start))
      }
      return Measure.median(Array(times.dropFirst(200)))
    }
    let one = try await cost(of: 10)
    let many = try await cost(of: 10_000)
    report.add(
      Row(
        name: "10,000 lists, a commit that touches one", figure: many, unit: "µs", others: ["10 lists": one],
        bounds: [.init(name: "the same with 10 lists", ratio: many / one, most: 1.5)]))
  }
}

/// The time that it takes to resume a waiting task: no delivery to another task is faster.
enum Hop {
  static func median() async throws -> Double {
    let (stream, continuation) = AsyncStream<ContinuousClock.Instant>.makeStream()
    let (back, answer) = AsyncStream<Double>.makeStream()
    let task = Task {
      for await sent in stream { answer.yield(Measure.microseconds(.now - sent)) }
    }
    defer { task.cancel() }
    var answers = back.makeAsyncIterator()
    var times: [Double] = []
    for _ in 0..<2_000 {
      // As with a commit, the task has gone to sleep before it is woken.
      try await Task.sleep(for: .microseconds(200))
      continuation.yield(.now)
      if let time = await answers.next() { times.append(time) }
    }
    return Measure.median(times)
  }
}

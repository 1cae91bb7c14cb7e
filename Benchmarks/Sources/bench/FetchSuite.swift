import Dispatch
import Foundation
import GRDB
import LiveFetch
import LiveFetchSQLite
import Snapshots

/// A row of the measured table.
private struct Track: FetchModel, FetchableRecord, Codable {
  var id: UUID
  var section: String
  var position: Int
  var title: String

  static let fetchTable = FetchTable<Track>(
    "track", id: .column("id", \.id),
    columns: [.column("section", \.section), .column("position", \.position), .column("title", \.title)])

  static let sections = 20
  static let request = FetchDescriptor<Track>().ordered(by: .ascending(\.position)).sectioned(by: \.section)
  static let query = "SELECT id, section, position FROM track ORDER BY section, position, id"
}

/// Lists over SQLite: what a commit costs until its change is delivered, and what the first fetch costs.
///
/// Beside them stands what one does without: the query again, as `ValueObservation` does with each commit, and the
/// identifiers compared.
enum FetchSuite {
  static func run(_ report: inout Report) throws {
    let large = try Bench(rows: 1_000_000)
    // The same writes while nothing is listed: what they cost in any case.
    let bare = try large.bareOneRow()
    let bareMany = try large.transactions()
    try large.firstFetch(&report)
    let median = try large.oneRow()
    let statistics = large.controller.statistics
    let engine = Bench.milliseconds(statistics.indexing) * 1e3 / Double(max(1, statistics.effectiveCommits))
    let small = try Bench(rows: 10_000)
    let smallBare = try small.bareOneRow()
    try small.fetch()
    let smallMedian = try small.oneRow()
    let peer = try large.peer()
    report.add(
      Row(
        name: "one row moves among 1,000,000: commit to delivery", figure: median - bare, unit: "µs",
        target: 100,
        peer: peer * 1e3, peerName: "query again and compare",
        others: [
          "of it the engine": engine, "bare commit": bare, "10,000 rows": smallMedian - smallBare,
          "bare commit at 10,000 rows": smallBare,
        ],
        bounds: [
          .init(name: "the same at 10,000 rows", ratio: (median - bare) / (smallMedian - smallBare), most: 2),
          .init(name: "of the peer", ratio: (median - bare) / (peer * 1e3), most: 0.001),
        ]))
    try large.manyRows(&report, bareMany)
    try large.elsewhere(&report)
    try large.walk(&report)
    try large.manyControllers(&report)
  }
}

/// A database with a table of tracks, and a list of them.
private final class Bench {
  let rows: Int
  let directory: URL
  let store: SQLiteStore
  let ids: [UUID]
  let controller: FetchController<Track>
  private var random = SystemRandomNumberGenerator()

  init(rows: Int) throws {
    self.rows = rows
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let ids = (0..<rows).map { _ in UUID() }
    self.ids = ids
    store = try SQLiteStore(path: directory.appendingPathComponent("bench.sqlite").path) { pool in
      try pool.write { db in
        try db.execute(
          sql: """
            CREATE TABLE track (
              id BLOB PRIMARY KEY NOT NULL, section TEXT NOT NULL, position INTEGER NOT NULL, title TEXT NOT NULL);
            CREATE TABLE other (id INTEGER PRIMARY KEY, value INTEGER);
            INSERT INTO other VALUES (1, 0);
            """)
        let insert = try db.makeStatement(sql: "INSERT INTO track VALUES (?, ?, ?, ?)")
        for (number, id) in ids.enumerated() {
          try insert.execute(arguments: [
            id, "section \(number % Track.sections)", number * 10, "Track \(number)",
          ])
        }
        try db.execute(sql: "CREATE INDEX track_order ON track (section, position, id)")
      }
      try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    }
    controller = FetchController(Track.request, in: store)
  }

  deinit {
    controller.stop()
    try? store.close()
    try? FileManager.default.removeItem(at: directory)
  }

  func wait<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Swift.Result<Result, any Error>>()
    Task {
      do { box.value = .success(try await body()) } catch { box.value = .failure(error) }
      done.signal()
    }
    done.wait()
    guard let value = box.value else { throw CancellationError() }
    return try value.get()
  }

  func fetch() throws {
    _ = try wait { [controller] in try await controller.performFetch() }
  }

  func firstFetch(_ report: inout Report) throws {
    let cursor = try Measure.milliseconds(runs: 3) {
      try store.pool.read { db in
        var count = 0
        let rows = try GRDB.Row.fetchCursor(db, sql: Track.query)
        while let row = try rows.next() {
          let id: UUID = row[0]
          let section: String = row[1]
          let position: Int = row[2]
          count &+= id.hashValue &+ section.utf8.count &+ position
        }
        Measure.use(count)
      }
    }
    let before = Measure.residentBytes()
    try fetch()
    let bytes = Double(Measure.residentBytes() - before)
    let again = try Measure.milliseconds(runs: 3) {
      try wait { [store] in
        let fresh = FetchController(Track.request.limit(2_000_000), in: store)
        try await fresh.performFetch()
      }
    }
    report.add(
      Row(
        name: "first fetch of 1,000,000 rows, snapshot and index", figure: again, unit: "ms", target: nil,
        peer: cursor,
        peerName: "bare cursor", bounds: [.init(name: "of a bare cursor", ratio: again / cursor, most: 2)]))
    report.add(
      Row(
        name: "memory a row, snapshot and index", figure: bytes / Double(rows), unit: "bytes", target: 96,
        others: ["of it the index": Double(controller.statistics.indexBytes) / Double(rows)]))
  }

  func write(_ id: UUID, _ position: Int) throws {
    try store.pool.write { db in
      try db.cachedStatement(sql: "UPDATE track SET position = ? WHERE id = ?").execute(arguments: [
        position, id,
      ])
    }
  }

  /// One row after another takes another place, in a table that nobody lists.
  func bareOneRow(count: Int = 1_000) throws -> Double {
    try Measure.microseconds(calls: count) { [rows, ids] _ in
      try write(ids[Int.random(in: 0..<rows)], .random(in: 0..<rows * 10))
    }
  }

  /// One row after another takes another place; the median time from before the write to after the delivery.
  func oneRow(count: Int = 1_000) throws -> Double {
    let listener = Listener(controller)
    listener.wait()
    defer { listener.cancel() }
    return try Measure.microseconds(calls: count) { [rows, ids] _ in
      try write(ids[Int.random(in: 0..<rows)], .random(in: 0..<rows * 10))
      listener.wait()
    }
  }

  /// Transactions of 1,000 rows; the median time in milliseconds from before each to after what is done then.
  func transactions(_ after: () -> Void = {}) throws -> Double {
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<9 {
      let start = clock.now
      try store.pool.write { db in
        let statement = try db.cachedStatement(sql: "UPDATE track SET position = ? WHERE id = ?")
        for _ in 0..<1_000 {
          try statement.execute(arguments: [Int.random(in: 0..<rows * 10), ids[Int.random(in: 0..<rows)]])
        }
      }
      after()
      times.append(Self.milliseconds(clock.now - start))
    }
    return Measure.median(times)
  }

  func manyRows(_ report: inout Report, _ bare: Double) throws {
    let listener = Listener(controller)
    listener.wait()
    let listed = try transactions { listener.wait() }
    listener.cancel()
    report.add(
      Row(
        name: "one transaction of 1,000 rows, beyond the bare transaction", figure: listed - bare, unit: "ms",
        target: 15, others: ["bare transaction": bare]))
  }

  static func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) * 1e-15
  }

  func elsewhere(_ report: inout Report) throws {
    let fresh = try Bench(rows: 10)
    let bare = try Measure.microseconds(calls: 4_000) { number in
      try fresh.store.pool.write { db in
        try db.cachedStatement(sql: "UPDATE other SET value = ? WHERE id = ?").execute(arguments: [number, 1])
      }
    }
    try fresh.fetch()
    let statements = fresh.controller.statistics.statements
    let watched = try Measure.microseconds(calls: 4_000) { number in
      try fresh.store.pool.write { db in
        try db.cachedStatement(sql: "UPDATE other SET value = ? WHERE id = ?").execute(arguments: [number, 1])
      }
    }
    report.add(
      Row(
        name: "a commit to another table, beyond the bare commit", figure: max(0, watched - bare), unit: "µs",
        target: 5,
        others: [
          "bare commit": bare, "statements": Double(fresh.controller.statistics.statements - statements),
        ]))
  }

  func walk(_ report: inout Report) throws {
    guard let snapshot = controller.snapshot else { return }
    let walked = Array(snapshot.items.prefix(5_000))
    let values = walked.map { $0 }
    let (ours, bulk) = try Measure.milliseconds(runs: 5) {
      let fresh = FetchController(Track.request, in: store)
      _ = try wait { try await fresh.performFetch() }
      let clock = ContinuousClock()
      _ = clock.measure { for id in values { Measure.use(fresh.object(for: id)?.position) } }
    } against: {
      _ = try store.pool.read { db in
        try Track.fetchAll(db, sql: "SELECT * FROM track ORDER BY section, position, id LIMIT 5000")
      }
    }
    report.add(
      Row(
        name: "5,000 objects walked, 40 at a time", figure: ours, unit: "ms", peer: bulk,
        peerName: "one bulk fetch",
        bounds: [.init(name: "of one bulk fetch", ratio: ours / bulk, most: 1.5)]))
  }

  func manyControllers(_ report: inout Report) throws {
    func cost(of count: Int) throws -> Double {
      let fresh = try Bench(rows: 20_000)
      let store = fresh.store
      try store.pool.write { db in
        try db.execute(sql: "CREATE INDEX track_section ON track (section, position)")
        try db.execute(sql: "UPDATE track SET section = 'list ' || (position / 10 % 10000)")
      }
      let controllers = try wait {
        var controllers: [FetchController<Track>] = []
        for number in 0..<count {
          let name = "list \(number)"
          let request = FetchDescriptor<Track>().filter(#Predicate { $0.section == name })
            .ordered(by: .ascending(\.position))
          let controller = FetchController(request, in: store)
          try await controller.performFetch()
          controllers.append(controller)
        }
        return controllers
      }
      let listener = Listener(controllers[0])
      listener.wait()
      return try Measure.microseconds(calls: 1_000) { number in
        try store.pool.write { db in
          try db.cachedStatement(sql: "UPDATE track SET position = ? WHERE id = ?")
            .execute(arguments: [(number + 1) * 100_000 + Int.random(in: 1..<100_000), fresh.ids[0]])
        }
        listener.wait()
      }
    }
    let one = try cost(of: 10)
    let many = try cost(of: 10_000)
    report.add(
      Row(
        name: "10,000 lists, a commit that touches one", figure: many, unit: "µs", others: ["10 lists": one],
        bounds: [.init(name: "the same with 10 lists", ratio: many / one, most: 1.5)]))
  }

  /// What a commit costs when the query is run again and the identifiers are compared, in milliseconds.
  func peer() throws -> Double {
    var known = try store.pool.read { db in try UUID.fetchAll(db, sql: Track.query) }
    return try Measure.milliseconds(runs: 3) {
      try write(ids[Int.random(in: 0..<rows)], .random(in: 0..<rows * 10))
      let new = try store.pool.read { db in try UUID.fetchAll(db, sql: Track.query) }
      // Heckel's matching by identifier: which are new, which are gone, which have moved.
      var places: [UUID: Int] = [:]
      places.reserveCapacity(known.count)
      for (place, id) in known.enumerated() { places[id] = place }
      var moved = 0
      var offset = 0
      for (place, id) in new.enumerated() {
        guard let old = places.removeValue(forKey: id) else { continue }
        if old + offset != place {
          moved += 1
          offset = place - old
        }
      }
      Measure.use((moved, places.count))
      known = new
    }
  }
}

/// Listens on a task of its own and signals each delivery.
private final class Listener {
  private let semaphore = DispatchSemaphore(value: 0)
  private var task: Task<Void, Never>?

  init(_ controller: FetchController<Track>) {
    let changes = controller.changes
    let semaphore = semaphore
    task = Task {
      do { for try await change in changes where change.failures.isEmpty { semaphore.signal() } } catch {}
    }
  }

  func wait() { semaphore.wait() }
  func cancel() { task?.cancel() }
}

/// A value handed from one thread to another, which waits for it.
private final class Box<Value>: @unchecked Sendable {
  var value: Value?
}

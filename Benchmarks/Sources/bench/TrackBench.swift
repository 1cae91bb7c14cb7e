import Foundation
import GRDB
import LiveFetch
import LiveFetchSQLite
import OrderedCollections
import Snapshots
import Synchronization

/// A row of the measured table.
struct Track: FetchModel, FetchableRecord, Codable {
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

/// A database with a table of tracks, and a list of them.
final class TrackBench {
  let rows: Int
  let directory: URL
  let store: SQLiteStore
  let ids: [UUID]
  let controller: FetchController<Track>
  /// Positions that no row has had: a write is then never one that changes nothing, for which no delivery comes.
  private var fresh: Int
  private var random = Seeded(state: 1)

  init(rows: Int) throws {
    self.rows = rows
    fresh = 0
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    var random = Seeded(state: 2)
    let ids = (0..<rows).map { _ in random.uuid() }
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
            id, "section \(number % Track.sections)", number * 1_000, "Track \(number)",
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

  func someID() -> UUID { ids[Int.random(in: 0..<rows, using: &random)] }

  /// A position anywhere in the list, other than all there are: those at first are multiples of 1,000.
  func somePosition() -> Int {
    fresh = fresh % 998 + 1
    return Int.random(in: 0..<rows, using: &random) * 1_000 + fresh
  }

  func write(_ id: UUID, _ position: Int) throws {
    try store.pool.write { db in
      try db.cachedStatement(sql: "UPDATE track SET position = ? WHERE id = ?").execute(arguments: [
        position, id,
      ])
    }
  }

  // MARK: Fetching

  /// Reads every row's identifier, section and position by a cursor of GRDB: no fetch can take less.
  func readByCursor() throws {
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

  func firstFetch(_ report: inout Report) async throws {
    let cursor = try Measure.milliseconds(runs: 5) { try readByCursor() }
    let before = Measure.residentBytes()
    try await controller.performFetch()
    let bytes = Double(Measure.residentBytes() - before)
    var times: [Double] = []
    for run in 0..<6 {
      // A limit that is never reached makes it another list, which is not shared.
      let other = FetchController(Track.request.limit(2_000_000 + run), in: store)
      let start = ContinuousClock.now
      try await other.performFetch()
      times.append(Measure.milliseconds(.now - start))
    }
    let again = Measure.median(Array(times.dropFirst()))
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

  /// From how many touched rows on reading the list anew is cheaper than carrying them out: both from the commit until
  /// the listener has the difference.
  func readingAnew(_ report: inout Report) async throws {
    let listener = Listener(controller.changes)
    try await listener.next()
    defer { listener.cancel() }
    var perRow: [Int: Double] = [:]
    let counts = [rows / 1_000, rows / 250, rows / 100].map { max(2, $0) }
    for count in counts {
      var times: [Double] = []
      for _ in 0..<5 {
        try Self.update((0..<count).map { _ in (someID(), somePosition()) }, in: store.pool)
        try await listener.next()
        times.append(Measure.microseconds(listener.latency) / Double(count))
      }
      perRow[count] = Measure.median(times)
    }
    var times: [Double] = []
    for _ in 0..<5 {
      let start = ContinuousClock.now
      try await controller.performFetch()
      times.append(Measure.microseconds(try await listener.next() - start))
    }
    let anew = Measure.median(times)
    let most = perRow[counts[2]] ?? 0
    var others = ["read anew, µs": anew, "rows of the list to one of these": Double(rows) * most / anew]
    for count in counts { others["µs a row of \(count)"] = perRow[count] ?? 0 }
    report.add(
      Row(
        name: "touched rows, from which on reading \(rows) anew is cheaper", figure: anew / most,
        unit: "rows",
        others: others))
  }

  // MARK: Commits

  /// One row after another takes another place: the median time beyond the bare commit from before the write to when
  /// the listener has the change, and the median of the bare commit. The two are measured in turn: without the hook a
  /// commit is bare.
  func oneRow(count: Int = 1_000) async throws -> (beyond: Double, bare: Double) {
    let bare = try Bare(self)
    let listener = Listener(controller.changes)
    try await listener.next()
    defer { listener.cancel() }
    var times: (bare: [Double], listed: [Double]) = ([], [])
    for number in 0..<(count + 200) {
      let (id, position) = (someID(), somePosition())
      var start = ContinuousClock.now
      try bare.write(id, position)
      let bareTime = Measure.microseconds(.now - start)
      start = .now
      try write(id, position)
      let time = Measure.microseconds(try await listener.next() - start)
      if number >= 200 {
        times.bare.append(bareTime)
        times.listed.append(time)
      }
    }
    let least = Measure.median(times.bare)
    return (Measure.median(times.listed) - least, least)
  }

  static func update(_ rows: [(UUID, Int)], in pool: DatabasePool) throws {
    try pool.write { db in
      let statement = try db.cachedStatement(sql: "UPDATE track SET position = ? WHERE id = ?")
      for (id, position) in rows { try statement.execute(arguments: [position, id]) }
    }
  }

  func manyRows(_ report: inout Report) async throws {
    let bare = try Bare(self)
    let listener = Listener(controller.changes)
    try await listener.next()
    var times: (bare: [Double], listed: [Double], latency: [Double]) = ([], [], [])
    let before = controller.statistics
    for number in 0..<41 {
      let rows = (0..<1_000).map { _ in (someID(), somePosition()) }
      var start = ContinuousClock.now
      try Self.update(rows, in: bare.pool)
      let bareTime = Measure.milliseconds(.now - start)
      start = .now
      try Self.update(rows, in: store.pool)
      let time = Measure.milliseconds(try await listener.next() - start)
      if number >= 1 {
        times.bare.append(bareTime)
        times.listed.append(time)
        times.latency.append(Measure.milliseconds(listener.latency))
      }
    }
    let after = controller.statistics
    listener.cancel()
    let least = Measure.median(times.bare)
    report.add(
      Row(
        name: "one transaction of 1,000 rows, beyond the bare transaction",
        figure: Measure.median(times.listed) - least, unit: "ms", target: 15,
        others: [
          "bare transaction": least, "commit to delivery": Measure.median(times.latency),
          "of it the engine": Measure.milliseconds(after.indexing - before.indexing)
            / Double(max(1, after.effectiveCommits - before.effectiveCommits)),
        ]))
  }

  // MARK: Objects

  func walk(_ report: inout Report) async throws {
    guard let snapshot = controller.snapshot else { return }
    let walked = Array(snapshot.items.prefix(5_000))
    var times: (ours: [Double], bulk: [Double]) = ([], [])
    for run in 0..<24 {
      let fresh = FetchController(Track.request, in: store)
      try await fresh.performFetch()
      // The fetch has read a million rows since these were: both are to find them in memory.
      try bulk()
      var start = ContinuousClock.now
      for id in walked { Measure.use(fresh.object(for: id)?.position) }
      let ours = Measure.milliseconds(.now - start)
      start = .now
      try bulk()
      if run > 0 {
        times.ours.append(ours)
        times.bulk.append(Measure.milliseconds(.now - start))
      }
    }
    let (ours, bulk) = (Measure.median(times.ours), Measure.median(times.bulk))
    report.add(
      Row(
        name: "5,000 objects walked, 40 at a time", figure: ours, unit: "ms", peer: bulk,
        peerName: "one bulk fetch",
        bounds: [.init(name: "of one bulk fetch", ratio: ours / bulk, most: 1.5)]))
  }

  private func bulk() throws {
    let tracks = try store.pool.read { db in
      try Track.fetchAll(db, sql: "SELECT * FROM track ORDER BY section, position, id LIMIT 5000")
    }
    Measure.use(tracks)
  }

  // MARK: The peer

  /// Measures a commit with `ValueObservation`, which runs the query again, and `OrderedSet`'s difference, in
  /// microseconds beyond the bare commit.
  func peer() throws -> Double {
    let bare = try Bare(self)
    let news = DispatchSemaphore(value: 0)
    let peer = Peer()
    let observation = ValueObservation.tracking { db in try UUID.fetchAll(db, sql: Track.query) }
    let cancellable = observation.start(
      in: store.pool, scheduling: .async(onQueue: .global()), onError: { _ in },
      onChange: { ids in
        let new = OrderedSet(ids)
        Measure.use(new.difference(from: peer.replace(with: new)))
        news.signal()
      })
    defer { cancellable.cancel() }
    // The first value, which a pool may deliver twice.
    news.wait()
    _ = news.wait(timeout: .now() + 5)
    var times: [Double] = []
    var bareTimes: [Double] = []
    for _ in 0..<4 {
      let (id, position) = (someID(), somePosition())
      var start = ContinuousClock.now
      try bare.write(id, position)
      bareTimes.append(Measure.microseconds(.now - start))
      start = .now
      try write(id, position)
      news.wait()
      times.append(Measure.microseconds(.now - start))
    }
    return Measure.median(times) - Measure.median(bareTimes)
  }
}

/// The peer's list, handed from change to change.
private final class Peer: Sendable {
  private let known = Mutex(OrderedSet<UUID>())

  func replace(with new: OrderedSet<UUID>) -> OrderedSet<UUID> {
    known.withLock { known in
      defer { known = new }
      return known
    }
  }
}

/// A copy of a bench's database through GRDB alone: what the same writes cost in any case.
final class Bare {
  let pool: DatabasePool
  private let path: String

  init(_ bench: TrackBench) throws {
    path = bench.directory.appendingPathComponent("bare-\(UUID().uuidString).sqlite").path
    try bench.store.pool.writeWithoutTransaction { [path] db in
      _ = try db.checkpoint(.truncate)
      try FileManager.default.copyItem(
        atPath: bench.directory.appendingPathComponent("bench.sqlite").path, toPath: path)
    }
    pool = try DatabasePool(path: path)
  }

  deinit {
    try? pool.close()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  func write(_ id: UUID, _ position: Int) throws {
    try pool.write { db in
      try db.cachedStatement(sql: "UPDATE track SET position = ? WHERE id = ?").execute(arguments: [
        position, id,
      ])
    }
  }
}

/// Listens on a task of its own, and says when each change was there.
final class Listener<ID: FetchIdentifier>: Sendable {
  private let arrivals: AsyncStream<(ContinuousClock.Instant, Duration)>
  private let last = Mutex(Duration.zero)
  private let task: Task<Void, any Error>

  init(_ changes: FetchChanges<ID>) {
    let (arrivals, continuation) = AsyncStream<(ContinuousClock.Instant, Duration)>.makeStream()
    self.arrivals = arrivals
    task = Task {
      for try await change in changes {
        if let failure = change.failures.first { throw failure }
        continuation.yield((.now, change.cost.latency))
      }
      continuation.finish()
    }
  }

  /// The time from commit to delivery of the change that came last.
  var latency: Duration { last.withLock { $0 } }

  /// Waits for the next change, and says when it was there.
  @discardableResult
  func next() async throws -> ContinuousClock.Instant {
    for await (instant, latency) in arrivals {
      last.withLock { $0 = latency }
      return instant
    }
    try await task.value
    throw CancellationError()
  }

  func cancel() { task.cancel() }
}

/// A generator that a number determines.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func uuid() -> UUID {
    let bytes = (next(), next())
    return withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

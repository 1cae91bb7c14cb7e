import Foundation
import GRDB
import LiveFetch
import LiveFetchSQLite
import Snapshots

/// The cost of lists with each kind of identifier, in processor time: the kinds that are compiled apart, and `Int32` for
/// those that are not (decision 0007). Its figures are for comparing versions, `scripts/bench-versions`.
enum IdentifierSuite {
  static func run(_ report: inout Report) async throws {
    var random = Seeded(state: 3)
    try await measure("UUID", "BLOB", &report) { _ in random.uuid() }
    try await measure("Int", "INTEGER", &report) { Int($0) &* 7919 }
    try await measure("Int64", "INTEGER", &report) { Int64($0) &* 7919 }
    try await measure("String", "TEXT", &report) { _ in random.uuid().uuidString }
    try await measure("Int32", "INTEGER", &report) { Int32($0) &* 7919 }
  }

  private static let count = 100_000

  /// One kind alone, or one of its rows by a part of the name, for whoever profiles it: `bench identifiers String find`.
  private static let arguments = Array(CommandLine.arguments.dropFirst(2))

  private static func isWanted(_ row: String) -> Bool { arguments.count < 2 || row.contains(arguments[1]) }

  private static func measure<ID: FetchIdentifier & DatabaseValueConvertible>(
    _ kind: String, _ columnType: String, _ report: inout Report, identifier: (Int) -> ID
  ) async throws {
    guard arguments.first ?? kind == kind else { return }
    func add(_ name: String, _ milliseconds: () throws -> Double) rethrows {
      guard isWanted(name) else { return }
      report.add(Row(name: "\(kind): \(name)", figure: try milliseconds(), unit: "ms"))
    }
    let ids = (0..<count + count / 10).map(identifier)
    try snapshots(Array(ids[..<count]), fresh: Array(ids[count...]), add)
    try await lists(Array(ids[..<count]), columnType, add)
  }

  // MARK: Snapshots

  private static func snapshots<ID: Hashable & Sendable>(
    _ ids: [ID], fresh: [ID], _ add: (String, () throws -> Double) throws -> Void
  ) throws {
    typealias Snapshot = DiffableSnapshot<Int, ID>
    let snapshot = try Snapshot(sections: [(0, ids)])
    try add("build 100,000") {
      try Processor.least(runs: 15) { Measure.use(try Snapshot(sections: [(0, ids)])) }
    }
    try add("find 100,000") {
      Processor.least(runs: 15) {
        var sum = 0
        for id in ids { sum &+= snapshot.indexOfItem(id) ?? 0 }
        Measure.use(sum)
      }
    }
    let other = try Snapshot(sections: [(0, changed(ids, fresh))])
    try add("difference of unrelated, 10 %") {
      Processor.least(runs: 15) { Measure.use(other.difference(from: snapshot)) }
    }
    var moved = snapshot
    try add("10,000 moves, one after another") {
      try Processor.least(runs: 9) {
        moved = snapshot
        for number in 0..<10_000 {
          let (item, target) = (ids[number &* 7919 % ids.count], ids[(number &* 104_729 &+ 1) % ids.count])
          if item != target { try moved.moveItem(item, beforeItem: target) }
        }
      }
    }
    try add("the difference of these") {
      Processor.least(runs: 15) { Measure.use(moved.difference(from: snapshot)) }
    }
  }

  /// The items with a tenth swapped, a tenth gone, and fresh ones among them.
  private static func changed<ID>(_ ids: [ID], _ fresh: [ID]) -> [ID] {
    var random = Seeded(state: 5)
    var result = ids.filter { _ in Int.random(in: 0..<10, using: &random) != 0 }
    for _ in 0..<ids.count / 10 {
      let from = Int.random(in: 0..<result.count, using: &random)
      result.swapAt(from, Int.random(in: 0..<result.count, using: &random))
    }
    let step = result.count / fresh.count
    return result.indices.flatMap { index in
      index % step == 0 && index / step < fresh.count
        ? [fresh[index / step], result[index]] : [result[index]]
    }
  }

  // MARK: Lists

  private static func lists<ID: FetchIdentifier & DatabaseValueConvertible>(
    _ ids: [ID], _ columnType: String, _ add: (String, () throws -> Double) throws -> Void
  ) async throws {
    guard ["fetch", "commit"].contains(where: { isWanted($0) }) else { return }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteStore(path: folder.appendingPathComponent("bench.sqlite").path) { pool in
      try pool.write { db in
        try db.execute(
          sql: "CREATE TABLE entry (id \(columnType) PRIMARY KEY NOT NULL, position INTEGER NOT NULL)")
        let insert = try db.makeStatement(sql: "INSERT INTO entry VALUES (?, ?)")
        for (number, id) in ids.enumerated() { try insert.execute(arguments: [id, number * 1_000]) }
      }
    }
    defer { try? store.close() }
    let request = FetchDescriptor<Entry<ID>>().ordered(by: .ascending(\.position))
    var first: [Double] = []
    for run in 0..<7 {
      // A limit that is never reached makes it another list, which is not shared.
      let list = FetchController(request.limit(2_000_000 + run), in: store)
      first.append(try await Processor.milliseconds { try await list.performFetch() })
      list.stop()
    }
    try add("first fetch of 100,000") { first.min() ?? 0 }

    let list = FetchController(request, in: store)
    try await list.performFetch()
    let listener = Listener(list.changes)
    try await listener.next()
    defer { listener.cancel() }
    var random = Seeded(state: 7)
    var fresh = 0
    func rows(_ count: Int) -> [(ID, Int)] {
      (0..<count).map { _ in
        fresh = fresh % 998 + 1
        return (
          ids[Int.random(in: 0..<ids.count, using: &random)],
          Int.random(in: 0..<ids.count, using: &random) * 1_000 + fresh
        )
      }
    }
    for (count, runs) in [(1, 1_000), (1_000, 25)] {
      var engine: [Double] = []
      for _ in 0..<runs {
        let moved = rows(count)
        let before = list.statistics.indexing
        try await store.write { db in
          let update = try db.cachedStatement(sql: "UPDATE entry SET position = ? WHERE id = ?")
          for (id, position) in moved { try update.execute(arguments: [position, id]) }
        }
        try await listener.next()
        engine.append(Measure.milliseconds(list.statistics.indexing - before))
      }
      // Single commits are short: their lower quartile is steadier than the least of them.
      engine.sort()
      try add("the engine's part of a commit of \(count)") { engine[engine.count / 4] }
    }
    var again: [Double] = []
    for _ in 0..<7 {
      again.append(try await Processor.milliseconds { try await list.performFetch() })
    }
    try add("fetching again") { again.min() ?? 0 }
  }
}

/// A row with an identifier of any kind.
private struct Entry<ID: FetchIdentifier>: FetchModel {
  var id: ID
  var position: Int

  static var fetchTable: FetchTable<Entry<ID>> {
    FetchTable("entry", id: .column("id", \.id), columns: [.column("position", \.position)])
  }

  init(fetchRow row: FetchRow) throws {
    id = try row["id"]
    position = try row["position"]
  }
}

/// Processor time of the whole process: other programs on the machine add little to it.
enum Processor {
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// The least time in milliseconds of several runs, after one to warm up.
  static func least(runs: Int, _ body: () throws -> Void) rethrows -> Double {
    try body()
    return try (0..<runs).map { _ in
      let start = now()
      try body()
      return now() - start
    }.min() ?? 0
  }

  static func milliseconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = now()
    try await body()
    return now() - start
  }
}

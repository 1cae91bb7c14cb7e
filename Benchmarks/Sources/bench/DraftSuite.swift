import Foundation
import GRDB
import LiveDrafts
import LiveFetch
import LiveFetchSQLite
import Snapshots

extension Track: DraftModel {}

/// Drafts over SQLite: the cost of an edit, a save and a read beside the same without a draft.
///
/// `BENCH_ROWS` gives another size than a million, `BENCH_ONLY` a part of a row's name: for profiling. What is compared is done in
/// turn, and bounded by the time of the processors as well: the clock's hangs on what else the machine does.
enum DraftSuite {
  static func run(_ report: inout Report) async throws {
    if FetchSuite.isWanted("edit") { try await edits(&report) }
    if FetchSuite.isWanted("save") { try await saves(&report) }
    if FetchSuite.isWanted("read") { try await reads(&report) }
  }

  /// Times of the same work, by the clock and of the processors, in milliseconds.
  private struct Series {
    private(set) var clock: [Double] = []
    private(set) var processor: [Double] = []

    mutating func measure(_ body: () async throws -> Void) async throws {
      let (start, used) = (ContinuousClock.now, Measure.processorMilliseconds())
      try await body()
      clock.append(Measure.milliseconds(.now - start))
      processor.append(Measure.processorMilliseconds() - used)
    }

    func figures(without first: Int = 3) -> (clock: Double, processor: Double) {
      (Measure.median(Array(clock.dropFirst(first))), Measure.median(Array(processor.dropFirst(first))))
    }
  }

  /// One row is edited and moves: until the call returns, when the list has it.
  private static func edits(_ report: inout Report) async throws {
    func times(_ rows: Int) async throws -> (edit: Double, again: Double, engine: Double) {
      let tracks = try TrackBench(rows: rows)
      let draft = FetchDraft(of: tracks.store)
      let list = FetchController(Track.request, in: draft)
      try await list.performFetch()
      var (first, again): ([Double], [Double]) = ([], [])
      for _ in 0..<2_200 {
        let id = tracks.someID()
        for isAgain in [false, true] {
          let position = tracks.somePosition()
          let before = list.position
          let start = ContinuousClock.now
          try draft.edit("Move") { edit in try edit.update(Track.self, id: id) { $0.position = position } }
          let time = Measure.microseconds(.now - start)
          guard list.position != before else { continue }
          if isAgain { again.append(time) } else { first.append(time) }
        }
      }
      let statistics = list.statistics
      let engine =
        Measure.milliseconds(statistics.indexing) * 1e3 / Double(max(1, statistics.effectiveCommits))
      return (
        Measure.median(Array(first.dropFirst(200))), Measure.median(Array(again.dropFirst(200))), engine
      )
    }
    let large = try await times(FetchSuite.rows)
    let small = try await times(10_000)
    report.add(
      Row(
        name: "an edit of one row among 1,000,000, until lists have it", figure: large.edit, unit: "µs",
        target: 100,
        others: [
          "of it the engine, on average": large.engine, "a row that is pending": large.again,
          "10,000 rows": small.edit,
        ]))
  }

  /// 1,000 rows are saved, beside as many that are written by one statement each: with the same list over a store of their own, and
  /// by GRDB alone.
  private static func saves(_ report: inout Report) async throws {
    let (tracks, plain) = (try TrackBench(rows: 100_000), try TrackBench(rows: 100_000))
    let bare = try Bare(plain)
    let draft = FetchDraft(of: tracks.store)
    let list = FetchController(Track.request, in: draft)
    try await list.performFetch()
    try await plain.controller.performFetch()
    func write(_ rows: [(UUID, Int)], in pool: DatabasePool) async throws {
      try await pool.write { db in
        for (id, position) in rows {
          try db.cachedStatement(sql: "UPDATE track SET position = ? WHERE id = ?").execute(arguments: [
            position, id,
          ])
        }
      }
    }
    var (saved, written, alone, edited) = (Series(), Series(), Series(), Series())
    for _ in 0..<25 {
      var ids: Set<UUID> = []
      while ids.count < 1_000 { ids.insert(tracks.someID()) }
      let rows = ids.map { ($0, tracks.somePosition()) }
      try await edited.measure {
        try draft.edit { edit in
          for (id, position) in rows { try edit.update(Track.self, id: id) { $0.position = position } }
        }
      }
      try await saved.measure { try await draft.save() }
      try await written.measure { try await write(rows, in: plain.store.pool) }
      try await alone.measure { try await write(rows, in: bare.pool) }
    }
    let (save, listed, bareWrite) = (saved.figures(), written.figures(), alone.figures())
    report.add(
      Row(
        name: "a save of 1,000 rows among 100,000, with a list", figure: save.clock, unit: "ms",
        peer: listed.clock, peerName: "written plainly, with the same list",
        others: [
          "by GRDB alone, without a list": bareWrite.clock,
          "the edit of the 1,000 rows": edited.figures().clock,
          "processor, a save": save.processor, "processor, written plainly": listed.processor,
          "processor, by GRDB alone": bareWrite.processor,
        ],
        bounds: [
          .init(name: "written plainly", ratio: save.clock / listed.clock, most: 1.5),
          .init(name: "of its processor time", ratio: save.processor / listed.processor, most: 1.5),
        ]))
  }

  /// A list is read through a draft: with nothing pending, and with 1,000 rows.
  private static func reads(_ report: inout Report) async throws {
    let tracks = try TrackBench(rows: 100_000)
    let (empty, full) = (FetchDraft(of: tracks.store), FetchDraft(of: tracks.store))
    var ids: Set<UUID> = []
    while ids.count < 1_000 { ids.insert(tracks.someID()) }
    try full.edit { edit in
      for id in ids { try edit.update(Track.self, id: id) { $0.position = tracks.somePosition() } }
    }
    var series = [Series(), Series(), Series()]
    for run in 0..<33 {
      let floor = -1 - run
      for (number, store) in ([tracks.store, empty, full] as [any FetchStore]).enumerated() {
        // A limit that is never reached makes it another list, which is not shared.
        let list = FetchController(Track.request.filter(#Predicate { $0.position > floor }), in: store)
        try await series[number].measure { try await list.performFetch() }
      }
    }
    let figures = series.map { $0.figures() }
    for (number, name, most) in [(1, "nothing pending", 1.1), (2, "1,000 pending", 2)] {
      report.add(
        Row(
          name: "a read of 100,000 rows, \(name)", figure: figures[number].clock, unit: "ms",
          peer: figures[0].clock, peerName: "without a draft",
          bounds: [
            .init(name: "without a draft", ratio: figures[number].clock / figures[0].clock, most: most),
            .init(
              name: "of its processor time", ratio: figures[number].processor / figures[0].processor,
              most: most),
          ]))
    }
  }
}

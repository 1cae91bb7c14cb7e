import Foundation
import LiveFetch
import LiveFetchSQLite
import OrderedCollections
import Snapshots

/// The curves of Documentation/Figures.md: what grows with the length of a list, and what does not. `scripts/figures`
/// draws them from this suite's JSON.
///
/// `FIGURES_MOST` is the longest list, ten million rows by default; the JSON is written after each length, so that a run
/// that is broken off leaves what it has measured.
enum FiguresSuite {
  static let most = FetchSuite.environment["FIGURES_MOST"].flatMap(Int.init) ?? 10_000_000

  static func run(_ report: inout Report) async throws {
    for count in [1_000, 3_000, 10_000, 30_000] { try difference(count, isPeerMeasured: true, &report) }
    for count in [100_000, 300_000, 1_000_000] { try difference(count, isPeerMeasured: false, &report) }
    try report.write()
    var rows = 1_000
    while rows <= most {
      try await list(rows, &report)
      try report.write()
      rows *= 10
    }
  }

  /// A list of so many rows: its first fetch, its memory, and a commit that moves one row.
  private static func list(_ rows: Int, _ report: inout Report) async throws {
    let bench = try TrackBench(rows: rows)
    let cursor = try Measure.milliseconds(runs: 3) { try bench.readByCursor() }
    let before = Measure.allocatedBytes()
    try await bench.controller.performFetch()
    let bytes = before.flatMap { before in Measure.allocatedBytes().map { Double($0 - before) } }
    var fetches: [Double] = []
    for run in 0..<(rows < 1_000_000 ? 9 : 3) {
      // A limit that is never reached makes it another list, which is not shared.
      let other = FetchController(Track.request.limit(2 * rows + run), in: bench.store)
      let start = ContinuousClock.now
      try await other.performFetch()
      fetches.append(Measure.milliseconds(.now - start))
      other.stop()
    }
    let fetch = Measure.median(fetches)
    report.add(
      Row(name: "first fetch, \(rows)", figure: fetch, unit: "ms", peer: cursor, peerName: "bare cursor"))
    if let bytes {
      report.add(Row(name: "memory, \(rows)", figure: bytes / 1e6, unit: "MB"))
    }
    let commit = try await bench.oneRow()
    // Each change reads the whole list: fewer rounds are enough there, and each takes seconds at the end.
    let peer = try bench.peer()
    report.add(
      Row(
        name: "commit, \(rows)", figure: commit.beyond, unit: "µs", peer: peer,
        peerName: "ValueObservation and OrderedSet.difference", others: ["bare commit": commit.bare]))
  }

  /// Two lists of which a tenth is gone, a tenth new, a tenth elsewhere. The standard library's difference takes time and
  /// memory with the square of the changes: it has no place at the longer ones.
  private static func difference(_ count: Int, isPeerMeasured: Bool, _ report: inout Report) throws {
    let ids = SnapshotSuite.uuids(count, seed: 7)
    let other = SnapshotSuite.changed(ids)
    let old = try SnapshotSuite.Snapshot(sections: SnapshotSuite.split(ids, into: 1))
    let new = try SnapshotSuite.Snapshot(sections: SnapshotSuite.split(other, into: 1))
    let own = Measure.milliseconds(runs: 9) { Measure.use(new.difference(from: old)) }
    let peer =
      isPeerMeasured
      ? Measure.milliseconds(runs: 5) { Measure.use(other.difference(from: ids).inferringMoves()) } : nil
    report.add(
      Row(
        name: "difference, \(count)", figure: own, unit: "ms", peer: peer,
        peerName: peer.map { _ in "CollectionDifference" }))
  }
}

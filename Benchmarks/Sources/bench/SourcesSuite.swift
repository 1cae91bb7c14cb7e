import Foundation
import ListSources
import ListStream
import Snapshots

/// The promises of data sources: the time that they add to the difference and to the view's own work.
enum SourcesSuite {
  typealias Snapshot = DiffableSnapshot<String, UUID>
  typealias Difference = SnapshotDifference<String, UUID>

  /// A view that does nothing, so that the data source's own work is left.
  final class Nothing: ListTarget {
    func reload(_ update: ListUpdate<String, UUID, Int>) async throws {}
    func perform(_ update: ListUpdate<String, UUID, Int>) async throws {}
  }

  /// A view that asks for its batches and does nothing with them.
  final class Planning: ListTarget {
    func reload(_ update: ListUpdate<String, UUID, Int>) async throws {}
    func perform(_ update: ListUpdate<String, UUID, Int>) async throws { Measure.use(update.stages()) }
  }

  struct Change: SnapshotChange {
    var previousSnapshot: Snapshot?
    var snapshot: Snapshot
    var difference: Difference
    var origins: [String]
  }

  static func run(_ report: inout Report) async throws {
    try await oneItem(&report)
    try unrelated(&report)
    try await streaming(&report)
  }

  /// Changes of one item each, one after the other, of a list of a million, with the differences a controller has.
  private static func changes(_ ids: [UUID], count: Int) throws -> (first: Snapshot, changes: [Change]) {
    let first = try Snapshot(sections: [("", ids)])
    var previous = first
    var changes: [Change] = []
    for number in 0..<count {
      var next = previous
      let item = ids[number * 7919 % ids.count]
      let other = ids[(number * 104_729 + 13) % ids.count]
      if item != other { try next.moveItem(item, beforeItem: other) }
      try next.reconfigureItems([item])
      let difference = next.difference(from: previous)
      changes.append(
        Change(previousSnapshot: previous, snapshot: next, difference: difference, origins: ["act"]))
      previous = next.removingMarks()
    }
    return (first, changes)
  }

  private static func oneItem(_ report: inout Report) async throws {
    let ids = SnapshotSuite.uuids(1_000_000, seed: 11)
    let (first, changes) = try changes(ids, count: 2000)
    let known = await median(changes, to: DiffableDataSource(target: Nothing()) { _ in 0 }, from: first)
    let planned = await median(changes, to: DiffableDataSource(target: Planning()) { _ in 0 }, from: first)
    let foreign = changes.map { change in
      var change = change
      change.previousSnapshot = nil
      return change
    }
    let found = await median(foreign, to: DiffableDataSource(target: Nothing()) { _ in 0 }, from: first)
    report.add(
      Row(
        name: "apply a change of 1 in 1,000,000 with its difference", figure: known, unit: "µs", target: 50,
        others: ["with its batches planned": planned, "difference found by the data source": found]))
  }

  private static func median<Target: ListTarget>(
    _ changes: [Change], to source: DiffableDataSource<Target>, from first: Snapshot
  ) async -> Double where Target.SectionID == String, Target.ItemID == UUID {
    await source.apply(first)
    let clock = ContinuousClock()
    var times: [Double] = []
    for change in changes {
      let start = clock.now
      await source.apply(change)
      times.append(Double((clock.now - start).components.attoseconds) * 1e-12)
    }
    return Measure.median(times)
  }

  /// A difference of two lists of 100,000 that have nothing to do with each other, and what planning adds to it.
  private static func unrelated(_ report: inout Report) throws {
    let all = SnapshotSuite.uuids(150_000, seed: 12)
    var generator = SnapshotSuite.Generator(state: 13)
    let before = Array(all[..<100_000])
    let after = Array(all[50_000...]).shuffled(using: &generator)
    func sections(_ ids: [UUID], _ names: [String]) -> [(String, [UUID])] {
      names.enumerated().map { index, name in
        (name, Array(ids[ids.count * index / names.count..<ids.count * (index + 1) / names.count]))
      }
    }
    let old = try Snapshot(sections: sections(before, ["a", "b", "c", "d", "e", "f", "g", "h"]))
    let new = try Snapshot(sections: sections(after, ["x", "c", "b", "y", "a", "h", "f", "z"]))
    let difference = new.difference(from: old)
    let finding = Measure.milliseconds { Measure.use(new.difference(from: old)) }
    let planning = Measure.milliseconds { Measure.use(BatchPlanner.structuralBatch(for: difference)) }
    let staged = Measure.milliseconds {
      Measure.use(BatchPlanner.stages(for: difference, from: old, to: new, staging: .always))
    }
    report.add(
      Row(
        name: "plan a difference of two unrelated lists of 100,000", figure: planning, unit: "ms", target: 5,
        others: ["the difference itself": finding, "in stages": staged]))
  }

  struct Photo: Codable, Sendable {
    var title: String
    var fileName: String
    var width: Int
    var height: Int
    var hash: String
    var color: String
  }

  /// From a change to the bytes in the hands of the last of many readers.
  private static func streaming(_ report: inout Report) async throws {
    let ids = SnapshotSuite.uuids(100_000, seed: 14)
    let photo = Photo(
      title: "Beach at dusk", fileName: "IMG_2041.JPG", width: 4032, height: 3024,
      hash: String(repeating: "5f", count: 32), color: "#8090a0")
    let (first, changes) = try changes(ids, count: 500)
    let clock = ContinuousClock()
    func milliseconds(_ duration: Duration) -> Double { Double(duration.components.attoseconds) * 1e-15 }

    let stream = ListStreamTarget<String, UUID, Photo>()
    let source = DiffableDataSource(target: stream) { _ in photo }
    await source.apply(first)
    var start = clock.now
    var iterator = stream.frames().makeAsyncIterator()
    let snapshotFrame = await iterator.next()
    let encoding = milliseconds(clock.now - start)
    var lone: [Double] = []
    for change in changes.prefix(250) {
      start = clock.now
      await source.apply(change)
      Measure.use(await iterator.next())
      lone.append(milliseconds(clock.now - start) * 1000)
    }
    report.add(
      Row(
        name: "a change of 1 in 100,000 to the bytes of its frame", figure: Measure.median(lone), unit: "µs"))
    let megabytes = Double(snapshotFrame?.json.count ?? 0) / 1e6
    report.add(
      Row(
        name: "encode a list of 100,000, \(Int(megabytes)) MB, once for all readers", figure: encoding,
        unit: "ms"))

    let readers = 1000
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let tasks = (0..<readers).map { _ in
      Task {
        for await frame in stream.frames(since: stream.version) {
          Measure.use(frame)
          arrival.yield()
        }
      }
    }
    while stream.subscriberCount < readers + 1 { await Task.yield() }
    var many: [Double] = []
    var arrived = arrivals.makeAsyncIterator()
    for change in changes.dropFirst(250) {
      start = clock.now
      await source.apply(change)
      for _ in 0..<readers { _ = await arrived.next() }
      many.append(milliseconds(clock.now - start))
    }
    stream.finish()
    for task in tasks { await task.value }
    report.add(
      Row(
        name: "a change of 1 in 100,000 to the last of 1,000 readers", figure: Measure.median(many),
        unit: "ms"))
  }
}

import Foundation
import LiveFetch
import Snapshots
import _TestTools

extension FetchStoreConformance {
  /// Objects are those of the rows as they are, whatever was committed and however the request was changed meanwhile; and
  /// who shows objects, and loads anew what a change names, shows no other.
  ///
  /// Two writers write at once, each rows of its own, so that commits fall into reads.
  public func objectsFollow(_ subject: any ConformanceSubject) async throws {
    var random = SplitMix(seed: seed &* 31 &+ 7)
    var writers = [
      ConformanceHistory(seed: seed, ids: 0..<15), ConformanceHistory(seed: seed + 1, ids: 15..<30),
    ]
    let requests = Self.lists.map(\.request) + [Self.lists[0].request.ignoringChanges(to: \.note)]
    var request = 0
    let controller = FetchController(requests[request], in: subject.store)
    try await controller.performFetch()
    let listener = controller.changes.makeAsyncIterator()
    var view = ObjectView()
    // The first row of every list: its arrival proves that all before it came.
    var first = ConformanceItem(id: 1_000, section: "a", key: -1_000, note: "-")
    for step in 0..<steps / 2 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        request = Int.random(in: 0..<requests.count, using: &random)
        try await controller.update(request: requests[request])
      }
      let commits = writers.indices.map { writer in
        (0..<Int.random(in: 1...3, using: &random)).map { _ in writers[writer].next() }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for commits in commits {
          group.addTask { for writes in commits { try await subject.write(writes, origin: nil) } }
        }
        // Objects are loaded while it is written, and some of them are kept.
        group.addTask { _ = try await controller.objects(for: Array(0..<30)) }
        try await group.waitForAll()
      }
      if Int.random(in: 0..<3, using: &random) == 0 { continue }  // Some listeners are slow.
      await controller.waitUntilCurrent()
      first.key -= 1
      try await subject.write([.put(first)], origin: "step \(step)")
      await controller.waitUntilCurrent()
      var rows = writers[0].rows.merging(writers[1].rows) { a, _ in a }
      rows[first.id] = first
      try await check(controller, rows, "after step \(step) with request \(request)")
      while !view.origins.contains("step \(step)") {
        guard let change = try await listener.next() else {
          throw ConformanceFailure(description: "Seed \(seed): the stream has ended.")
        }
        try await view.show(change, controller)
      }
      let isNoteHidden = request == requests.count - 1
      for id in controller.snapshot?.itemIdentifiers ?? [] {
        var (shown, row) = (view.objects[id], rows[id])
        if isNoteHidden {
          shown?.note = nil
          row?.note = nil
        }
        try check(
          shown == row,
          "After step \(step) with request \(request) a view shows \(String(describing: shown)) for \(String(describing: row))."
        )
      }
    }
  }

  /// Compares the objects of all rows, listed or not, with the rows.
  private func check(
    _ controller: FetchController<ConformanceItem>, _ rows: [Int: ConformanceItem], _ context: String
  ) async throws {
    // Twice: the second time from what was kept.
    for _ in 0..<2 {
      let objects = try await controller.objects(for: Array(0..<30) + [1_000])
      for id in Array(0..<30) + [1_000] {
        try check(
          objects[id] == rows[id],
          "The object \(id) is \(String(describing: objects[id])), not \(String(describing: rows[id])), \(context)."
        )
      }
      for id in controller.snapshot?.itemIdentifiers ?? [] {
        let object = controller.object(for: id)
        try check(
          object == rows[id],
          "The object \(id) of the list is \(String(describing: object)), not \(String(describing: rows[id])), \(context)."
        )
      }
    }
  }
}

/// A view that shows a list's objects, and loads those that a change names.
private struct ObjectView {
  var objects: [Int: ConformanceItem] = [:]
  var origins: Set<String> = []

  mutating func show(_ change: FetchChange<Int>, _ controller: FetchController<ConformanceItem>) async throws
  {
    for id in change.deleted { objects[id] = nil }
    let named = change.inserted + change.updated + change.moved
    let loaded = try await controller.objects(for: named)
    for id in named { objects[id] = loaded[id] }
    origins.formUnion(change.origins)
  }
}

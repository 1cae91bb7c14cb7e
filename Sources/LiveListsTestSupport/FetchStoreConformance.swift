import LiveFetch
import Snapshots
import Synchronization

/// The suite that every store has to pass.
///
/// ```swift
/// @Test("It passes the conformance suite", arguments: 1...8 as ClosedRange<UInt64>)
/// func conforms(_ seed: UInt64) async throws {
///   try await FetchStoreConformance(seed: seed).run { Subject() }
/// }
/// ```
///
/// It knows nothing of the store but `FetchStore` and how to write to it, and judges by rows that it keeps itself.
public struct FetchStoreConformance: Sendable {
  /// The seed of the random histories.
  public let seed: UInt64
  /// How many commits a history has.
  public var steps = 60

  /// Creates the suite.
  public init(seed: UInt64) { self.seed = seed }

  /// Tries all promises, each with a store of its own; of a ``ConformanceNode`` also those that several nodes keep together.
  /// - Parameter makeSubject: Makes a store under test.
  /// - Throws: ``ConformanceFailure``, or what the store throws.
  public func run(_ makeSubject: @Sendable () async throws -> any ConformanceSubject) async throws {
    try await listsFollow(makeSubject())
    try await sectionsAreOfValues(makeSubject())
    try await eventsComeInOrder(makeSubject())
    try await readsKnowTheirPosition(makeSubject())
    try await rollbacksAreSilent(makeSubject())
    try await runsAreRead(makeSubject())
    try await objectsFollow(makeSubject())
    let last = try await makeSubject()
    try await closingEnds(last)
    if last is any ConformanceNode {
      try await runNodes { try await makeSubject() as? any ConformanceNode }
    }
  }

  func check(_ holds: Bool, _ promise: @autoclosure () -> String) throws {
    if !holds { throw ConformanceFailure(description: "Seed \(seed): \(promise())") }
  }

  // MARK: Promises

  /// After each commit every list is what the rows say, and the differences lead there.
  public func listsFollow(_ subject: any ConformanceSubject) async throws {
    var history = ConformanceHistory(seed: seed)
    let lists = Self.lists.map { list in
      (list, FetchController(list.request, in: subject.store))
    }
    var replayed: [DiffableSnapshot<FetchSectionID, Int>] = []
    var listeners: [FetchChanges<Int>.Iterator] = []
    for (_, controller) in lists {
      replayed.append(try await controller.performFetch())
      listeners.append(controller.changes.makeAsyncIterator())
      _ = try await listeners[listeners.count - 1].next()
    }
    for step in 0..<steps {
      let writes = history.next()
      let before = lists.map { $0.1.snapshot }
      try await subject.write(writes, origin: "step \(step)")
      for (index, (list, controller)) in lists.enumerated() {
        await controller.waitUntilCurrent()
        let expected = try list.expected(history.rows)
        try check(
          controller.snapshot == expected,
          "After step \(step) (\(writes)) the list “\(list.name)” is \(String(describing: controller.snapshot)), not \(expected)."
        )
        guard before[index] != expected else { continue }
        guard let change = try await listeners[index].next() else {
          throw ConformanceFailure(description: "Seed \(seed): the stream of “\(list.name)” has ended.")
        }
        replayed[index] = try replayed[index].applying(change.difference)
        try check(
          replayed[index] == expected, "The differences of “\(list.name)” lead elsewhere at step \(step).")
        try check(change.origins.contains("step \(step)"), "The origin of step \(step) is lost.")
      }
    }
  }

  /// Events have ascending positions, never two at once, and rows as their commit left them. Each commit is reported by itself,
  /// or with others as one where the store does that; no row and no origin is lost then.
  public func eventsComeInOrder(_ subject: any ConformanceSubject) async throws {
    let plan = try Self.lists[0].request.plan()
    let seen = Mutex<(events: [ChangeSet], isInside: Bool, overlaps: Int)>(([], false, 0))
    let box = SendableBox(seen)
    let observation = subject.store.observe(plan) { event in
      let wasInside = box.value.withLock { seen in
        defer { seen.isInside = true }
        return seen.isInside
      }
      if case .changes(let changes) = event { box.value.withLock { $0.events.append(changes) } }
      box.value.withLock { seen in
        seen.isInside = false
        if wasInside { seen.overlaps += 1 }
      }
    }
    // A first read, as every observer makes one: the store may use it to learn what the table is like.
    _ = try await subject.store.read(plan) { _ in 0 }
    for number in 0..<20 {
      try await subject.write(
        [.put(ConformanceItem(id: 1, section: "a", key: number))], origin: "1 \(number)")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 2..<6 {
        group.addTask {
          for number in 0..<10 {
            try await subject.write(
              [.put(ConformanceItem(id: writer, section: "a", key: number))], origin: "\(writer) \(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    await subject.store.waitUntilCurrent()
    observation.cancel()
    let (events, _, overlaps) = box.value.withLock { $0 }
    try check(overlaps == 0, "The observer received two events at once.")
    try check(
      zip(events, events.dropFirst()).allSatisfy { $0.position < $1.position }, "Positions do not ascend.")
    let origins = (0..<20).map { "1 \($0)" } + (2..<6).flatMap { id in (0..<10).map { "\(id) \($0)" } }
    let received = events.flatMap(\.origins)
    try check(
      received.count == 60 && Set(received) == Set(origins),
      "Of 60 origins \(Set(received).count) were received, in all \(received.count).")
    if !subject.mergesCommits {
      try check(events.count == 60, "Of 60 commits \(events.count) were received.")
    }
    for id in 2..<6 {
      let last = events.last { event in event.rows.contains { $0.id == .integer(Int64(id)) } }
      let key = last?.columns.firstIndex(of: "key")
      let value = last?.rows.first { $0.id == .integer(Int64(id)) }?.values
      try check(
        key.flatMap { value?[$0] } == .integer(9),
        "The row \(id) was last received as \(String(describing: value)).")
    }
    for (number, event) in events.prefix(20).enumerated() {
      let index = event.columns.firstIndex(of: "key")
      let value = index.flatMap { event.rows.first?.values?[$0] }
      try check(
        value == .integer(Int64(number)),
        "The row of commit \(number) has the key \(String(describing: value)).")
    }
  }

  /// A read sees the commits up to its position, and none after.
  public func readsKnowTheirPosition(_ subject: any ConformanceSubject) async throws {
    let plan = try Self.lists[0].request.plan()
    let received = SendableBox(Mutex<[(position: FetchPosition, ids: [FetchValue])]>([]))
    let observation = subject.store.observe(plan) { event in
      if case .changes(let changes) = event {
        received.value.withLock { $0.append((changes.position, changes.rows.map(\.id))) }
      }
    }
    defer { observation.cancel() }
    let (_, start) = try await subject.store.read(plan) { _ in 0 }
    let count = 100
    let reads = try await withThrowingTaskGroup(of: [(Int, FetchPosition)].self) { group in
      group.addTask {
        for number in 0..<count {
          try await subject.write([.put(ConformanceItem(id: number, section: "a", key: number))], origin: nil)
        }
        return []
      }
      for _ in 0..<3 {
        group.addTask {
          var reads: [(Int, FetchPosition)] = []
          for _ in 0..<20 {
            reads.append(
              try await subject.store.read(plan) { cursor in
                var rows = 0
                while try cursor.next() != nil { rows += 1 }
                return rows
              })
          }
          return reads
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    await subject.store.waitUntilCurrent()
    let events = received.value.withLock { $0 }.filter { $0.position > start }
    if !subject.mergesCommits {
      try check(events.count == count, "Of \(count) commits after the read \(events.count) were received.")
    }
    // Each commit made one row.
    let all = Set(events.flatMap(\.ids)).count
    try check(all == count, "Of \(count) rows that were made after the read \(all) were received.")
    for (rows, position) in reads {
      let commits = Set(events.filter { $0.position <= position }.flatMap(\.ids)).count
      try check(rows == commits, "A read at \(position) saw \(rows) rows of \(commits) commits.")
    }
  }

  /// Checks that writes that are rolled back are neither reported nor shown.
  public func rollbacksAreSilent(_ subject: any ConformanceSubject) async throws {
    try await subject.write([.put(ConformanceItem(id: 1, section: "a", key: 1))], origin: nil)
    let controller = FetchController(Self.lists[0].request, in: subject.store)
    let before = try await controller.performFetch()
    try await subject.writeAndRollBack([.put(ConformanceItem(id: 2, section: "b", key: 1)), .remove(1)])
    await controller.waitUntilCurrent()
    try check(controller.snapshot == before, "A rollback shows.")
    try check(controller.statistics.effectiveCommits == 0, "A rollback was notified.")
    // A list that is there already would not notice: what was taken back must not be read either.
    let plan = try Self.lists[0].request.plan()
    let (ids, _) = try await subject.store.read(plan) { rows in
      var ids: [Int64] = []
      while let row = try rows.next() { ids.append(row[0].integer) }
      return ids
    }
    try check(ids == before.itemIdentifiers.map(Int64.init), "Rows are read that were taken back: \(ids).")
    try await subject.write([.put(ConformanceItem(id: 3, section: "a", key: 0))], origin: nil)
    await controller.waitUntilCurrent()
    try check(
      controller.snapshot?.itemIdentifiers == [3, 1], "After a rollback commits are not received correctly.")
  }

  /// The rows of a run of a list are those that were asked for and are there, wherever they are by now.
  public func runsAreRead(_ subject: any ConformanceSubject) async throws {
    let items = (0..<20).map { ConformanceItem(id: $0, section: "a", key: $0 / 3) }
    try await subject.write(items.map { .put($0) }, origin: nil)
    let plan = try Self.lists[0].request.plan()
    let controller = FetchController(Self.lists[0].request, in: subject.store)
    try await controller.performFetch()
    guard let range = controller.run(Array(4...13)) else {
      throw ConformanceFailure(description: "A list of whole numbers has no range.")
    }
    try check(
      range.column == "key" && range.equalities.isEmpty && range.least == .integer(1)
        && range.greatest == .integer(4) && range.count == 12, "The range is \(range).")
    // One is gone, one is elsewhere; 3 and 14 tie with the first and the last, and were not asked for.
    try await subject.write([.remove(7), .put(ConformanceItem(id: 9, section: "b", key: 90))], origin: nil)
    let wanted = (4...13).map { FetchValue.integer($0) }
    let expected = wanted.filter { $0 != .integer(7) }
    var read: [FetchValue: FetchValue?] = [:]
    let isServed = try subject.store.rows(in: range, of: plan) { key, row in
      read[FetchValue(key)] = row.storedValue("key")
      return true
    }
    let inRange = items.filter { (1...4).contains($0.key) && $0.id != 7 && $0.id != 9 }
    let known = Dictionary(
      uniqueKeysWithValues: inRange.map {
        (FetchValue.integer(Int64($0.id)), FetchValue.integer(Int64($0.key)))
      })
    try check(read == (isServed ? known : [:]), "The rows of a range are \(read).")
    var taken = 0
    _ = try subject.store.rows(in: range, of: plan) { _, _ in
      taken += 1
      return taken < 2
    }
    try check(taken == (isServed ? 2 : 0), "Of a range \(taken) rows are read where two are wanted.")
    let loaded = try await subject.store.loadRows(wanted, in: range, of: plan) { id, _ in id }
    try check(
      loaded.sorted { $0.compare($1) < 0 } == expected, "By their range rows are loaded as \(loaded).")
  }

  /// After closing, streams end, and nothing more is delivered.
  public func closingEnds(_ subject: any ConformanceSubject) async throws {
    try await subject.write([.put(ConformanceItem(id: 1, section: "a", key: 1))], origin: nil)
    let controller = FetchController(Self.lists[0].request, in: subject.store)
    try await controller.performFetch()
    let plan = try Self.lists[0].request.plan()
    let loaded = try await subject.store.loadRows([.integer(1), .integer(9)], of: plan) { id, _ in id }
    let read = try subject.store.rows([.integer(9), .integer(1)], of: plan) { id, _ in id }
    try check(loaded == [.integer(1)] && read == loaded, "Rows are not had by their keys.")
    let listener = controller.changes.makeAsyncIterator()
    _ = try await listener.next()
    try await subject.close()
    let more = try await listener.next()
    try check(more == nil, "A stream goes on after its store was closed.")
  }
}

/// Something in a class, so that closures can share it.
final class SendableBox<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

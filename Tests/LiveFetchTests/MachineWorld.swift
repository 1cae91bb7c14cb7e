import Foundation
@testable import LiveFetch
import _TestTools
import LiveStore
import Snapshots
import Testing

/// A list as a value, the history of a table that it is told of in portions, and what one subscriber was told.
struct MachineWorld {
  typealias Machine = ListMachine<Int>
  struct Row: Equatable {
    var section: String
    var key: Int
    var name: Int
    var hidden: Int
  }

  private(set) var machine: Machine
  private let plan: FetchPlan
  private let limit: Int?
  private let context: String
  /// The table as each commit left it; a commit's position is its index.
  private var history: [[Int: Row]] = [[:]]
  /// The events of the store that are under way.
  private var queue: [FetchStoreEvent] = []
  private var isObserved = false
  /// The commits whose tags are to be told.
  private var awaited: Set<String> = []
  /// The read that is under way, and the commit up to which it sees, once that is settled.
  private var read: (isUnderWay: Bool, position: Int?) = (false, nil)
  private var isClosed = false
  /// The store is cut off from its database, and the events of what was committed since, which it learns of when it is back.
  private var isCutOff = false
  private var missed: [FetchStoreEvent] = []
  /// Whether the machine knows that.
  private var isInterrupted = false
  private(set) var events: Set<String> = []

  // What the subscriber was told.
  private var isSubscribed = false
  private var told: (snapshot: DiffableSnapshot<FetchSectionID, Int>, position: Int)?
  private var toldOrigins: Set<String> = []
  private var isToldInterrupted = false
  /// The rows that have changed and are not named yet.
  private var owed: Set<Int> = []

  private static let tableColumns = Piece.fetchTable.columns.map(\.name)
  private static let capacity = 3

  init(isWindow: Bool, _ context: String) throws {
    self.context = context
    limit = isWindow ? 6 : nil
    var request = FetchDescriptor<Piece>().filter(#Predicate { $0.key < 7 }).ordered(by: .ascending(\.key))
      .sectioned(by: \.section).ignoringChanges(to: \.hidden)
    if let limit { request = request.limit(limit) }
    plan = try request.plan()
    machine = Machine(plan, waitingCapacity: Self.capacity)
  }

  var stateName: String {
    switch machine.state {
    case .idle: "idle"
    case .reading: "reading"
    case .live: "live"
    case .failed: "failed"
    case .closed: "closed"
    }
  }

  // MARK: Steps

  mutating func step(using random: inout SplitMix) throws {
    switch Int.random(in: 0..<22, using: &random) {
    case 20...: if isCutOff { reconnect(using: &random) } else { cutOff() }
    case 0..<7: commit(using: &random)
    case 7..<13: deliver()
    case 13: fetch(again: Bool.random(using: &random))
    case 14..<16: settleRead()
    case 16: endRead(failing: .outOfOrderSection(name: "x"))
    default: try endRead()
    }
    if !isSubscribed, Int.random(in: 0..<4, using: &random) == 0, case .live = machine.state { join() }
  }

  private mutating func commit(using random: inout SplitMix) {
    let before = history[history.count - 1]
    var after = before
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let id = Int.random(in: 0..<14, using: &random)
      guard var row = after[id] else {
        after[id] = Row(
          section: ["a", "b", "c"].randomElement(using: &random) ?? "a",
          key: .random(in: 0..<9, using: &random),
          name: 0, hidden: 0)
        continue
      }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: after[id] = nil
      case 1: row.section = ["a", "b", "c"].randomElement(using: &random) ?? "a"; after[id] = row
      case 2: row.key = .random(in: 0..<9, using: &random); after[id] = row
      case 3: row.name += 1; after[id] = row
      default: row.hidden += 1; after[id] = row
      }
    }
    let position = history.count
    history.append(after)
    guard isObserved, !isClosed else { return }
    let origin = "commit \(position)"
    let touched = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    if oracle(before) != oracle(after) { awaited.insert(origin) }
    let event: FetchStoreEvent
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      event = .reset(
        FetchReset(position: FetchPosition(UInt64(position)), reason: .schema, origins: [origin]))
      awaited.insert(origin)
    case 1:
      event = .reset(
        FetchReset(
          position: FetchPosition(UInt64(position)), reason: .manyRows,
          touched: TouchedRows(touched.map { .integer(Int64($0)) }), origins: [origin]))
      awaited.insert(origin)
    default:
      let rows = touched.map { id in
        let change = Bool.random(using: &random) ? Self.change(before[id], after[id]) : .unknown
        return ChangeSet.Row(
          id: .integer(Int64(id)),
          values: after[id].map { row in plan.columns.map { value($0.name, id, row) } },
          change: change)
      }
      event = .changes(
        ChangeSet(
          position: FetchPosition(UInt64(position)), origins: [origin], columns: plan.columns.map(\.name),
          tableColumns: Self.tableColumns, rows: rows))
    }
    if isCutOff { missed.append(event) } else { queue.append(event) }
  }

  /// The store loses its database.
  private mutating func cutOff() {
    guard isObserved, !isClosed else { return }
    isCutOff = true
    queue.append(.interrupted(.interrupted(CancellationError())))
  }

  /// The store has its database again, and reports what was committed meanwhile: each commit, or one reset for all. Any event says
  /// that it is back; where there was none, or now and then as well, it says so.
  private mutating func reconnect(using random: inout SplitMix) {
    guard isCutOff else { return }
    isCutOff = false
    let isReset = !missed.isEmpty && Bool.random(using: &random)
    if isReset {
      let origins = missed.flatMap(\.origins)
      awaited.formUnion(origins)
      let position = FetchPosition(UInt64(history.count - 1))
      missed = [.reset(FetchReset(position: position, reason: .unresumable, origins: origins))]
    }
    queue += missed
    if missed.isEmpty || Bool.random(using: &random) { queue.append(.resumed) }
    missed = []
  }

  private mutating func deliver() {
    guard !queue.isEmpty else { return }
    let event = queue.removeFirst()
    if case .reading(let reading) = machine.state, reading.request.waiting.count == Self.capacity {
      events.insert("overflow")
    }
    switch event {
    case .interrupted: isInterrupted = true
    case .changes, .reset, .resumed: isInterrupted = false
    case .closed: break
    }
    perform([machine.receive(event)])
  }

  mutating func fetch(again: Bool) {
    switch machine.fetch(again: again) {
    case .read(let request): perform([.read(request)])
    case .wait: #expect(read.isUnderWay, "\(context): somebody waits for no read")
    case .take(let update):
      #expect(update.snapshot == oracle(history[Int(update.position.value)]), "\(context)")
    case .fail: #expect(isClosed, "\(context): refused while the store is open")
    }
  }

  /// The read begins in the store: from now on it is known which commits it sees.
  private mutating func settleRead() {
    if read.isUnderWay, read.position == nil { read.position = history.count - 1 }
  }

  mutating func endRead() throws {
    guard read.isUnderWay else { return }
    settleRead()
    let position = read.position ?? 0
    read = (false, nil)
    let rows = ordered(history[position]).map { id, row in plan.columns.map { value($0.name, id, row) } }
    let list = try ListState<Int>(plan, reading: ArrayCursor(rows))
    perform(machine.readFinished(list, at: FetchPosition(UInt64(position)), took: .zero))
  }

  mutating func endRead(failing error: FetchError) {
    guard read.isUnderWay else { return }
    read = (false, nil)
    if error.kind == .closed { isClosed = true }
    perform(machine.readFailed(error))
  }

  private mutating func join() {
    isSubscribed = true
    for event in machine.joined(cost: FetchCost(), knowing: nil) { note(event) }
  }

  /// Lets everything end that is under way.
  mutating func calm() throws {
    fetch(again: false)
    var random = SplitMix(seed: 1)
    reconnect(using: &random)
    for _ in 0..<1_000 {
      if queue.isEmpty, case .live = machine.state { break }
      try endRead()
      deliver()
      checkState()
    }
    // Whoever joins now is told everything with the list.
    if !isSubscribed {
      awaited = []
      join()
    }
  }

  mutating func close() {
    let running = machine.readTask
    let wasIdle = stateName == "idle"
    var closings = 0
    for event in [FetchStoreEvent.closed, .closed] {
      switch machine.receive(event) {
      case .close(let task):
        closings += 1
        #expect(task == running, "\(context): another read is cancelled")
      case .none: #expect(closings == 1, "\(context)")
      default: Issue.record("\(context): closing does something else")
      }
    }
    #expect(closings == 1 && stateName == "closed", "\(context), idle: \(wasIdle)")
    for event in queue {
      guard case .none = machine.receive(event) else {
        Issue.record("\(context): told after the end"); return
      }
    }
    #expect(machine.readFailed(.database(CancellationError())).isEmpty, "\(context)")
    #expect(machine.joined(cost: FetchCost(), knowing: nil).count == 2, "\(context)")
  }

  // MARK: What comes of it

  private mutating func perform(_ actions: [Machine.Action]) {
    for (number, action) in actions.enumerated() {
      switch action {
      case .none: break
      case .notify(let event): if isSubscribed { note(event) } else { forgetAwaited(event) }
      case .read(let request):
        #expect(!read.isUnderWay, "\(context): a read is asked for beside another")
        #expect(number == actions.count - 1, "\(context): something follows a read")
        if !request.waiting.isEmpty { events.insert("read behind a read") }
        isObserved = true
        read = (true, nil)
        machine.readStarted(request, Task {})
      case .close: #expect(isClosed, "\(context): closed by itself")
      }
    }
  }

  /// Nobody was there to be told.
  private mutating func forgetAwaited(_ event: ListEvent<Int>) {
    if case .update(let update) = event { awaited.subtract(update.origins) }
  }

  private mutating func note(_ event: ListEvent<Int>) {
    switch event {
    case .joined(let update):
      #expect(told == nil && update.isFetch, "\(context)")
      #expect(update.snapshot == oracle(history[Int(update.position.value)]), "\(context)")
      told = (update.snapshot, Int(update.position.value))
      isToldInterrupted = update.failures.contains { $0.kind == .interrupted }
    case .update(let update): note(update)
    case .hidden(let rows):
      events.insert("hidden")
      guard let told else { return }
      let now = history[Int(machine.list.position.value)]
      for row in rows.rows {
        #expect(
          shown(history[told.position][row.id]) == shown(now[row.id]),
          "\(context): row \(row.id) is no secret")
      }
    case .closed: #expect(isClosed, "\(context)")
    }
  }

  private mutating func note(_ update: FetchUpdate<Int>) {
    for origin in update.origins {
      #expect(toldOrigins.insert(origin).inserted, "\(context): \(origin) is told again")
      awaited.remove(origin)
    }
    guard let last = told else { Issue.record("\(context): told before the list"); return }
    let isInterruption = update.failures.contains { $0.kind == .interrupted }
    if update.cost.hasFailed {
      events.insert(isInterruption ? "interruption" : "failure")
      #expect(update.failures.count == 1 && update.touched.isEmpty, "\(context)")
      if isInterruption { isToldInterrupted = true }
      return
    }
    #expect(
      !isToldInterrupted || isInterruption || update.isResumption,
      "\(context): the end of an interruption is not told")
    if update.isResumption { events.insert("resumption") }
    isToldInterrupted = isInterruption
    events.insert(update.cost.isReread ? "reread" : update.step != nil ? "applied" : "known")
    let position = Int(update.position.value)
    #expect(position >= last.position, "\(context): the list goes back")
    #expect(update.snapshot == oracle(history[position]), "\(context): not a fresh query, as of \(position)")
    // A row that was there before and is may have changed only if it is named, and only in the columns named.
    for id in last.snapshot.items where update.snapshot.containsItem(id) {
      guard let old = history[last.position][id], let new = history[position][id] else { continue }
      let differing = Set(["section", "key", "name"].filter { value($0, id, old) != value($0, id, new) })
      if differing.isEmpty { continue }
      guard update.touched.change(of: id) != nil else {
        // A read may see a commit before its event comes, which then names the row.
        #expect(isUnderWay(id, upTo: position), "\(context): row \(id) has changed and is not named")
        owed.insert(id)
        continue
      }
      if let columns = update.touched.changedColumns(of: id) {
        #expect(columns.isSuperset(of: differing), "\(context): row \(id) changed in other columns")
      }
    }
    told = (update.snapshot, position)
    owed = owed.filter { update.snapshot.containsItem($0) && update.touched.change(of: $0) == nil }
  }

  /// Whether an event that names a row is still to come, of a commit up to a position.
  private func isUnderWay(_ id: Int, upTo position: Int) -> Bool {
    (queue + missed).contains { event in
      guard event.position.value <= position else { return false }
      return switch event {
      case .changes(let changes): changes.rows.contains { $0.id == .integer(Int64(id)) }
      case .reset(let reset): reset.touched.change(of: .integer(Int64(id))) != nil
      case .interrupted, .resumed, .closed: false
      }
    }
  }

  /// Holds after every step.
  func checkState() {
    switch machine.state {
    case .reading(let reading):
      #expect(read.isUnderWay, "\(context): no read is under way")
      #expect(reading.request.waiting.count <= Self.capacity, "\(context): too many events wait")
    case .live:
      #expect(!read.isUnderWay && machine.isCurrent == !isInterrupted, "\(context)")
      #expect(machine.failures.map(\.kind) == (isInterrupted ? [.interrupted] : []), "\(context)")
      if told != nil {
        #expect(
          isToldInterrupted == isInterrupted,
          "\(context): whether the list is interrupted is not what was told")
      }
      let position = Int(machine.list.position.value)
      #expect(machine.list.snapshot == oracle(history[position]), "\(context): not a fresh query")
      #expect(machine.list.index.count == machine.list.snapshot.numberOfItems, "\(context)")
      if let told {
        #expect(told.snapshot == machine.list.snapshot, "\(context): the list is not what was told")
      }
    case .failed: #expect(!read.isUnderWay && machine.failures.count == (isInterrupted ? 2 : 1), "\(context)")
    case .idle, .closed: #expect(!read.isUnderWay || isClosed, "\(context)")
    }
  }

  /// Holds when all is quiet: everything was told.
  func checkCompleteness() {
    #expect(stateName == "live" && machine.isCurrent && queue.isEmpty, "\(context)")
    #expect(machine.list.snapshot == oracle(history[history.count - 1]), "\(context): not up to date")
    #expect(awaited.isEmpty, "\(context): never told: \(awaited)")
    #expect(owed.isEmpty, "\(context): rows that changed were never named: \(owed)")
  }

  // MARK: The oracle

  private func ordered(_ table: [Int: Row]) -> [(Int, Row)] {
    let sorted = table.filter { $0.value.key < 7 }.sorted {
      ($0.value.section, $0.value.key, $0.key) < ($1.value.section, $1.value.key, $1.key)
    }
    return sorted.prefix(limit ?? .max).map { ($0.key, $0.value) }
  }

  /// The list of a table, by sorting.
  private func oracle(_ table: [Int: Row]) -> DiffableSnapshot<FetchSectionID, Int> {
    var sections: [(FetchSectionID, [Int])] = []
    for (id, row) in ordered(table) {
      let section = FetchSectionID(row.section)
      if sections.last?.0 != section { sections.append((section, [])) }
      sections[sections.count - 1].1.append(id)
    }
    return (try? DiffableSnapshot(sections: sections)) ?? DiffableSnapshot()
  }

  private func shown(_ row: Row?) -> Row? {
    var row = row
    row?.hidden = 0
    return row
  }

  private func value(_ column: String, _ id: Int, _ row: Row) -> FetchValue {
    switch column {
    case "id": .integer(Int64(id))
    case "section": .text(row.section)
    case "key": .integer(Int64(row.key))
    case "name": .integer(Int64(row.name))
    case "hidden": .integer(Int64(row.hidden))
    default: .null
    }
  }

  /// The effect of a commit on a row, said exactly.
  private static func change(_ old: Row?, _ new: Row?) -> RowChange {
    guard let old else { return .inserted }
    guard let new else { return .deleted }
    var columns: ColumnSet = []
    func note(_ name: String, _ differs: Bool) {
      if differs, let ordinal = tableColumns.firstIndex(of: name) {
        columns.insert(ColumnSet(column: ordinal))
      }
    }
    note("section", old.section != new.section)
    note("key", old.key != new.key)
    note("name", old.name != new.name)
    note("hidden", old.hidden != new.hidden)
    return .updated(columns)
  }
}

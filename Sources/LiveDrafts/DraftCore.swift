import LiveDraftStore
import LiveStore

/// A notification that is to be made: of whom, and what.
struct DraftNotice: Sendable {
  var receive: @Sendable (FetchStoreEvent) -> Void
  var event: FetchStoreEvent
}

/// The state of a draft: each event returns the notifications to be made. Nothing is called or waited for here.
struct DraftCore: Sendable {
  var layer = DraftLayer()
  /// The save that is under way.
  var attempt: SaveAttempt?
  var channels: [String: DraftChannel] = [:]
  var positions = DraftPositions()
  var isClosed = false
  /// The rows touched during the edits that are being made, by the numbers of those.
  var touches: [Int: DraftTouches] = [:]
  private var nextNumber = 0

  mutating func makeNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }

  /// Ends the observations of tables that nobody observes, and of which nothing is pending.
  /// - Returns: What is to be cancelled.
  mutating func takeIdleObservations() -> [FetchObservation] {
    // An edit that is being made needs what it has read to be followed, and a save all tables in which foreign keys may act.
    guard touches.isEmpty else { return [] }
    return channels.keys.compactMap { table in
      // The next save may have triggers change rows of this one: that is to be known.
      guard let channel = channels[table], channel.observers.isEmpty, channel.refreshing == nil,
        layer.tables[table] == nil, !layer.history.hasKnownRows(in: table)
      else { return nil }
      return channels[table]?.takeObservation()
    }
  }

  // MARK: Events of the store

  private mutating func follow(
    _ key: DraftKey, _ row: StoredRow?, isOwn: Bool, isChanged: ((String) -> Bool)? = nil,
    own: [String: OwnChange] = [:]
  ) -> RowEffect? {
    _ = attempt?.fallback?.follow(key, row, isOwn: false)
    return layer.follow(key, row, isOwn: isOwn, isChanged: isChanged, own: own)
  }

  /// Follows an event of the store.
  mutating func receive(_ table: String, _ event: FetchStoreEvent) -> [DraftNotice] {
    guard let channel = channels[table], !isClosed else { return [] }
    switch event {
    case .closed:
      isClosed = true
      return channels.values.flatMap(\.observers.values).map {
        DraftNotice(receive: $0.receive, event: .closed)
      }
    case .interrupted, .resumed:
      return channel.observers.values.map { DraftNotice(receive: $0.receive, event: event) }
    case .changes, .reset:
      let position = event.position.value
      if channel.recent.contains(position) { return [] }
      let isLate = channel.recent.last.map { $0 > position } ?? false
      channels[table]?.note(position)
      if isLate {
        // The observation that this one replaced was behind it: what it says may be older than what is known.
        return reset(
          table,
          FetchReset(
            position: event.position, reason: .unresumable, origins: event.origins, writers: event.writers,
            committed: event.committed))
      }
      switch event {
      case .changes(let changes): return follow(table, changes)
      case .reset(let change): return reset(table, change)
      case .interrupted, .resumed, .closed: return []
      }
    }
  }

  /// Whether a row is pending, or is if the save under way fails, or was before something was done meanwhile.
  private func isPending(_ key: DraftKey) -> Bool {
    layer[key] != nil || attempt?.fallback?[key] != nil || layer.save.settled.contains { $0[key] != nil }
  }

  /// Whether a row of a table is so.
  private func isPending(in table: String) -> Bool {
    layer.tables[table] != nil || attempt?.fallback?.tables[table] != nil
      || layer.save.settled.contains { $0.tables[table] != nil }
  }

  /// Whether others have written a row after the save that is under way, in a commit that is told together with it.
  private func isOthers(_ row: ChangeSet.Row) -> Bool {
    guard let attempt, let last = row.lastOrigins else { return false }
    return !last.contains(attempt.origin)
  }

  /// Follows the save's commit by the row that it has left, and then what others have made of that.
  /// - Parameters:
  ///   - left: The row as the save has left it; nil where it is gone.
  ///   - row: The row as the commit is told, maybe together with others'; nil where it is gone.
  private mutating func followSaved(_ key: DraftKey, left: StoredRow?, _ row: StoredRow?) -> RowEffect? {
    let own = followLeft(key, left)
    if PendingRow.isAlike(row, left) { return own }
    guard let theirs = follow(key, row.map { (left ?? [:]).merging($0) { $1 } }, isOwn: false) else {
      return nil
    }
    return own?.merged(with: theirs) ?? theirs
  }

  /// Follows the save's commit by the row that it has left.
  private mutating func followLeft(_ key: DraftKey, _ left: StoredRow?) -> RowEffect? {
    noteLeftToEdits(key, left)
    _ = attempt?.fallback?.follow(key, left, isOwn: false)
    return layer.followLeft(key, left)
  }

  /// Notes what the save has made of a row for edits that are being made: they may have seen what was sent.
  private mutating func noteLeftToEdits(_ key: DraftKey, _ left: StoredRow?) {
    guard !touches.isEmpty, let left, let sent = layer.save.rows[key].flatMap(layer.save.left(by:)) else {
      return
    }
    let own = OwnChange.between(sent, left) { _ in true }
    if !own.isEmpty { for number in touches.keys { touches[number]?.note(own, of: key) } }
  }

  /// Does the same of all rows, which are shown as they were sent until all of the save is known, as something was done meanwhile.
  mutating func noteLeftToEdits() {
    for key in touches.isEmpty ? [] : Array(layer.save.rows.keys) {
      if case .known(let left) = attempt?.witnesses[key]?.left { noteLeftToEdits(key, left) }
    }
  }

  /// A row as the save under way has left it.
  private func left(_ key: DraftKey, _ row: ChangeSet.Row) -> RowWitness.Left {
    guard layer.isBeingSaved(key), let left = attempt?.witnesses[key]?.left else { return .unknown }
    guard case .unknown = left, isOthers(row), let taken = layer.save.rows[key] else { return left }
    return .known(layer.save.left(by: taken))
  }

  private mutating func follow(_ table: String, _ commit: ChangeSet) -> [DraftNotice] {
    var changes = commit
    let isOwn = takeSavingOrigin(&changes.origins)
    let keys = commit.rows.lazy.map { DraftKey(table, $0.id) }
    lazy var written = Set(keys)
    let found = isOwn ? followFound(in: table) { written.contains($0) } : []
    if !isOwn { attempt?.touched.keys.formUnion(keys) }
    changes.position = positions.commit(at: commit.position.value)
    for number in touches.keys { touches[number]?.keys.formUnion(keys) }
    if !touches.isEmpty { noteTriggered(table, commit, isOwn: isOwn) }
    guard let channel = channels[table] else { return [] }
    channels[table]?.noteTableColumns(commit.tableColumns)
    if isOwn { _ = layer.takeEffects(in: table) }
    let own = layer.history.hasKnownRows ? noteKnownRows(table, commit, isOwn: isOwn) : [:]
    let hasAllColumns = Set(channel.columns).isSubset(of: commit.columns)
    if isPending(in: table) {
      if !hasAllColumns { channels[table]?.isStale = true }
      let numbers = RowChange.numbers(of: commit.tableColumns)
      // A row with pending changes is known as a whole: where the commit has only a part of it, it is read.
      let isWhole = channel.isWhole(commit)
      changes.rows = commit.rows.compactMap { row in
        let key = DraftKey(table, row.id)
        guard isPending(key) else { return row }
        let left = isOwn ? self.left(key, row) : .unknown
        if isOwn, let values = row.values,
          layer.removeSaved(
            key,
            isAsShown: { shown in
              if case .known(let left) = left, !PendingRow.isAlike(left, shown) { return false }
              return zip(commit.columns, values).allSatisfy { column, value in
                shown[column] == value || row.unknownColumns.contains(column)
              }
            })
        {
          return nil
        }
        let values = row.values(of: commit.columns)
        var isChanged: ((String) -> Bool)?
        if isOwn, case .updated(let columns) = row.change {
          isChanged = { numbers[$0].map(columns.mayContain(column:)) ?? false }
        }
        let effect =
          if case .known(let left) = left { followSaved(key, left: left, values) } else {
            follow(key, values, isOwn: isOwn, isChanged: isChanged, own: own[key] ?? [:])
          }
        guard let effect else { return row }
        if !isWhole, !effect.isStored { channels[table]?.isStale = true }
        guard effect.isVisible else { return nil }
        return ChangeSet.Row(effect, .between(effect.before, effect.after, numbers), commit.columns)
      }
    }
    let isHidden = changes.rows.isEmpty && !commit.rows.isEmpty
    let notices = found + (isHidden ? [] : self.notices(of: changes, in: channel, hasAllColumns))
    // As soon as all is known, so that undo right after the commit brings back all that has gone.
    return isOwn && layer.save.hasSeenEffects ? notices + recordEffects() : notices
  }

  /// Whether a commit is that of the save under way, and nobody else's with it.
  private func isAlone(_ commit: ChangeSet) -> Bool {
    !commit.writers.contains(.others)
      && commit.origins.allSatisfy { attempt?.origins.contains($0) == true }
  }

  /// Notes for edits that are being made how the save under way has left rows that it was not told to write.
  private mutating func noteTriggered(_ table: String, _ commit: ChangeSet, isOwn: Bool) {
    let isAlone = isOwn && isAlone(commit)
    if !isAlone, touches.values.allSatisfy({ !$0.knowsTriggered }) { return }
    lazy var numbers = RowChange.numbers(of: commit.tableColumns)
    for row in commit.rows {
      let key = DraftKey(table, row.id)
      var columns: StoredRow?
      if isAlone {
        // Most rows of a save are those that it was told to write.
        guard !layer.isBeingSaved(key), case .updated(let changed) = row.change else { continue }
        columns = row.values(of: commit.columns)?.filter { name, _ in
          numbers[name].map(changed.mayContain(column:)) ?? false
        }
      }
      for number in touches.keys { touches[number]?.note(columns, leftBySave: key) }
    }
  }

  /// Notes what a commit makes of rows that were saved before, or of which edits were undone: by triggers and foreign keys of the save under way,
  /// or by others.
  /// - Returns: What the save under way has made of such rows.
  private mutating func noteKnownRows(
    _ table: String, _ commit: ChangeSet, isOwn: Bool
  ) -> [DraftKey: [String: OwnChange]] {
    var own: [DraftKey: [String: OwnChange]] = [:]
    let isAlone = isOwn && isAlone(commit)
    // Most commits are of rows that no save has taken.
    lazy var numbers = RowChange.numbers(of: commit.tableColumns)
    for row in commit.rows {
      let key = DraftKey(table, row.id)
      if !layer.knows(key) || isOwn && layer.isBeingSaved(key) { continue }
      let values = row.values(of: commit.columns)
      if !isAlone {
        layer.noteOthers(key, values)
      } else if let values {
        own[key] = layer.noteOwn(key, values) { column in
          guard case .updated(let columns) = row.change, let number = numbers[column] else { return true }
          return columns.mayContain(column: number)
        }
      }
    }
    return own
  }

  private func notices(of changes: ChangeSet, in channel: DraftChannel, _ hasAllColumns: Bool)
    -> [DraftNotice]
  {
    channel.observers.values.map { observer in
      let isKnown = hasAllColumns || observer.columns.allSatisfy(changes.columns.contains)
      let event: FetchStoreEvent =
        isKnown
        ? .changes(changes)
        : .reset(
          FetchReset(
            position: changes.position, reason: .unresumable, touched: TouchedRows(changes.rows.map(\.id)),
            origins: changes.origins, writers: changes.writers, committed: changes.committed))
      return DraftNotice(receive: observer.receive, event: event)
    }
  }

  private mutating func reset(_ table: String, _ reset: FetchReset) -> [DraftNotice] {
    var reset = reset
    let isOwn = takeSavingOrigin(&reset.origins)
    let found = isOwn ? followFound(in: table, isNewest: { _ in true }) : []
    if !isOwn { attempt?.touched.tables.insert(table) }
    reset.position = positions.commit(at: reset.position.value)
    for number in touches.keys { touches[number]?.tables.insert(table) }
    // Nobody can say whose change of which row it was.
    layer.noteOthers(in: table)
    // The save's rows are in the store: whoever reads from now on finds them there.
    if isOwn {
      let gone = layer.takeEffects(in: table, isReset: true)
      if !gone.isEmpty { reset.touched.merge(TouchedRows(gone.map(\.id))) }
      // Also rows that the save has not written, as others' changes count, are shown otherwise from now on.
      let effects = followLeft(in: table) + layer.finishSaving(table: table, wasWritten: true)
      if !effects.isEmpty { reset.touched.merge(TouchedRows(effects.map(\.key.id))) }
    }
    if isPending(in: table) { channels[table]?.isStale = true }
    if let pending = layer.tables[table] { reset.touched.merge(TouchedRows(pending.keys)) }
    if reset.reason == .schema {
      channels[table]?.isOutdated = true
      channels[table]?.forgetColumns()
    }
    let observers = channels[table]?.observers ?? [:]
    return found + observers.values.map { DraftNotice(receive: $0.receive, event: .reset(reset)) }
  }

  /// Follows the save's commit in a table by the rows that it has left, as far as the save has noted them.
  private mutating func followLeft(in table: String) -> [RowEffect] {
    var effects: [RowEffect] = []
    for (key, witness) in attempt?.witnesses ?? [:] where key.table == table {
      if case .known(let left) = witness.left, let effect = followLeft(key, left) { effects.append(effect) }
    }
    return effects
  }

  /// Removes the draft's own origin from those of a commit.
  private mutating func takeSavingOrigin(_ origins: inout [String]) -> Bool {
    guard let origin = attempt?.origin, let position = origins.firstIndex(of: origin) else { return false }
    origins.remove(at: position)
    // The save has not failed.
    attempt?.fallback = nil
    return true
  }

  // MARK: Effects of edits

  /// Notifies observers of what an edit, an undo or the end of a save did, or of what was read of others' commits.
  /// - Parameter isRead: Whether the store's rows were just read. Otherwise others may have written a row in a commit that was not
  ///   reported row by row: where nothing is pending of it any more, observers are told what is known, and then to read it.
  mutating func notices(
    of effects: [RowEffect], origins: [String], writers: FetchWriters = .thisStore, isRead: Bool = false
  ) -> [DraftNotice] {
    let visible = effects.filter(\.isVisible)
    if visible.isEmpty { return [] }
    let position = positions.edit()
    let now = ContinuousClock.now
    var notices: [DraftNotice] = []
    let tables =
      visible.count == 1
      ? [visible[0].key.table: visible] : Dictionary(grouping: visible) { $0.key.table }
    for (table, effects) in tables {
      guard let channel = channels[table], !channel.observers.isEmpty else { continue }
      let tableColumns = channel.tableColumns.isEmpty ? channel.columns : channel.tableColumns
      let numbers = channel.tableColumns.isEmpty ? RowChange.numbers(of: tableColumns) : channel.numbers
      let changes = effects.map { RowChange.between($0.before, $0.after, numbers) }
      let unsure = isRead || !channel.needsReading ? [] : effects.filter(\.isStored)
      let later = unsure.isEmpty ? position : positions.edit()
      for observer in channel.observers.values {
        func reset(_ effects: [RowEffect], at position: FetchPosition) -> DraftNotice {
          let reset = FetchReset(
            position: position, reason: .unresumable, touched: TouchedRows(effects.map(\.key.id)),
            origins: origins, writers: writers, committed: now)
          return DraftNotice(receive: observer.receive, event: .reset(reset))
        }
        // A stored row may be known only in part: an observer that needs a missing column has to read it.
        let isKnown = effects.allSatisfy { effect in
          !effect.isStored
            || effect.after.map { row in observer.columns.allSatisfy { row[$0] != nil } } ?? true
        }
        guard isKnown else {
          notices.append(reset(effects, at: position))
          continue
        }
        let rows = zip(effects, changes).map { ChangeSet.Row($0, $1, observer.columns) }
        let set = ChangeSet(
          position: position, origins: origins, writers: writers, columns: observer.columns,
          tableColumns: tableColumns, rows: rows, committed: now)
        notices.append(DraftNotice(receive: observer.receive, event: .changes(set)))
        if !unsure.isEmpty { notices.append(reset(unsure, at: later)) }
      }
    }
    return notices
  }

  /// Follows rows that were read again because a commit was not reported row by row.
  /// - Parameter rows: The pending rows of a table as they are; those that are not there are missing.
  mutating func refresh(_ table: String, _ ids: [FetchValue], _ rows: [FetchValue: StoredRow])
    -> [DraftNotice]
  {
    let effects = ids.compactMap { id in follow(DraftKey(table, id), rows[id], isOwn: false) }
    return notices(of: effects, origins: [], writers: .all, isRead: true)
  }

  /// A pending row as a change to be saved.
  func change(_ key: DraftKey, _ row: PendingRow) -> DraftChange {
    let column = channels[key.table]?.key ?? FetchPlan.Column(name: "id", type: .blob)
    return DraftChange(
      table: key.table, key: column, id: key.id, kind: row.kind, base: row.original, values: row.shown,
      columns: Set(row.mine.keys))
  }

  /// The conflict of a pending row with what somebody else has committed, if there is one.
  func conflict(_ key: DraftKey, _ row: PendingRow) -> DraftConflict.Row? {
    row.isConflicting ? change(key, row).conflict(with: row.base) : nil
  }
}

extension ChangeSet.Row {
  /// Describes a row as observers of certain columns learn of it.
  fileprivate init(_ effect: RowEffect, _ change: RowChange, _ columns: [String]) {
    var unknown: Set<String> = []
    let values = effect.after.map { row in
      columns.map { column -> FetchValue in
        if let value = row[column] { return value }
        unknown.insert(column)
        return .null
      }
    }
    self.init(id: effect.key.id, values: values, change: change)
    unknownColumns = unknown
  }

  /// The values by column name, as far as they are known; nil where the row is no more.
  fileprivate func values(of columns: [String]) -> StoredRow? {
    values.map { values in
      var row = Dictionary(zip(columns, values)) { first, _ in first }
      for column in unknownColumns { row[column] = nil }
      return row
    }
  }
}

extension DraftChannel {
  fileprivate mutating func note(_ position: UInt64) {
    recent.append(position)
    if recent.count > 16 { recent.removeFirst(8) }
  }
}

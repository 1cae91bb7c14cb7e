import Foundation
import LiveDraftStore
public import LiveStore
import Synchronization

extension FetchDraft {
  /// The rows that an edit has read from the store, and what commits have touched since.
  final class Session {
    let number: Int
    /// The rows that were read and are not pending; missing where the store has none.
    var bases: [DraftKey: StoredRow] = [:]
    var read: Set<DraftKey> = []
    /// The rows as the edit's closure has seen them first.
    private(set) var sights: [DraftKey: DraftSight] = [:]
    /// The tables of which it was asked what columns they have.
    var askedTables: Set<String> = []

    init(number: Int) { self.number = number }

    /// Forgets rows that commits have touched since they were read.
    func forget(_ touches: DraftTouches) {
      read = read.filter { !touches.contains($0) }
      bases = bases.filter { !touches.contains($0.key) }
    }

    /// Notes a row as the closure is given it.
    func see(_ key: DraftKey, _ shown: StoredRow?, over stored: StoredRow?) {
      if sights[key] == nil { sights[key] = DraftSight(shown: shown, stored: stored) }
    }
  }

  func beginSession() -> Session {
    core.withLock { core in
      let number = core.makeNumber()
      core.touches[number] = DraftTouches()
      return Session(number: number)
    }
  }

  func endSession(_ session: Session) {
    core.withLock { core in core.touches[session.number] = nil }
    releaseIdleChannels()
  }

  /// Returns a row as the draft shows it, reading it from the store unless it is pending.
  func shownRow(_ key: DraftKey, _ column: FetchPlan.Column, _ session: Session) throws -> StoredRow? {
    if let pending = try pendingRow(key, column) {
      let shown = pending.shown
      // Rows that are being saved are not in the store yet.
      session.see(key, shown, over: core.withLock { $0.layer.save.rows[key] }?.base ?? pending.base)
      return shown
    }
    let row = try session.read.contains(key) ? session.bases[key] : readBase(key, column, session)
    session.see(key, row, over: row)
    return row
  }

  private func pendingRow(_ key: DraftKey, _ column: FetchPlan.Column) throws -> PendingRow? {
    let (pending, needsReading) = core.withLock { core in
      (core.layer[key], core.channels[key.table]?.needsReading ?? false)
    }
    // A commit has named a part of it, or of others: nobody waits here until all are read.
    return pending != nil && needsReading ? try readPending(key, column) : pending
  }

  /// Returns the row that shows when the pending insertion of a row is taken back; nil where none is pending.
  func rowBeneathInsertion(_ key: DraftKey, _ column: FetchPlan.Column) throws -> StoredRow? {
    let (beneath, isWhole) = core.withLock { core -> (StoredRow?, Bool) in
      guard let row = core.layer[key], row.kind == .insert, let base = row.base,
        row.isAhead || core.layer.save.rows[key] == nil
      else { return (nil, true) }
      return (base, row.isAhead || core.channels[key.table]?.rowColumns?.isSubset(of: base.keys) ?? false)
    }
    if isWhole { return beneath }
    return try base.row(key.id, of: .all(of: key.table, [column]))
  }

  /// Reads the store's row beneath a pending one.
  /// - Returns: The row as it is pending then; nil where it no longer is.
  private func readPending(_ key: DraftKey, _ column: FetchPlan.Column) throws -> PendingRow? {
    while true {
      let session = beginSession()
      defer { endSession(session) }
      let row = try base.row(key.id, of: .all(of: key.table, [column]))
      let (pending, isCurrent) = perform { core in
        // What commits have touched meanwhile is newer than what was read.
        if core.touches[session.number]?.contains(key) ?? false { return ((core.layer[key], false), []) }
        // The save that is under way may have written what was read, and its commit not be notified yet.
        if core.layer.save.rows[key] != nil { core.layer.doubt(key) }
        let notices = core.refresh(key.table, [key.id], row.map { [key.id: $0] } ?? [:])
        return ((core.layer[key], true), notices)
      }
      if isCurrent || pending == nil { return pending }
    }
  }

  private func readBase(_ key: DraftKey, _ column: FetchPlan.Column, _ session: Session) throws -> StoredRow?
  {
    try readBases([key], column, session)
    return session.bases[key]
  }

  /// Reads rows of one table.
  private func readBases(_ keys: [DraftKey], _ column: FetchPlan.Column, _ session: Session) throws {
    guard let table = keys.first?.table else { return }
    let known = core.withLock { core -> Set<String>? in
      guard let channel = core.channels[table], channel.isWhole else { return nil }
      return channel.rowColumns
    }
    // From here on commits are noted, so that a row which is touched after it was read is read again.
    if known == nil { observeBase(table, column, [column.name]) }
    let plan = FetchPlan.all(of: table, [column])
    var rows: [DraftKey: StoredRow] = [:]
    if keys.count == 1 {
      rows[keys[0]] = try base.row(keys[0].id, of: plan)
    } else {
      for (id, row) in try base.rows(keys.map(\.id), of: plan, { ($0, $1.storedValues) }) {
        rows[DraftKey(table, id)] = row
      }
    }
    var isKnown = known != nil
    for (key, row) in rows {
      if row.isEmpty { throw DraftError(.unknownColumns, key) }
      if let known, isKnown { isKnown = row.keys.allSatisfy { known.contains($0) } }
    }
    if let row = rows.values.first {
      if !isKnown { observeWhole(table, column, Array(row.keys)) }
    } else if session.askedTables.insert(table).inserted {
      try observeWhole(table, column)
    }
    session.read.formUnion(keys)
    session.bases.merge(rows) { $1 }
  }

  /// Sees to it that the store notifies the draft of whole rows, where there is none to be read: others may insert the row.
  func observeWhole(_ table: String, _ key: FetchPlan.Column) throws {
    if core.withLock({ $0.channels[table]?.isWhole ?? false }) { return }
    if let names = try base.columnNames(of: table) { observeWhole(table, key, names) }
  }

  /// Sees to it that the store notifies the draft of whole rows.
  /// - Parameter names: The columns that the table's rows have.
  func observeWhole(_ table: String, _ key: FetchPlan.Column, _ names: [String]) {
    observeBase(table, key, names)
    core.withLock { $0.channels[table]?.noteRowColumns(names) }
  }

  /// Makes edits that belong together: one difference in each list, one step of undo.
  ///
  /// ```swift
  /// try draft.edit("Rename") { edit in
  ///   try edit.update(photo) { $0.title = "Fjord" }
  ///   try edit.delete(Photo.self, id: other)
  /// }
  /// ```
  ///
  /// The call waits for the store to read rows that are not pending yet. When it returns, lists have the edits, except for those that
  /// are just being read. Edits of one draft, undo, redo and discards are made one after another, whichever tasks ask for them: the closure
  /// waits for none of these elsewhere. What somebody else commits while it runs is a conflict, where it is of the same.
  /// - Parameters:
  ///   - name: A name for the step of undo.
  ///   - origin: An identifier that travels with the change to every listener.
  ///   - body: Makes the edits. When it throws, none is made.
  /// - Returns: What `body` returns.
  /// - Throws: ``DraftError``, the store's error, or what `body` throws.
  /// - Complexity: O(*k* log *n*) for *k* rows in lists of *n*, and one read from the store for each row that is not pending. The first edit
  ///   during a save also copies what is pending.
  @discardableResult
  public func edit<Result>(
    _ name: String = "", origin: String? = nil, _ body: (DraftEdit) throws -> Result
  ) throws -> Result {
    try makeEdit(name, origin, body).result
  }

  /// - Parameter isHeld: Whether what the edit has done is kept until it is released, as its save may fail.
  /// - Returns: What `body` returns, and the edit; nil where it set what was there.
  func makeEdit<Result>(
    _ name: String, _ origin: String?, isHeld: Bool = false, _ body: (DraftEdit) throws -> Result
  ) throws -> (result: Result, edit: MadeEdit?) {
    editing.lock()
    defer { editing.unlock() }
    let session = beginSession()
    defer { endSession(session) }
    let edit = DraftEdit(self, session)
    defer { edit.end() }
    let result = try body(edit)
    let edits = edit.edits
    let keys = Set(edits.map { $0.key })
    let columns = edit.keyColumns
    let made = try install(keys, columns, session) { core, bases throws(DraftError) in
      let sights = core.touches[session.number]?.current(session.sights) ?? session.sights
      let effects = try core.apply(edits, named: name, bases: bases, sights: sights)
      if effects.isEmpty { return (nil as MadeEdit?, []) }
      let made = MadeEdit(serial: core.layer.serial, keys: Set(effects.map(\.key)))
      if isHeld { core.hold(edit: made.serial) }
      return (made, core.notices(of: effects, origins: origin.map { [$0] } ?? []))
    }
    // Where no list has read the table, the store may not have notified of its rows yet.
    for table in columns.keys {
      let isNew = core.withLock { core in
        guard core.channels[table]?.isKnown == false, core.layer.tables[table] != nil else { return false }
        core.channels[table]?.isStale = true
        return true
      }
      if isNew { refreshIfStale(table) }
    }
    return (result, made)
  }

  /// An edit that was made.
  struct MadeEdit: Sendable {
    var serial: UInt64
    /// The rows that it has changed.
    var keys: Set<DraftKey>
  }

  /// Makes a transition that needs certain rows, as they are in the store at that time.
  func install<Result: Sendable>(
    _ keys: Set<DraftKey>, _ columns: [String: FetchPlan.Column], _ session: Session,
    _ transition: (inout DraftCore, [DraftKey: StoredRow]) throws(DraftError) -> (Result, [DraftNotice])
  ) throws -> Result {
    while true {
      let (bases, read) = (session.bases, session.read)
      let outcome = try perform { core throws(FetchError) -> (Swift.Result<Result, Reread>, [DraftNotice]) in
        if core.isClosed { throw FetchError.closed }
        let touches = core.touches[session.number] ?? DraftTouches()
        func isUnknown(_ key: DraftKey) -> Bool {
          core.layer[key] == nil && (!read.contains(key) || touches.contains(key))
        }
        if keys.contains(where: isUnknown) {
          core.touches[session.number]?.forgetRows()
          return (.failure(Reread(keys: keys.filter(isUnknown), touches: touches)), [])
        }
        do throws(DraftError) {
          let (result, notices) = try transition(&core, bases)
          return (.success(result), notices)
        } catch {
          return (.failure(Reread(error: error)), [])
        }
      }
      switch outcome {
      case .success(let result): return result
      case .failure(let reread):
        if let error = reread.error { throw error }
        session.forget(reread.touches)
        for (table, keys) in Dictionary(grouping: reread.keys, by: \.table) {
          // A row that is pending, or was, has a channel.
          guard let column = columns[table] ?? core.withLock({ $0.channels[table]?.key }) else {
            preconditionFailure("The table “\(table)” was edited, and its primary key is not known.")
          }
          try readBases(keys, column, session)
        }
      }
    }
  }

  private struct Reread: Error {
    var keys: Set<DraftKey> = []
    /// The rows that commits have touched since they were read.
    var touches = DraftTouches()
    var error: DraftError?
  }

  // MARK: Taking back

  /// Takes all pending changes back. It can be undone.
  ///
  /// Changes that a save is just writing stay, unless the save fails: until their commit arrives, ``changes`` has them.
  /// - Parameters:
  ///   - name: A name for the step of undo.
  ///   - origin: An identifier that travels with the change to every listener.
  /// - Complexity: O(*k* log *n*) for *k* pending rows in lists of *n*.
  public func discard(named name: String = "Discard", origin: String? = nil) {
    editing.lock()
    defer { editing.unlock() }
    perform { core in
      let effects = core.discardAll(named: name)
      return ((), core.notices(of: effects, origins: origin.map { [$0] } ?? []))
    }
    releaseIdleChannels()
  }

  /// Takes the pending changes of some rows back, as ``discard(named:origin:)`` does with all. It can be undone.
  /// - Parameters:
  ///   - type: The rows' model.
  ///   - ids: The primary keys.
  ///   - name: A name for the step of undo.
  ///   - origin: An identifier that travels with the change to every listener.
  public func discard<Model: FetchModel>(
    _ type: Model.Type, _ ids: [Model.ID], named name: String = "Discard", origin: String? = nil
  ) {
    let table = type.fetchTable
    let keys = ids.compactMap { $0.fetchValue(as: table.id.type) }.map { DraftKey(table.name, $0) }
    editing.lock()
    defer { editing.unlock() }
    perform { core in
      let effects = core.discard(keys, named: name)
      return ((), core.notices(of: effects, origins: origin.map { [$0] } ?? []))
    }
    releaseIdleChannels()
  }

  /// The names of the edits that can be undone, the last one first.
  public var undoNames: [String] { core.withLock { $0.layer.history.undo.reversed().map(\.name) } }

  /// The names of the edits that can be redone, the next one first.
  public var redoNames: [String] { core.withLock { $0.layer.history.redo.reversed().map(\.name) } }

  /// Undoes the last edit, discard or redo.
  ///
  /// Of rows that were not saved since, what was pending before is pending again. Rows that were saved, or are just being saved,
  /// get the values from before as a new edit, which is to be saved; where somebody else has changed the same since, that is a
  /// conflict. What others had done in the same way before the save is theirs: the save has not changed it, and it stays. With a deletion that was saved, what foreign keys did to other rows at it is taken back as well, in tables that the draft
  /// knows. What triggers did to other rows is not.
  /// - Parameter origin: An identifier that travels with the change to every listener.
  /// - Returns: Whether there was anything to be undone.
  /// - Throws: The store's error, where a row cannot be read; `FetchError` of the kind `closed`.
  /// - Complexity: O(*k* log *n*) for *k* rows in lists of *n*, and one read from the store for those of each table that are not pending.
  @discardableResult
  public func undo(origin: String? = nil) throws -> Bool { try restore(.undo, origin) }

  /// Redoes what was undone last.
  /// - Parameter origin: An identifier that travels with the change to every listener.
  /// - Returns: Whether there was anything to be redone.
  /// - Throws: As ``undo(origin:)``.
  /// - Complexity: As ``undo(origin:)``.
  @discardableResult
  public func redo(origin: String? = nil) throws -> Bool { try restore(.redo, origin) }

  private func restore(_ direction: DraftDirection, _ origin: String?) throws -> Bool {
    editing.lock()
    defer { editing.unlock() }
    let session = beginSession()
    defer { endSession(session) }
    while true {
      guard let wanted = core.withLock({ $0.restorable(direction) }) else { return false }
      let isDone = try install(wanted.keys, [:], session) { core, bases throws(DraftError) in
        // Another edit came in between: its rows have to be known first.
        guard let now = core.restorable(direction), now == wanted else { return (false, []) }
        let effects = core.restore(direction, bases: bases)
        return (true, core.notices(of: effects, origins: origin.map { [$0] } ?? []))
      }
      if isDone { return true }
    }
  }

  /// Forgets what can be undone and redone. A ``write(_:policy:origin:_:)`` under way is taken back all the same if it fails.
  public func forgetHistory() {
    core.withLock { $0.forgetHistory() }
    releaseIdleChannels()
  }
}

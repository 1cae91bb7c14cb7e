import LiveStore

// Commits of the store, by others and by saves, applied to pending rows.
extension DraftLayer {
  // MARK: Commits

  /// Follows a commit of the store.
  /// - Parameters:
  ///   - row: The row's values that are known of the commit; nil when it has removed the row.
  ///   - isOwn: Whether the commit is that of the save.
  /// - Returns: nil where the row is not pending.
  mutating func follow(_ key: DraftKey, _ row: StoredRow?, isOwn: Bool) -> RowEffect? {
    guard var pending = self[key] else { return nil }
    let before = pending
    let values = row.map { (pending.base ?? [:]).merging($0) { $1 } }
    if isOwn, let taken = saving.removeValue(forKey: key) {
      pending.letGo(of: taken, base: values)
      noteSaved([key])
    } else {
      pending.base = values
    }
    let isLeft = pending.prune()
    store(isLeft ? pending : nil, key)
    return RowEffect(
      key: key, before: before.shown, after: isLeft ? pending.shown : values,
      changesConflict: before.isConflicting != (isLeft && pending.isConflicting))
  }

  // MARK: Saving

  /// Takes rows for a save.
  /// - Returns: The rows, in the order of their last edits.
  mutating func beginSaving(_ isWanted: (DraftKey) -> Bool) -> [(key: DraftKey, row: PendingRow)] {
    savingSerial = serial
    let taken = inOrder(isWanted)
    for (key, row) in taken { saving[key] = row }
    return taken
  }

  /// Returns pending rows in the order of their last edits.
  func inOrder(_ isWanted: (DraftKey) -> Bool) -> [(key: DraftKey, row: PendingRow)] {
    var taken: [(key: DraftKey, row: PendingRow)] = []
    for (table, rows) in tables {
      for (id, row) in rows where isWanted(DraftKey(table, id)) { taken.append((DraftKey(table, id), row)) }
    }
    // Rows of one edit have one number. Their keys decide, so that a save is the same each time.
    taken.sort { a, b in
      if a.row.serial != b.row.serial { return a.row.serial < b.row.serial }
      if a.key.table != b.key.table { return a.key.table < b.key.table }
      return a.key.id.compare(b.key.id) < 0
    }
    return taken
  }

  /// Notes that the save has failed: all is pending as before.
  mutating func saveFailed() { saving = [:] }

  /// Lets go of rows of the save that the commit's events have not named.
  /// - Parameter table: The only table that is concerned; nil for all.
  /// - Parameter wasWritten: Whether it is known that they are in the store as they were taken.
  mutating func finishSaving(table: String? = nil, wasWritten: Bool = false) -> [RowEffect] {
    let keys = saving.keys.filter { table == nil || $0.table == table }
    return keys.compactMap { key in
      guard let taken = saving.removeValue(forKey: key), var pending = self[key] else { return nil }
      let before = pending
      let base = wasWritten ? taken.shown : pending.base
      pending.letGo(of: taken, base: base)
      noteSaved([key])
      let isLeft = pending.prune()
      store(isLeft ? pending : nil, key)
      return RowEffect(
        key: key, before: before.shown, after: isLeft ? pending.shown : base,
        changesConflict: before.isConflicting != (isLeft && pending.isConflicting))
    }
  }

  private mutating func noteSaved(_ keys: [DraftKey]) { history.noteSaved(keys, upTo: savingSerial) }
}

extension PendingRow {
  /// Forgets what was saved. What was edited since stays, as an edit of the row that the save has left.
  fileprivate mutating func letGo(of taken: PendingRow, base saved: StoredRow?) {
    base = saved
    original = saved ?? taken.shown
    if taken.isDeleted {
      // It was not edited meanwhile: a row that is being deleted is not shown.
      (mine, isDeleted) = ([:], saved == nil)
      return
    }
    mine = mine.filter { column, value in taken.mine[column].map { !Self.isAlike(value, $0) } ?? true }
    if mine.isEmpty, saved == nil { isDeleted = true }
  }
}

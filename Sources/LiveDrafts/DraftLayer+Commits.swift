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
    // The commit of a save may name fewer columns than the save has written: those are known all the same.
    let known = (pending.base ?? [:]).merging(isOwn ? saving[key]?.mine ?? [:] : [:]) { $1 }
    let values = row.map { known.merging($0) { $1 } }
    if isOwn, let taken = saving.removeValue(forKey: key) {
      letGo(&pending, key, of: taken, base: values)
    } else {
      pending.rebase(values)
    }
    let isLeft = saving[key] != nil || pending.prune()
    store(isLeft ? pending : nil, key)
    return RowEffect(
      key: key, before: before.shown, after: isLeft ? pending.shown : values,
      changesConflict: before.isConflicting != (isLeft && pending.isConflicting), isStored: !isLeft)
  }

  // MARK: Saving

  /// Lets go of a row by the save's own commit, where that has left it as it is shown and it was not edited since.
  /// - Parameter isAsShown: Whether the commit has a value of a column.
  /// - Returns: Whether nothing is pending of the row any more, and no list has anything to learn.
  mutating func settle(_ key: DraftKey, isAsShown: (_ row: StoredRow) -> Bool) -> Bool {
    guard let taken = saving[key], let pending = self[key], pending.order == taken.order,
      !pending.isDeleted, !pending.isConflicting, let shown = pending.shown, isAsShown(shown)
    else { return false }
    saving[key] = nil
    store(nil, key)
    history.noteSaved(key, upTo: savingSerial, taken, shown)
    return true
  }

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
    taken.sort { $0.row.order < $1.row.order }
    return taken
  }

  /// Lets go of rows of the save that the commit's events have not named.
  /// - Parameter table: The only table that is concerned; nil for all.
  /// - Parameter wasWritten: Whether it is known that they are in the store as they were taken.
  mutating func finishSaving(table: String? = nil, wasWritten: Bool = false) -> [RowEffect] {
    let keys = saving.keys.filter { table == nil || $0.table == table }
    return keys.compactMap { key in
      guard let taken = saving.removeValue(forKey: key), var pending = self[key] else { return nil }
      let before = pending
      let base = wasWritten ? taken.shown : pending.base
      letGo(&pending, key, of: taken, base: base)
      let isLeft = pending.prune()
      store(isLeft ? pending : nil, key)
      return RowEffect(
        key: key, before: before.shown, after: isLeft ? pending.shown : base,
        changesConflict: before.isConflicting != (isLeft && pending.isConflicting), isStored: !isLeft)
    }
  }

  private mutating func letGo(
    _ pending: inout PendingRow, _ key: DraftKey, of taken: PendingRow, base saved: StoredRow?
  ) {
    pending.letGo(of: taken, base: saved)
    history.noteSaved(key, upTo: savingSerial, taken, saved)
  }

  // MARK: A save that has failed

  /// Goes on from another layer, as a save has failed.
  /// - Parameter fallback: The layer as it is without the save.
  mutating func fallBack(to fallback: DraftLayer) -> [RowEffect] {
    let before = self
    self = fallback
    var keys = Set(inOrder { _ in true }.map(\.key))
    keys.formUnion(before.inOrder { _ in true }.map(\.key))
    return keys.map { key in
      let (former, now) = (before[key], self[key])
      return RowEffect(
        key: key, before: former.map(\.shown) ?? now?.base, after: now.map(\.shown) ?? former?.base,
        changesConflict: (former?.isConflicting ?? false) != (now?.isConflicting ?? false),
        isStored: now == nil)
    }
  }
}

extension PendingRow {
  /// Forgets what was saved. What was edited since stays, as an edit of the row that the save has left.
  mutating func letGo(of taken: PendingRow, base saved: StoredRow?) {
    // From here on the row stands as the save has left it.
    rebase(saved, stood: taken.shown)
    if isDeleted {
      // By the save, or since: then it was seen as the save leaves it, in the columns that the save has written.
      mine = [:]
      if taken.isDeleted {
        (isDeleted, original) = (saved == nil, saved)
      } else {
        original = seen(with: taken, saved)
      }
      return
    }
    if taken.isDeleted {
      // It is to be there again.
      original = saved
      return
    }
    original =
      saved.map { saved in
        var original = saved
        for column in mine.keys where taken.mine[column] == nil {
          if let seen = self.original?[column] { original[column] = seen }
        }
        return original
      } ?? taken.shown
    mine = mine.filter { column, value in taken.mine[column].map { !Self.isAlike(value, $0) } ?? true }
    if mine.isEmpty, saved == nil { isDeleted = true }
  }

  private func seen(with taken: PendingRow, _ saved: StoredRow?) -> StoredRow? {
    guard let saved, var seen = original else { return saved }
    for column in taken.mine.keys { seen[column] = saved[column] }
    return seen
  }
}

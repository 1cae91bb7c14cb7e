import LiveDraftStore
import LiveStore

// Commits of the store, by others and by saves, applied to pending rows.
extension DraftLayer {
  /// Follows a commit of the store.
  /// - Parameters:
  ///   - row: The row's values that are known of the commit; nil when it has removed the row.
  ///   - isOwn: Whether the commit is that of the save.
  ///   - isLeft: Whether the row is as the save has noted to leave it, with all of its columns.
  ///   - isChanged: Whether the commit may have changed a column, as far as it says; nil where it says nothing, or has made the row.
  ///   - own: The changes of the row by the save that are known besides (``noteOwn(_:_:_:)``).
  /// - Returns: nil where the row is not pending.
  mutating func follow(
    _ key: DraftKey, _ row: StoredRow?, isOwn: Bool, isLeft: Bool = false,
    isChanged: ((_ column: String) -> Bool)? = nil, own: [String: OwnChange] = [:]
  ) -> RowEffect? {
    if !save.settled.isEmpty {
      let effect = save.settled[0].follow(
        key, row, isOwn: isOwn, isLeft: isLeft, isChanged: isChanged, own: own)
      if isOwn, let row, let isChanged, save.rows[key] == nil, let base = self[key]?.base {
        save.adopted[key] = OwnChange.between(base, row, isChanged)
      }
      if isOwn || save.stored[key] != nil { return keep(key, over: effect, row) }
    }
    guard let before = self[key] else { return nil }
    // The commit of a save may name fewer columns than the save has written: those are known all the same.
    let known = ((save.rows[key] ?? before).base ?? [:]).merging(isOwn ? save.rows[key]?.mine ?? [:] : [:]) {
      $1
    }
    let values = row.map { known.merging($0) { $1 } }
    if !save.settled.isEmpty, save.rows[key] == nil { save.theirs.updateValue(values, forKey: key) }
    var after: PendingRow? = before
    if isOwn, var taken = save.rows.removeValue(forKey: key) {
      let isConceded = concede(&taken, key)
      let written =
        isLeft ? save.written(of: taken, leaving: values) : save.written(of: taken, values, isChanged)
      var outcome = SaveOutcome(taken: taken, left: values, written: written)
      if isLeft, let values, let base = taken.base {
        outcome.own = OwnChange.between(base, values) { taken.mine[$0] == nil }
      } else if let values, let isChanged {
        outcome.own = OwnChange.between(known, values) { taken.mine[$0] == nil && isChanged($0) }
      } else if let values, taken.base == nil, written != .nothing, let sent = taken.shown {
        // Others had removed the row, which the save has inserted as a whole.
        outcome.own = OwnChange.between(sent, values) { taken.mine[$0] == nil }
      }
      if !isConceded { land(key, outcome) } else { noteIdle(key, values) }
      after = nil
    } else if save.rows[key] != nil {
      save.rows[key]?.rebase(values)
      if before.isAhead {
        after?.rebase(save.rows[key]?.shown)
        _ = after?.concede()
      }
      if !before.isAhead || after?.prune() == false { after = save.rows[key] }
    } else {
      // It may have been read already as the save has left it.
      after?.adopt(own)
      if isOwn, let values, let base = before.base, let isChanged {
        // Another row of the save has had this one changed: that is nobody else's change.
        let own = OwnChange.between(base, values, isChanged)
        after?.adopt(own)
        history.adopt(key, own)
      }
      after?.rebase(values)
      if !isOwn, let conceded = after?.concede() {
        concede(key, conceded, isDeletion: before.isDeleted)
      }
      if after?.prune() == false {
        after = nil
        noteIdle(key, values)
      }
    }
    store(after, key)
    return effect(key, before, after, stored: values)
  }

  /// Follows the save's own commit by the row that it has noted to leave.
  /// - Returns: nil where the save has not taken the row, or its commit was followed before.
  mutating func followLeft(_ key: DraftKey, _ left: StoredRow?) -> RowEffect? {
    isBeingSaved(key) ? follow(key, left, isOwn: true, isLeft: true) : nil
  }

  /// Whether the save under way has taken a row, and its commit was not followed yet.
  func isBeingSaved(_ key: DraftKey) -> Bool { (save.settled.first?.save ?? save).rows[key] != nil }

  /// Notes that nothing is pending of a row any more that no save has written.
  /// - Parameter stored: The row of the store; nil where it has none.
  mutating func noteIdle(_ key: DraftKey, _ stored: StoredRow?) {
    if let stored { history.noteIdle(key, stored, after: serial) }
  }

  /// Keeps a row as it is shown, as something was done meanwhile and not all of the save is known, and notes what the save has left of it, or
  /// others have made of that.
  private mutating func keep(_ key: DraftKey, over effect: RowEffect?, _ row: StoredRow?) -> RowEffect? {
    guard let pending = self[key] else { return nil }
    let former = effect?.after ?? save.stored[key] ?? pending.base
    save.stored.updateValue(row.map { (former ?? [:]).merging($0) { $1 } }, forKey: key)
    return self.effect(key, pending, pending, stored: nil)
  }

  /// Whether a row is known that was saved, or is not pending, and of which an edit can be undone.
  func knows(_ key: DraftKey) -> Bool {
    history.knows(key) || save.settled.contains { $0.history.knows(key) }
  }

  /// Notes what the save under way has made of a row that was saved before, without being told to.
  /// - Returns: What it has made of the row.
  mutating func noteOwn(
    _ key: DraftKey, _ row: StoredRow, _ isChanged: (String) -> Bool
  ) -> [String: OwnChange] {
    let own = history.noteOwn(key, row, isChanged)
    if save.settled.isEmpty { return own }
    return own.merging(save.settled[0].noteOwn(key, row, isChanged)) { $1 }
  }

  /// Notes how others have left a row that was saved before.
  mutating func noteOthers(_ key: DraftKey, _ row: StoredRow?) {
    history.noteOthers(key, row)
    if !save.settled.isEmpty { save.settled[0].noteOthers(key, row) }
  }

  mutating func noteOthers(in table: String) {
    history.noteOthers(in: table)
    if !save.settled.isEmpty { save.settled[0].noteOthers(in: table) }
  }

  /// Leaves to others what they have done as well of a pending row.
  mutating func concede(_ key: DraftKey, _ conceded: Concession, isDeletion: Bool) {
    history.concede(key, conceded)
    if isDeletion { history.concedeDeletion(of: key) }
  }

  /// Leaves to others what they have done as well of a row that a save has taken.
  /// - Returns: Whether that is all, so that the save had nothing to change.
  mutating func concede(_ taken: inout PendingRow, _ key: DraftKey) -> Bool {
    guard !save.doubted.contains(key), let conceded = taken.concede() else { return false }
    history.concede(key, conceded, upTo: save.lastEdit)
    return taken.isInStore
  }

  /// Notes that nobody knows whether others have left a row as it is, or the save.
  mutating func doubt(_ key: DraftKey) {
    save.doubted.insert(key)
    if !save.settled.isEmpty { save.settled[0].doubt(key) }
  }

  func effect(_ key: DraftKey, _ before: PendingRow, _ after: PendingRow?, stored: StoredRow?)
    -> RowEffect
  {
    RowEffect(
      key: key, before: before.shown, after: after.map(\.shown) ?? stored,
      changesConflict: before.isConflicting != (after?.isConflicting ?? false), isStored: after == nil)
  }
}

import LiveStore

/// The rows that commits have touched while an edit was being made.
struct DraftTouches: Sendable {
  var keys: Set<DraftKey> = []
  var tables: Set<String> = []
  /// The columns that foreign keys have changed in saves of the draft: nobody else has.
  private(set) var own: [DraftKey: [[String: OwnChange]]] = [:]

  func contains(_ key: DraftKey) -> Bool { keys.contains(key) || tables.contains(key.table) }

  /// Forgets the rows, as they are read again.
  mutating func removeAll() { (keys, tables) = ([], []) }

  mutating func note(_ effects: [OwnEffect]) {
    for effect in effects where effect.after != nil { own[effect.key, default: []].append(effect.changes) }
  }

  /// Returns rows as an edit has seen them, with what foreign keys have made of that.
  func current(_ sights: [DraftKey: DraftSight]) -> [DraftKey: DraftSight] {
    var sights = sights
    for (key, changes) in own { for changes in changes { sights[key]?.follow(changes) } }
    return sights
  }
}

extension DraftSight {
  /// Has seen what a foreign key has made of columns, where it had seen what that has found.
  mutating func follow(_ changes: [String: OwnChange]) {
    for (column, change) in changes where PendingRow.isAlike(shown?[column], change.before) {
      shown?[column] = change.after
    }
  }
}

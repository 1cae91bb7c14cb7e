import LiveStore

/// The rows that commits have touched while an edit was being made.
struct DraftTouches: Sendable {
  var keys: Set<DraftKey> = []
  var tables: Set<String> = []
  /// The effects of foreign keys in saves of the draft, which nobody else has made.
  private var own: [OwnEffects] = []

  func contains(_ key: DraftKey) -> Bool { keys.contains(key) || tables.contains(key.table) }

  /// Forgets the rows, as they are read again.
  mutating func forgetRows() { (keys, tables) = ([], []) }

  mutating func note(_ effects: OwnEffects) { if !effects.all.isEmpty { own.append(effects) } }

  /// Returns rows as an edit has seen them, with what foreign keys have made of that.
  func current(_ sights: [DraftKey: DraftSight]) -> [DraftKey: DraftSight] {
    if own.isEmpty { return sights }
    var sights = sights
    for effects in own {
      for key in sights.keys { for effect in effects[key] { sights[key]?.follow(effect.changes) } }
    }
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

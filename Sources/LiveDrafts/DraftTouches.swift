import LiveDraftStore
import LiveStore

/// The rows that commits have touched while an edit was being made.
struct DraftTouches: Sendable {
  var keys: Set<DraftKey> = []
  var tables: Set<String> = []
  /// The effects of foreign keys in saves of the draft, which nobody else has made.
  private var own: [OwnEffects] = []
  /// The changes that the database has made to values of such saves.
  private var changes: [DraftKey: [[String: OwnChange]]] = [:]

  /// The values that triggers of such saves have left of other rows, where these have changed.
  private var left: [DraftKey: StoredRow] = [:]

  /// Whether it is known of any row what a trigger of a save has made of it.
  var knowsTriggered: Bool { !left.isEmpty }

  func contains(_ key: DraftKey) -> Bool { keys.contains(key) || tables.contains(key.table) }

  /// Forgets the rows, as they are read again.
  mutating func forgetRows() { (keys, tables) = ([], []) }

  mutating func note(_ effects: OwnEffects) { if !effects.all.isEmpty { own.append(effects) } }

  mutating func note(_ changes: [String: OwnChange], of key: DraftKey) {
    self.changes[key, default: []].append(changes)
  }

  /// Notes how a save has left a row that it was not told to write, as by a trigger.
  /// - Parameter columns: The values of the columns that have changed; nil where others have written the row since.
  mutating func note(_ columns: StoredRow?, leftBySave key: DraftKey) {
    if let columns { left[key, default: [:]].merge(columns) { $1 } } else { left[key] = nil }
  }

  /// Returns rows as an edit has seen them, with what saves have made of that without being told to.
  func current(_ sights: [DraftKey: DraftSight]) -> [DraftKey: DraftSight] {
    if own.isEmpty, changes.isEmpty, left.isEmpty { return sights }
    var sights = sights
    for (key, row) in left { sights[key]?.shown?.merge(row) { $1 } }
    for (key, all) in changes { for changes in all { sights[key]?.follow(changes) } }
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

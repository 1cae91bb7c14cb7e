import LiveStore

/// The rows that commits have touched while an edit was being made.
struct DraftTouches: Sendable {
  var keys: Set<DraftKey> = []
  var tables: Set<String> = []

  func contains(_ key: DraftKey) -> Bool { keys.contains(key) || tables.contains(key.table) }
}

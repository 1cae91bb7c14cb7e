import LiveLists

/// The database of the events: the example runs on SQLite and on PostgreSQL, with the same lists and drafts.
protocol EventDatabase: Sendable {
  var store: any DraftSaving { get }
  func add(_ title: String, day: String, time: String) async throws
  func postpone(_ ids: [Int], origin: String) async throws
  func delete(_ ids: [Int], origin: String) async throws
}

/// The events that there are at first, by day and time.
let program = [
  ("2026-06-01", "09:00", "Registration"), ("2026-06-01", "10:00", "Opening words"),
  ("2026-06-01", "11:00", "Lists that never trip"), ("2026-06-01", "20:00", "Dinner at the harbour"),
  ("2026-06-02", "09:30", "Ranks between ranks"), ("2026-06-02", "13:00", "Lunch in the park"),
  ("2026-06-04", "10:00", "Open space"), ("2026-06-04", "16:00", "Farewell"),
]

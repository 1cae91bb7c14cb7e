import ExampleServer
import LiveLists

#if PostgreSQL
  import LiveFetchPostgres
#endif

/// Opens a file in the example's folder, or the database of `--postgres CONNECTION`, which any number of nodes can share
/// (`make cluster`), with `--count` events at first.
func openStore(of server: ExampleServer) async throws -> any DraftSaving {
  guard let count = Int(server["count"] ?? "5000"), (0...1_000_000).contains(count) else {
    throw ExampleServer.Refusal("--count needs a number of events, up to a million.")
  }
  guard let connection = server["postgres"] else {
    let store = try SQLiteStore(path: server.path(of: "events.sqlite"), creating: Event.self)
    try await store.write { db in
      if try Event.fetchCount(db) == 0 { for event in Event.program(count) { try event.insert(db) } }
    }
    return store
  }
  #if PostgreSQL
    let store = try await PostgresStore(connection: connection)
    try await store.write { transaction in
      // Nodes that start at once wait for one another, and the first makes the table.
      try transaction.execute("SELECT pg_advisory_xact_lock(hashtext('events'))")
      try transaction.execute(
        """
        CREATE TABLE IF NOT EXISTS event (id text PRIMARY KEY, section text NOT NULL, time text NOT NULL,
          title text NOT NULL, note text NOT NULL)
        """)
      guard try transaction.query("SELECT 1 FROM event LIMIT 1").isEmpty else { return }
      for event in Event.program(count) {
        try transaction.execute(
          "INSERT INTO event (id, section, time, title, note) VALUES (?, ?, ?, ?, ?)",
          [event.id, event.section, event.time, event.title, event.note])
      }
    }
    return store
  #else
    _ = connection
    throw ExampleServer.Refusal(
      "Built without PostgreSQL: swift build --package-path Apps --traits PostgreSQL --product events")
  #endif
}

import LiveLists

/// Events in a file.
struct SQLiteEvents: EventDatabase {
  private let database: SQLiteStore
  var store: any DraftSaving { database }

  init(path: String) async throws {
    database = try SQLiteStore(path: path)
    try await database.write { db in
      try db.create(table: "event", ifNotExists: true) { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("day", .text).notNull()
        table.column("time", .text).notNull()
        table.column("title", .text).notNull()
      }
      if try Event.fetchCount(db) == 0 {
        for (day, time, title) in program { try Self.insert(title, day, time, db) }
      }
    }
  }

  private static func insert(_ title: String, _ day: String, _ time: String, _ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO event (day, time, title) VALUES (?, ?, ?)", arguments: [day, time, title])
  }

  func add(_ title: String, day: String, time: String) async throws {
    try await database.write { db in try Self.insert(title, day, time, db) }
  }

  func postpone(_ ids: [Int], origin: String) async throws {
    try await database.write(origin: origin) { db in
      for var event in try Event.fetchAll(db, keys: ids) {
        event.day = nextDay(event.day)
        try event.update(db)
      }
    }
  }

  func delete(_ ids: [Int], origin: String) async throws {
    try await database.write(origin: origin) { db in _ = try Event.deleteAll(db, keys: ids) }
  }
}

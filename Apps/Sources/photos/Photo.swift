import LiveLists

/// A photo. Its original is a file of that identifier; the name that it came with is for people alone.
struct Photo: LiveRecord {
  var id: UUID
  var name: String
  var date: Date
  /// Such as `image/jpeg`.
  var type: String
  /// Its position: a key, and between any two there is room for another.
  var rank: Rank

  static let inOrder = FetchDescriptor<Photo>().ordered(by: .ascending(\.rank))
  var fileName: String { id.uuidString.lowercased() }
}

/// Opens the photos, also those of a release whose photos had no order but that of their dates.
func openStore(_ path: String) throws -> SQLiteStore {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("Photos") { db in
    // That release made its table by `SQLiteStore(path:creating:)`, and had no migrations yet.
    try db.create(table: "photo", options: .ifNotExists) { table in
      table.primaryKey("id", .blob)
      table.column("name", .text).notNull()
      table.column("date", .text).notNull()
      table.column("type", .text).notNull()
    }
  }
  migrator.registerMigration("An order of one's own") { db in
    try db.alter(table: "photo") { table in table.add(column: "rank", .blob).notNull().defaults(to: Data()) }
    let ids = try UUID.fetchAll(db, sql: "SELECT id FROM photo ORDER BY date, id")
    for (id, rank) in zip(ids, try Rank.between(nil, nil, count: ids.count)) {
      try db.execute(sql: "UPDATE photo SET rank = ? WHERE id = ?", arguments: [rank, id])
    }
    // The neighbours of a gap are found by it, however many photos there are.
    try db.create(index: "photoInOrder", on: "photo", columns: ["rank", "id"])
  }
  return try SQLiteStore(path: path) { pool in try migrator.migrate(pool) }
}

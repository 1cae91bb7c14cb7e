#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite

  /// A GRDB record that has become a model by naming its columns.
  struct Note: Codable, Hashable, FetchableRecord, PersistableRecord, FetchModel {
    var id: UUID
    var album: String
    var title: String?
    var position: Int
    var weight: Double?
    var created: Date
    var rank: Rank
    var views = 0

    static let databaseTableName = "note"
    static let fetchTable = FetchTable<Note>(
      "note", id: .column("id", \.id),
      columns: [
        .column("album", \.album), .column("title", \.title), .column("position", \.position),
        .column("weight", \.weight), .column("created", \.created, stored: .dateText),
        .column("rank", \.rank),
        .column("views", \.views),
      ])

    static func createTable(_ db: Database) throws {
      try db.create(table: "note") { table in
        table.primaryKey("id", .blob)
        table.column("album", .text).notNull()
        table.column("title", .text)
        table.column("position", .integer).notNull()
        table.column("weight", .double)
        table.column("created", .datetime).notNull()
        table.column("rank", .blob).notNull()
        table.column("views", .integer).notNull().defaults(to: 0)
      }
      try db.create(indexOn: "note", columns: ["album", "rank"])
    }
  }

  /// A store on a file of its own, which goes with it.
  final class TemporaryStore: Sendable {
    let store: SQLiteStore
    let directory: URL

    init(
      options: SQLiteStoreOptions = .init(), configuration: Configuration = .init(),
      prepare: @Sendable (Database) throws -> Void = Note.createTable
    ) throws {
      directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "livelists-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      store = try SQLiteStore(
        path: directory.appendingPathComponent("test.sqlite").path, configuration: configuration,
        options: options
      ) {
        pool in
        try pool.write(prepare)
      }
    }

    deinit {
      try? store.close()
      try? FileManager.default.removeItem(at: directory)
    }
  }
#endif

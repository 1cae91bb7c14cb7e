#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import _TestTools

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
    private let folder: TemporaryFolder

    var directory: URL { folder.url }

    init(
      options: SQLiteStoreOptions = .init(), configuration: Configuration = .init(),
      prepare: @Sendable (Database) throws -> Void = Note.createTable
    ) throws {
      folder = try TemporaryFolder()
      store = try SQLiteStore(
        path: folder.path + "/test.sqlite", configuration: configuration, options: options
      ) {
        pool in
        try pool.write(prepare)
      }
    }

    deinit { try? store.close() }
  }
#endif

// Of the library this import alone: what is used here has to come with it.
import LiveLists
import ListSourcesTestSupport
import _TestTools
import Testing

#if SQLite
  /// A record of GRDB's, which is a model by naming its columns.
  struct Chore: Codable, Identifiable, Hashable, Sendable, FetchableRecord, PersistableRecord, FetchModel {
    var id: Int64
    var title: String
    var isDone: Bool

    static let fetchTable = FetchTable<Chore>(
      "chore", id: .column("id", \.id), columns: [.column("title", \.title), .column("isDone", \.isDone)])

    static func makeStore(in folder: TemporaryFolder) throws -> SQLiteStore {
      try SQLiteStore(path: folder.path + "/chores.sqlite") { pool in
        try pool.write { db in
          try db.create(table: "chore") { table in
            table.primaryKey("id", .integer)
            table.column("title", .text).notNull()
            table.column("isDone", .boolean).notNull()
          }
        }
      }
    }
  }

  @Suite("The umbrella module")
  struct UmbrellaTests {
    @Test("One import is enough for a record, a store, a list, a data source and a stream")
    func oneImport() async throws {
      let folder = try TemporaryFolder()
      let store = try Chore.makeStore(in: folder)
      defer { try? store.close() }
      let open = FetchController(
        FetchDescriptor<Chore>().filter(#Predicate { !$0.isDone }).ordered(by: .ascending(\.title)), in: store
      )
      let view = StrictListView<String, Int64, String>()
      let source = DiffableDataSource(target: view) { id in open.object(for: id)?.title }
      let (_, position) = try await store.write { db in
        try Chore(id: 1, title: "Sort the photos", isDone: false).insert(db)
      }
      for try await change in open.changes {
        await source.apply(change)
        if change.position >= position { break }
      }
      let snapshot: DiffableSnapshot<String, Int64> = source.snapshot()
      #expect(snapshot.itemIdentifiers == [1] && view.violations.isEmpty)
      #expect(BrowserFiles.named("live-list.js") != nil)
    }
  }
#endif

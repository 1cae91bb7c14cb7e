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

  /// A record in sections by an enumeration, each name written once.
  struct Shot: LiveRecord, Codable, Identifiable, Sendable {
    enum Kind: Int, Codable, CaseIterable, FetchColumnValue { case film = 10, picture = 9 }

    var id: Int64
    var kind: Kind?
  }

  @Suite("The umbrella module")
  struct UmbrellaTests {
    @Test("Sections are of an enumeration's cases, as their numbers are ordered, and are found by a case")
    func sectionsByKind() async throws {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/shots.sqlite", creating: Shot.self)
      defer { try? store.close() }
      try await store.write { db in
        for (id, kind): (Int64, Shot.Kind?) in [(1, .film), (2, .picture), (3, nil), (4, .film)] {
          try Shot(id: id, kind: kind).insert(db)
        }
      }
      let shots = FetchController(
        FetchDescriptor<Shot>().sectioned(by: \.kind).ordered(by: .ascending(\.id)), in: store)
      let snapshot = try await shots.performFetch()
      let titles = try snapshot.sectionIdentifiers.map { section in
        switch try section.value(as: Shot.Kind?.self) {
        case .picture: "Pictures"
        case .film: "Films"
        case nil: "Without a kind"
        }
      }
      #expect(titles == ["Without a kind", "Pictures", "Films"] && shots.sectionNames == ["", "9", "10"])
      #expect(try snapshot.itemIdentifiers(inSection: FetchSectionID(Shot.Kind.film)) == [1, 4])
      #expect(snapshot == ["": [3], "9": [2], "10": [1, 4]])
      // What a page names in a request is the section's text.
      #expect(try FetchSectionID("10").value(as: Shot.Kind.self) == .film)
    }

    @Test("One import is enough for a record, a store, a list, a data source and a stream")
    func oneImport() async throws {
      let folder = try TemporaryFolder()
      let store = try Chore.makeStore(in: folder)
      defer { try? store.close() }
      let open = FetchController(
        FetchDescriptor<Chore>().filter(#Predicate { !$0.isDone }).ordered(by: .ascending(\.title)), in: store
      )
      let view = StrictListView<FetchSectionID, Int64, String>()
      let source = DiffableDataSource(target: view) { id in open.object(for: id)?.title }
      let (_, position) = try await store.write { db in
        try Chore(id: 1, title: "Sort the photos", isDone: false).insert(db)
      }
      for try await change in open.changes {
        await source.apply(change)
        if change.position >= position { break }
      }
      let snapshot: DiffableSnapshot<FetchSectionID, Int64> = source.snapshot()
      #expect(snapshot.itemIdentifiers == [1] && view.violations.isEmpty)
      #expect(BrowserFiles.named("live-list.js") != nil)
      #expect(BrowserFiles.named("view/rows.js") != nil, "what is in a folder has its name before its own")
    }
  }
#endif

#if SQLite
  import ListSourcesTestSupport
  import LiveLists
  import LiveListsTestSupport
  import Testing
  import _TestTools

  // The code of doc comments, which only has to compile; what gives a result runs in `DocCommentTests`. That of Apple's adapters is in
  // `Examples/Apple`, that of PostgreSQL's store in its tests.
  enum DocComments {
    typealias Source = DiffableDataSource<StrictListView<FetchSectionID, UUID, Photo>>

    @MainActor static func follow(_ source: Source, _ photos: FetchController<Photo>) -> Task<Void, any Error>
    {
      let following = Task { try await source.follow(photos) }
      return following
    }

    static func ranks(
      _ transaction: ReorderTransaction<FetchSectionID, UUID>, _ ranks: [UUID: Rank]
    ) throws -> Int {
      let writes = try transaction.rankWrites {
        ranks[$0]
      } between: {
        try Rank.between($0, $1, count: $2)
      }
      return writes.count
    }

    @MainActor static func handlers(
      _ source: Source, _ ranks: [UUID: Rank],
      _ save: @escaping @Sendable ([(item: UUID, rank: Rank)]) async throws -> Void
    ) {
      source.reorderingHandlers.canReorderItem = { _ in true }
      source.reorderingHandlers.didReorder = { transaction in
        Task {
          let writes = try transaction.rankWrites {
            ranks[$0]
          } between: {
            try Rank.between($0, $1, count: $2)
          }
          try await save(writes)
        }
      }
    }

    nonisolated(nonsending)
      static func strict(_ photos: [UUID: Photo], _ snapshot: DiffableSnapshot<String, UUID>) async
    {
      let view = StrictListView<String, UUID, Photo>()
      let source = DiffableDataSource(target: view) { id in photos[id] }
      await source.apply(snapshot)
      #expect(view.violations.isEmpty)
    }

    static func edit(_ draft: FetchDraft, _ photo: Photo, _ other: UUID) throws {
      try draft.edit("Rename") { edit in
        try edit.update(photo) { $0.title = "Fjord" }
        try edit.delete(Photo.self, id: other)
      }
    }

    static func draft(
      _ store: SQLiteStore, _ request: FetchDescriptor<Photo>, _ photo: Photo
    ) async throws -> FetchController<Photo> {
      let draft = FetchDraft(of: store)
      let photos = FetchController(request, in: draft)
      try draft.edit("Rename") { edit in try edit.update(photo) { $0.title = "Fjord" } }
      try await draft.save()
      return photos
    }

    struct Settings: Sendable { var newestFirst = true }

    struct Event: LiveRecord {
      var id: UUID
      var date: Date
    }

    static func sorted(_ store: SQLiteStore, _ settings: Settings) -> FetchController<Event> {
      let events = FetchController(in: store) { [settings] in
        FetchDescriptor<Event>().ordered(by: settings.newestFirst ? .descending(\.date) : .ascending(\.date))
      }
      return events
    }

    struct PhotoContent: Encodable, Sendable {
      var title: String
      init(_ photo: DocComments.Titled.Photo) { title = photo.title }
    }

    static func stream(
      _ photos: FetchController<Titled.Photo>,
      _ request: (uri: (path: String, query: String?), method: String),
      _ body: (write: ([UInt8]) async throws -> Void, Void)
    ) async throws {
      let stream = photos.stream { PhotoContent($0) }
      for await event in stream.events(query: request.uri.query) { try await body.write(event) }
    }

    static func join(_ owner: Int64) -> FetchDescriptor<Photo> {
      FetchDescriptor<Photo>.sql(
        """
        SELECT photo.id, album.title FROM photo JOIN album ON album.id = photo.albumID
        WHERE album.owner = ? ORDER BY album.title, photo.rank, photo.id
        """, [.integer(owner)], reading: ["photo", "album"], isSectioned: true)
    }

    static func folder() throws -> SQLiteStore {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/test.sqlite")
      return store
    }
  }

  extension DocComments {
    enum Titled {
      struct Photo: LiveRecord {
        var id = UUID()
        var title: String
      }

      static func insert(
        _ title: String, in store: SQLiteStore, _ photos: FetchController<Photo>
      ) async throws -> Photo {
        let (photo, position) = try await store.write { db in try Photo(title: title).inserted(db) }
        await photos.waitUntil(position)
        return photo
      }
    }

    enum Models {
      struct Photo: FetchModel {
        var id: UUID
        var albumID: UUID
        var title: String

        static let fetchTable = FetchTable<Photo>(
          "photo", id: .column("id", \.id),
          columns: [.column("albumID", \.albumID), .column("title", \.title)])

        init(fetchRow row: FetchRow) throws {
          id = try row["id"]
          albumID = try row["albumID"]
          title = try row["title"]
        }
      }

      struct ToDo: Codable, FetchModel {
        var id: Int64
        var title: String
        var isDone: Bool
        static let fetchTable = FetchTable<ToDo>(decoding: "toDo")
        init(fetchRow row: FetchRow) throws { self = try row.decode() }
      }
    }

    enum Ranked {
      struct Photo: FetchModel {
        var id: UUID
        var albumID: UUID
        var title: String
        var rank: Rank

        static let fetchTable = FetchTable<Photo>(
          "photo", id: .column("id", \.id),
          columns: [.column("albumID", \.albumID), .column("title", \.title), .column("rank", \.rank)])

        init(fetchRow row: FetchRow) throws {
          id = try row["id"]
          albumID = try row["albumID"]
          title = try row["title"]
          rank = try row["rank"]
        }
      }
    }

    enum Kinds {
      struct Photo: LiveRecord {
        enum Kind: String, Codable, FetchColumnValue {
          case picture, film

          var title: String { rawValue }
        }

        var id: UUID
        var kind: Kind
        var rank: Rank
      }

      typealias Kind = Photo.Kind

      struct List { var headerTitle: ((FetchSectionID) -> String?)? }

      static func sections(_ controller: FetchController<Photo>) throws -> FetchDescriptor<Photo> {
        let request = FetchDescriptor<Photo>().sectioned(by: \.kind).ordered(by: .ascending(\.rank))
        for section in controller.snapshot?.sectionIdentifiers ?? [] {
          switch try section.value(as: Photo.Kind.self) {
          case .picture: print("Pictures")
          case .film: print("Films")
          }
        }
        return request
      }

      static func films(_ snapshot: DiffableSnapshot<FetchSectionID, UUID>) throws -> [UUID] {
        let films = try snapshot.itemIdentifiers(inSection: FetchSectionID(Photo.Kind.film))
        return Array(films)
      }

      static func title(_ list: inout List) {
        list.headerTitle = { (try? $0.value(as: Kind?.self))?.title ?? "Without a kind" }
      }
    }

    enum Cursors {
      final class LineCursor: FetchRowCursor {
        private var lines: ArraySlice<String>
        private let buffer = FetchRowBuffer(columnCount: 2)
        private var number: Int64 = 0

        init(_ lines: [String]) { self.lines = lines[...] }

        func next() throws -> FetchRawRow? {
          guard let line = lines.popFirst() else { return nil }
          number += 1
          buffer.clear()
          buffer.setInteger(number, column: 0)
          buffer.setText(line, column: 1)
          return buffer.row
        }
      }
    }
  }
#endif

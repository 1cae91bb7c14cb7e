#if SQLite
  import ListSourcesTestSupport
  import LiveLists
  import Testing

  // The pieces of the modules' own pages. Most only have to compile.
  enum ModulePages {
    typealias Photo = ValueObservationGuide.Photo

    static func liveFetch(
      _ albumID: UUID, _ show: (DiffableSnapshot<FetchSectionID, UUID>) -> Void
    ) async throws {
      let store = try SQLiteStore(path: "photos.sqlite")

      let request = FetchDescriptor<Photo>()
        .filter(#Predicate { $0.albumID == albumID })
        .ordered(by: .ascending(\.rank))

      let photos = FetchController(request, in: store)
      for try await change in photos.changes {
        show(change.snapshot)
      }
    }

    static func liveFetchSQLite(_ photo: Photo, _ migrator: DatabaseMigrator) async throws {
      let store = try SQLiteStore(path: "photos.sqlite") { pool in try migrator.migrate(pool) }
      try await store.write(origin: "drag-1") { db in try photo.update(db) }
    }

    typealias Observer = (receive: (FetchStoreEvent) -> Void, Void)

    static func liveStore(_ observer: Observer, commit: UInt64) {
      observer.receive(
        .changes(
          ChangeSet(
            position: FetchPosition(commit), columns: ["id", "title"], tableColumns: ["id", "title", "note"],
            rows: [
              ChangeSet.Row(
                id: .integer(7), values: [.integer(7), .text("Sea")], change: .updated(ColumnSet(column: 1)))
            ])))
    }

    nonisolated(nonsending)
      static func listSources(
        _ grid: StrictListView<FetchSectionID, UUID, Photo>, _ photos: FetchController<Photo>,
        _ snapshot: DiffableSnapshot<FetchSectionID, UUID>
      ) async throws
    {
      let source = DiffableDataSource(target: grid) { id in photos.object(for: id) }

      await source.apply(snapshot)  // the first is a reload
      try await source.follow(photos)  // and each change, until the task is cancelled
    }
  }

  struct ModulePagesTests {
    @Test("The page of Snapshots says what its code does")
    func snapshots() throws {
      var list: DiffableSnapshot<String, Int> = ["Fruit": [1, 2, 3], "Vegetables": [4, 5]]
      let before = list
      try list.moveItem(2, beforeItem: 5)
      list.deleteItems([4])

      let difference = list.difference(from: before)
      #expect(difference.deletedItems.map(\.id) == [4])
      #expect(difference.movedItems.map(\.id) == [2])
      #expect(try before.applying(difference) == list)
      #expect(try list.applying(difference.inverse) == before)
    }
  }
#endif

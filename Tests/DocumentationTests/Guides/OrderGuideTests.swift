#if SQLite
  import LiveLists
  import _TestTools
  import Testing

  /// The pieces of "An order of one's own" and of "Search as you type" that are no programs of their own.
  struct OrderGuideTests {
    typealias Photo = OrderGuide.Photo

    private static let request = FetchDescriptor<Photo>().ordered(by: .ascending(\.rank))

    /// A database of the time before there was an order, with so many photos.
    private func oldPhotos(_ count: Int, in folder: TemporaryFolder) async throws -> String {
      let path = folder.path + "/photos.sqlite"
      let queue = try DatabaseQueue(path: path)
      try await queue.write { db in
        try db.create(table: "photo") { table in
          table.primaryKey("id", .blob)
          table.column("taken", .datetime).notNull()
        }
        for n in 0..<count {
          let taken = Date(timeIntervalSince1970: Double(n) * 100)
          try db.execute(sql: "INSERT INTO photo VALUES (?, ?)", arguments: [UUID(), taken])
        }
      }
      try queue.close()
      return path
    }

    @Test("The migration has the order be that in which photos were taken")
    func migrates() async throws {
      let folder = try TemporaryFolder()
      let store = try OrderGuide.openPhotos(at: try await oldPhotos(5, in: folder))
      defer { try? store.close() }
      let photos = FetchController(Self.request, in: store)
      try await photos.performFetch()
      let taken = try photos.objects(in: 0..<9).map(\.taken)
      #expect(taken.count == 5 && taken == taken.sorted())
    }

    @Test("A drag writes the rows that were dragged, and no others")
    func drags() async throws {
      let folder = try TemporaryFolder()
      let store = try OrderGuide.openPhotos(at: try await oldPhotos(5, in: folder))
      defer { try? store.close() }
      let photos = FetchController(Self.request, in: store)
      let ids = try await photos.performFetch().itemIdentifiers
      var drag: ReorderTransaction<FetchSectionID, UUID>?
      let view = ListForDrags()
      let source = DiffableDataSource(target: view) { id in photos.object(for: id) }
      source.reorderingHandlers.canReorderItem = { _ in true }
      source.reorderingHandlers.didReorder = { drag = $0 }
      await source.apply(try #require(photos.snapshot))
      var session = try #require(source.beginReordering([ids[4]]))
      session.move(to: ReorderDestination(section: "", before: ids[0]))
      await source.endReordering(session)

      let changes = photos.changes.makeAsyncIterator()
      _ = try await changes.next()
      try await OrderGuide.save(try #require(drag), of: photos, in: store)
      let change = try #require(try await changes.next())
      #expect(change.snapshot.itemIdentifiers == [ids[4]] + ids[..<4])
      #expect(change.moved == [ids[4]] && change.cost.rowsRead == 1)
    }

    @Test("Where two have one rank, a third is put between them by giving neighbours new ones")
    func makesRoom() async throws {
      let folder = try TemporaryFolder()
      let store = try OrderGuide.openPhotos(at: try await oldPhotos(4, in: folder))
      defer { try? store.close() }
      let photos = FetchController(Self.request, in: store)
      try await photos.performFetch()
      var all = try photos.objects(in: 0..<9)
      // Two people dropped theirs into the same gap.
      all[2].rank = all[1].rank
      let twin = all[2]
      try await store.write { db in try twin.update(db) }
      all = try photos.objects(in: 0..<9)
      #expect(throws: RankError.noRoom(all[1].rank, all[2].rank)) {
        try Rank.between(all[1].rank, all[2].rank)
      }
      try await OrderGuide.put(all[3].id, between: Array(all[..<2]), and: [all[2]], in: store)
      #expect(try photos.objects(in: 0..<9).map(\.id) == [0, 1, 3, 2].map { all[$0].id })
    }

    @Test("A thousand drops into one gap make a rank as long as the guide says")
    func grows() throws {
      let first = try Rank.between(nil, nil)
      var last = try Rank.between(first, nil)
      for _ in 0..<1_000 { last = try Rank.between(first, last) }
      #expect((100...160).contains(last.bytes.count), "\(last.bytes.count) bytes")
    }

    @Test("A list in sections has the rows of each, by the first letter")
    func sections() async throws {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/todo.sqlite", creating: ToDo.self)
      defer { try? store.close() }
      try await store.write { db in
        for (n, title) in ["Sort the photos", "Bake bread", "answer", "Buy milk"].enumerated() {
          try ToDo(id: Int64(n), title: title, isDone: false).insert(db)
        }
      }
      let snapshot = try await SectionGuide.list(store)
      #expect(snapshot == ["A": [2], "B": [1, 3], "S": [0]])
    }

    @Test("A full-text index finds the rows of a list, in its own order")
    func searches() async throws {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/notes.sqlite", creating: SearchGuide.Note.self)
      defer { try? store.close() }
      try await store.write { db in
        try db.create(virtualTable: "noteIndex", using: FTS5()) { table in
          table.synchronize(withTable: "note")
          table.column("text")
        }
        for (n, text) in ["the sea at dusk", "a pier", "sea and dunes, sea and sky"].enumerated() {
          try SearchGuide.Note(id: Int64(n), text: text).insert(db)
        }
      }
      let notes = FetchController(SearchGuide.request(matchingWords: "sea"), in: store)
      #expect(Set(try await notes.performFetch().itemIdentifiers) == [0, 2])
    }
  }

  /// A view that shows a list without looking at it.
  private final class ListForDrags: ListTarget {
    func reload(_ update: ListUpdate<FetchSectionID, UUID, OrderGuide.Photo>) async throws {}
    func perform(_ update: ListUpdate<FetchSectionID, UUID, OrderGuide.Photo>) async throws {}
  }
#endif

#if SQLite
  import LiveLists

  // The pieces of "An order of one's own" that are no program of their own. OrderGuideTests runs them.
  enum OrderGuide {
    struct Photo: LiveRecord {
      var id: UUID
      var taken: Date
      var rank: Rank
    }

    static func openPhotos(at path: String) throws -> SQLiteStore {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("An order of one's own") { db in
        try db.alter(table: "photo") { table in
          table.add(column: "rank", .blob).notNull().defaults(to: Data())
        }
        let ids = try UUID.fetchAll(db, sql: "SELECT id FROM photo ORDER BY taken, id")
        for (id, rank) in zip(ids, try Rank.between(nil, nil, count: ids.count)) {
          try db.execute(sql: "UPDATE photo SET rank = ? WHERE id = ?", arguments: [rank, id])
        }
      }
      return try SQLiteStore(path: path) { pool in try migrator.migrate(pool) }
    }

    static func save(
      _ drag: ReorderTransaction<FetchSectionID, UUID>, of photos: FetchController<Photo>,
      in store: SQLiteStore
    ) async throws {
      let writes = try drag.rankWrites {
        photos.object(for: $0)?.rank
      } between: {
        try Rank.between($0, $1, count: $2)
      }
      try await store.write { db in
        for write in writes {
          try db.execute(
            sql: "UPDATE photo SET rank = ? WHERE id = ?", arguments: [write.rank, write.item])
        }
      }
    }

    static func put(
      _ id: UUID, between before: [Photo], and after: [Photo], in store: SQLiteStore
    ) async throws {
      let placement = try Rank.place(
        1, before: before.map(\.rank), after: after.map(\.rank), reachesStart: true, reachesEnd: true)
      let writes =
        [(id, placement.placed[0])]
        + zip(before.suffix(placement.before.count).map(\.id), placement.before)
        + zip(after.prefix(placement.after.count).map(\.id), placement.after)
      try await store.write { db in
        for (id, rank) in writes {
          try db.execute(sql: "UPDATE photo SET rank = ? WHERE id = ?", arguments: [rank, id])
        }
      }
    }
  }

  // The piece of "Start in five minutes" that has sections. Its `ToDo` is that of "Testing your lists".
  enum SectionGuide {
    static func list(_ store: SQLiteStore) async throws -> DiffableSnapshot<FetchSectionID, Int64> {
      let inSections = FetchController(
        FetchDescriptor<ToDo>().sectioned(by: .initial(\.title)).ordered(by: .ascending(\.title)),
        in: store)
      let snapshot = try await inSections.performFetch()
      for section in snapshot.sectionIdentifiers {
        print(section)
        for id in try snapshot.itemIdentifiers(inSection: section) {
          print(" ", inSections.object(for: id)?.title ?? "")
        }
      }
      return snapshot
    }
  }

  // The piece of "Search as you type" that finds words by a full-text index.
  enum SearchGuide {
    struct Note: LiveRecord {
      var id: Int64
      var text: String
    }

    static func request(matchingWords words: String) -> FetchDescriptor<Note> {
      .sql(
        "SELECT note.id FROM note JOIN noteIndex ON noteIndex.rowid = note.id WHERE noteIndex MATCH ? ORDER BY rank",
        [.text(words)], reading: ["note"])
    }
  }
#endif

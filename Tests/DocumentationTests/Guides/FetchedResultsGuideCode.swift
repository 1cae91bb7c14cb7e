#if SQLite
  import LiveLists

  // The code of "From NSFetchedResultsController" that is no view controller. FetchedResultsGuideTests runs it.
  enum FetchedResultsGuide {
    struct Event: LiveRecord, DraftModel {
      var id: UUID
      var sectionName: String
      var timestamp: Date
    }

    static func request() -> FetchDescriptor<Event> {
      let request = FetchDescriptor<Event>()
        .filter(#Predicate { $0.sectionName != "Archive" })
        .sectioned(by: \.sectionName)
        .ordered(by: .descending(\.timestamp))
      return request
    }

    static func byMonth() -> FetchDescriptor<Event> {
      let byMonth = FetchDescriptor<Event>()
        .sectioned(by: .month(\.timestamp), order: .descending)
        .ordered(by: .descending(\.timestamp))
      return byMonth
    }

    final class Log: FetchControllerDelegate {
      func listDidChange(_ change: FetchChange<UUID>) async {
        print(change.inserted.count, "in,", change.deleted.count, "out,", change.updated.count, "changed")
      }
    }

    static func write(_ event: Event, _ other: Event, in store: SQLiteStore) async throws {
      try await store.write { db in
        var event = event
        event.sectionName = "Done"
        try event.update(db)
        try other.delete(db)
      }
    }

    static func move(_ old: [Event], to store: SQLiteStore) async throws {
      try await store.write { db in
        guard try Event.fetchCount(db) == 0 else { return }
        for event in old { try event.insert(db) }
      }
    }

    struct Photo {
      var rank: Rank
      func setRank(_ rank: Rank, _ db: Database) throws {}
    }

    static func reorder(
      _ photo: Photo, _ ranks: [Rank], before: Int, after: Int, act: String, in store: SQLiteStore
    ) async throws {
      let rank = try Rank.between(ranks[before], ranks[after])
      try await store.write(origin: act) { db in try photo.setRank(rank, db) }
    }
  }
#endif

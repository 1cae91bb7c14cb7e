#if SQLite
  import LiveLists

  // The code of "From SwiftData" that is no view. SwiftDataGuideTests runs it.
  enum SwiftDataGuide {
    typealias Event = FetchedResultsGuide.Event

    @MainActor
    final class AppModel {
      let store: SQLiteStore
      let events: FetchController<Event>

      init(path: String) throws {
        store = try SQLiteStore(path: path, creating: Event.self)
        events = FetchController(
          FetchDescriptor<Event>().sectioned(by: \.sectionName).ordered(by: .descending(\.timestamp)),
          in: store)
      }
    }

    @MainActor
    final class Badge {
      private(set) var text = ""

      func follow(_ events: FetchController<Event>) async throws {
        for try await change in events.changes {
          text = "\(change.snapshot.numberOfItems) events, \(change.inserted.count) of them new"
        }
      }
    }

    static func rename(_ event: Event, to name: String, in store: SQLiteStore) async throws {
      try await store.write { db in
        var event = event
        event.sectionName = name
        try event.update(db)
      }
    }
  }
#endif

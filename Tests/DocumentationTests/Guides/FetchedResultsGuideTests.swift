#if SQLite
  import LiveLists
  import _TestTools
  import Testing

  /// The claims of "From NSFetchedResultsController" about requests, writes and the move of old data.
  struct FetchedResultsGuideTests {
    typealias Event = FetchedResultsGuide.Event

    private func event(_ section: String, _ day: Int) -> Event {
      Event(id: UUID(), sectionName: section, timestamp: Date(timeIntervalSince1970: Double(day) * 86_400))
    }

    @Test("Old events are written once, and show in sections, the newest first")
    func moves() async throws {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/events.sqlite", creating: Event.self)
      defer { try? store.close() }
      let old = [event("A", 1), event("A", 40), event("B", 70), event("Archive", 3)]
      // The second start finds them there.
      for _ in 0..<2 { try await FetchedResultsGuide.move(old, to: store) }

      let list = FetchController(FetchedResultsGuide.request(), in: store)
      let snapshot = try await list.performFetch()
      #expect(snapshot.sectionIdentifiers.map(\.text) == ["A", "B"])
      #expect(snapshot.itemIdentifiers == [old[1], old[0], old[2]].map(\.id))
      let byMonth = try await FetchController(FetchedResultsGuide.byMonth(), in: store).performFetch()
      #expect(byMonth.sectionIdentifiers.map(\.text) == ["1970-03", "1970-02", "1970-01"])
    }

    @Test("A write moves an event to its new section, and takes another out")
    func writes() async throws {
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path + "/events.sqlite", creating: Event.self)
      defer { try? store.close() }
      let events = [event("A", 1), event("A", 2), event("B", 3)]
      try await FetchedResultsGuide.move(events, to: store)
      let list = FetchController(FetchedResultsGuide.request(), in: store)
      try await list.performFetch()
      let log = FetchedResultsGuide.Log()
      list.setDelegate(log)
      try await FetchedResultsGuide.write(events[0], events[2], in: store)
      let sections = try #require(list.snapshot).sections
      #expect(sections.map(\.id.text) == ["A", "Done"])
      #expect(sections.map { Array($0.items) } == [[events[1].id], [events[0].id]])
    }
  }
#endif

#if SQLite
  import LiveLists
  import _TestTools
  import Testing

  struct SwiftDataGuideTests {
    @MainActor @Test("A badge follows the list, and a rename moves an event to its section")
    func follows() async throws {
      let folder = try TemporaryFolder()
      let model = try SwiftDataGuide.AppModel(path: folder.path + "/events.sqlite")
      defer { try? model.store.close() }
      let badge = SwiftDataGuide.Badge()
      let following = Task { try await badge.follow(model.events) }
      let event = SwiftDataGuide.Event(
        id: UUID(), sectionName: "A", timestamp: Date(timeIntervalSince1970: 0))
      while badge.text.isEmpty { await Task.yield() }
      try await model.store.write { db in try event.insert(db) }
      while badge.text != "1 events, 1 of them new" { await Task.yield() }
      try await SwiftDataGuide.rename(event, to: "B", in: model.store)
      #expect(model.events.snapshot?.sectionIdentifiers.map(\.text) == ["B"])
      following.cancel()
      try? await following.value
    }
  }
#endif

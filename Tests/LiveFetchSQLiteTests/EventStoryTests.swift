import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  /// 5,000 events in 7 sections, by section and then the newest first: the story the product grew out of.
  @Suite("5,000 events", .serialized)
  struct EventStoryTests {
    struct Event: Codable, FetchableRecord, PersistableRecord, FetchModel {
      var id: Int64
      var section: String
      var time: Date
      var seen: Int

      static let databaseTableName = "event"
      static let fetchTable = FetchTable<Event>(
        "event", id: .column("id", \.id),
        columns: [
          .column("section", \.section), .column("time", \.time, stored: .dateText), .column("seen", \.seen),
        ])
    }

    static let request = FetchDescriptor<Event>().ordered(by: .descending(\.time)).sectioned(by: \.section)
    static let start = Date(timeIntervalSince1970: 1_000_000_000)

    func prepared() async throws -> (TemporaryStore, FetchController<Event>, FetchChanges<Int64>.Iterator) {
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql:
            "CREATE TABLE event (id INTEGER PRIMARY KEY, section TEXT NOT NULL, time TEXT NOT NULL, seen INTEGER NOT NULL)"
        )
        for number in 0..<5_000 {
          try Event(
            id: Int64(number), section: "day \(number % 7)",
            time: Self.start.addingTimeInterval(Double(number)), seen: 0
          ).insert(db)
        }
      }
      let controller = FetchController(Self.request, in: temporary.store)
      try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      return (temporary, controller, changes)
    }

    @Test("The first fetch has 7 sections and 5,000 items, the newest first")
    func first() async throws {
      let (temporary, controller, _) = try await prepared()
      defer { withExtendedLifetime(temporary) {} }
      let snapshot = try #require(controller.snapshot)
      #expect(snapshot.numberOfSections == 7 && snapshot.numberOfItems == 5_000)
      #expect(snapshot.sections[0].items.first == 4_998)
      #expect(controller.object(for: 4_998)?.section == "day 0")
    }

    @Test(
      "A column that nobody sorts or shows: an update of that row, no new order, one statement for one row")
    func unseenColumn() async throws {
      let (temporary, controller, changes) = try await prepared()
      let before = controller.statistics
      try await temporary.store.write { db in try db.execute(sql: "UPDATE event SET seen = 1 WHERE id = 77") }
      let change = try #require(try await changes.next())
      #expect(change.updated == [77] && !change.difference.changesStructure)
      #expect(controller.statistics.statements == before.statements + 1)
      #expect(controller.statistics.rowsRead == before.rowsRead + 1)
      #expect(controller.object(for: 77)?.seen == 1)
    }

    @Test("A new time: the item is first in its section")
    func newTime() async throws {
      let (temporary, _, changes) = try await prepared()
      let time = Self.start.addingTimeInterval(9_999)
      try await temporary.store.write { db in
        try db.execute(sql: "UPDATE event SET time = ? WHERE id = 14", arguments: [time])
      }
      let change = try #require(try await changes.next())
      #expect(change.moved == [14] && change.snapshot.sections[0].items.first == 14)
    }

    @Test("A new section: the item has left the one and is in the other, and the count is the same")
    func newSection() async throws {
      let (temporary, _, changes) = try await prepared()
      try await temporary.store.write { db in
        try db.execute(sql: "UPDATE event SET section = 'day 6' WHERE id = 14")
      }
      let change = try #require(try await changes.next())
      #expect(change.moved == [14] && change.snapshot.sectionIdentifier(containingItem: 14) == "day 6")
      #expect(change.snapshot.numberOfItems == 5_000)
    }

    @Test("An insert is first in its section, a delete is gone and has no object")
    func insertAndDelete() async throws {
      let (temporary, controller, changes) = try await prepared()
      let event = Event(id: 9_000, section: "day 3", time: Self.start.addingTimeInterval(8_000), seen: 0)
      try await temporary.store.write { db in try event.insert(db) }
      let insertion = try #require(try await changes.next())
      #expect(insertion.inserted == [9_000] && insertion.snapshot.sections[3].items.first == 9_000)
      #expect(controller.object(for: 9_000)?.section == "day 3")
      try await temporary.store.write { db in _ = try Event.deleteOne(db, key: 9_000) }
      let deletion = try #require(try await changes.next())
      #expect(deletion.deleted == [9_000] && controller.object(for: 9_000) == nil)
    }

    @Test("Walking all objects reads each row once, forty at a time")
    func walk() async throws {
      let (temporary, controller, _) = try await prepared()
      defer { withExtendedLifetime(temporary) {} }
      let items = try #require(controller.snapshot).items
      #expect(items.allSatisfy { controller.object(for: $0)?.id == $0 })
      let statistics = controller.statistics
      #expect(statistics.objectsRead == 5_000)
      #expect(statistics.cacheMisses <= 5_000 / 30 + 1)
    }
  }
#endif

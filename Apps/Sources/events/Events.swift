import ExampleServer
import Foundation
import LiveLists

/// Events in sections, a section for each day: `events [PORT]`, then open the address that it prints.
@main
struct Events {
  static func main() async throws {
    let store = try SQLiteStore(path: "events.sqlite")
    try await store.write { db in
      try db.create(table: "event", ifNotExists: true) { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("day", .text).notNull()
        table.column("time", .text).notNull()
        table.column("title", .text).notNull()
      }
      if try Event.fetchCount(db) == 0 {
        for (day, time, title) in program { try insert(title, day, time, db) }
      }
    }
    guard let page = Bundle.module.url(forResource: "Page", withExtension: nil) else { return }
    let server = ExampleServer(page: page, store: store)

    // The list: sections are the days that have events, in order; a day comes and goes with its events.
    server.list("/stream") { _ in
      FetchDescriptor<Event>().sectioned(by: \.day).ordered(by: .ascending(\.time), .ascending(\.title))
    } content: {
      $0
    }

    server.act("/events", NewEvent.self) { event in
      guard isDay(event.day), !event.title.isEmpty else { return }
      try await store.write { db in try insert(event.title, event.day, event.time, db) }
    }

    // An event that is put off moves to another section, which may be a new one, and may leave none behind.
    server.act("/postponements", Act.self) { act in
      try await store.write(origin: act.act) { db in
        for var event in try Event.fetchAll(db, keys: act.ids.compactMap(Int.init)) {
          event.day = nextDay(event.day)
          try event.update(db)
        }
      }
    }

    server.act("/deletes", Act.self) { act in
      try await store.write(origin: act.act) { db in
        _ = try Event.deleteAll(db, keys: act.ids.compactMap(Int.init))
      }
    }
    try await server.run(defaultPort: 8082)
  }

  static func insert(_ title: String, _ day: String, _ time: String, _ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO event (day, time, title) VALUES (?, ?, ?)", arguments: [day, time, title])
  }

  struct NewEvent: Decodable {
    var day: String
    var time: String
    var title: String
  }

  struct Act: Decodable {
    var act: String
    var ids: [String]
  }
}

struct Event: Codable, Sendable, FetchableRecord, PersistableRecord, FetchModel {
  var id: Int
  var day: String
  var time: String
  var title: String

  static let fetchTable = FetchTable<Event>(
    "event", id: .column("id", \.id),
    columns: [.column("day", \.day), .column("time", \.time), .column("title", \.title)])
}

// Days are written as 2026-06-01, whose order as text is that of time, in every language and time zone.

let dayFormat = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()

func isDay(_ day: String) -> Bool { (try? dayFormat.parse(day)).map(dayFormat.format) == day }

func nextDay(_ day: String) -> String {
  (try? dayFormat.parse(day)).map { dayFormat.format($0.addingTimeInterval(86_400)) } ?? day
}

let program = [
  ("2026-06-01", "09:00", "Registration"), ("2026-06-01", "10:00", "Opening words"),
  ("2026-06-01", "11:00", "Lists that never trip"), ("2026-06-01", "20:00", "Dinner at the harbour"),
  ("2026-06-02", "09:30", "Ranks between ranks"), ("2026-06-02", "13:00", "Lunch in the park"),
  ("2026-06-04", "10:00", "Open space"), ("2026-06-04", "16:00", "Farewell"),
]

import ExampleServer
import Foundation
import LiveLists

/// Events in sections, a section for each day: `events [PORT] [--postgres CONNECTION]`, then open the address that it prints.
///
/// They are in the file `events.sqlite`, or in a PostgreSQL database, which further nodes can share (`make cluster`).
@main
struct Events {
  static func main() async throws {
    let database = try await openDatabase()
    let store = database.store
    guard let page = Bundle.module.url(forResource: "Page", withExtension: nil) else { return }
    let server = ExampleServer(page: page, store: store)

    // Each page shows its own draft: what is typed in its editor is in its list at once, and in those of others when it is saved.
    let drafts = Drafts(of: store)

    // The list: sections are the days that have events, in order; a day comes and goes with its events.
    server.list("/stream", in: { drafts[$0["draft"] ?? ""] }) { _ in
      FetchDescriptor<Event>().sectioned(by: \.day).ordered(by: .ascending(\.time), .ascending(\.title))
    } content: { event, query in
      // A conflict is known when somebody else saves, and not when this page does: the row is then sent again, with theirs.
      Shown(event, drafts[query["draft"] ?? ""].state(of: Event.self, event.id))
    }

    server.act("/events", NewEvent.self) { event in
      guard isDay(event.day), !event.title.isEmpty else { return }
      try await database.add(event.title, day: event.day, time: event.time)
    }

    // One field at a time: what others change of the rest meanwhile is not to be written over.
    server.act("/edits", Edit.self) { new in
      guard let id = Int(new.id), !new.value.isEmpty, new.field != .day || isDay(new.value) else { return }
      do {
        try drafts[new.draft].edit("Edit") { edit in
          try edit.update(Event.self, id: id) { event in
            switch new.field {
            case .day: event.day = new.value
            case .time: event.time = new.value
            case .title: event.title = new.value
            }
          }
        }
      } catch let error as DraftError {
        throw ExampleServer.Refusal(error.kind == .rowMissing ? "The event was deleted." : error.description)
      }
    }

    server.act("/saves", Ending.self) { ending in
      do {
        try await drafts[ending.draft].save(policy: ending.isMine ? .mine : .mergeColumns)
      } catch let conflict as DraftConflict {
        throw ExampleServer.Refusal(conflict.rows.map(Shown.reason).joined(separator: " "))
      }
    }

    server.act("/discards", Ending.self) { ending in drafts[ending.draft].discard() }

    // An event that is put off moves to another section, which may be a new one, and may leave none behind.
    server.act("/postponements", Act.self) { act in
      try await database.postpone(act.ids.compactMap(Int.init), origin: act.act)
    }

    server.act("/deletes", Act.self) { act in
      try await database.delete(act.ids.compactMap(Int.init), origin: act.act)
    }
    try await server.run(defaultPort: 8082)
  }

  /// Opens the database of the option, or the file in this folder.
  private static func openDatabase() async throws -> any EventDatabase {
    guard let option = CommandLine.arguments.firstIndex(of: "--postgres") else {
      return try await SQLiteEvents(path: "events.sqlite")
    }
    guard let connection = CommandLine.arguments.dropFirst(option + 1).first else {
      end("--postgres needs a connection, such as postgresql://app@localhost/events")
    }
    #if PostgreSQL
      do {
        return try await PostgresEvents(connection: connection)
      } catch {
        end("\(error)")
      }
    #else
      _ = connection
      end("Built without PostgreSQL: swift build --package-path Apps --traits PostgreSQL --product events")
    #endif
  }

  private static func end(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }

  struct NewEvent: Decodable {
    var day: String
    var time: String
    var title: String
  }

  struct Edit: Decodable {
    var draft: String
    var id: String
    var field: Field
    var value: String
  }

  enum Field: String, Decodable { case day, time, title }

  struct Ending: Decodable {
    var draft: String
    var isMine: Bool
  }

  /// An event as a page is sent it.
  struct Shown: Encodable {
    var id: Int
    var day: String
    var time: String
    var title: String
    /// The reason why it cannot be saved as it is; nil where it can.
    var conflict: String?

    init(_ event: Event, _ state: DraftRowState) {
      (id, day, time, title) = (event.id, event.day, event.time, event.title)
      if case .conflicting(let row) = state { conflict = Self.reason(row) }
    }

    static func reason(_ row: DraftConflict.Row) -> String {
      guard let theirs = row.theirs else { return "Somebody has deleted the event." }
      let values = row.columns.sorted().compactMap { column -> String? in
        guard case .text(let value)? = theirs[column] else { return nil }
        return "\(column) to “\(value)”"
      }
      return "Somebody has changed the \(values.joined(separator: " and the "))."
    }
  }

  struct Act: Decodable {
    var act: String
    var ids: [String]
  }
}

struct Event: Codable, Sendable, FetchableRecord, PersistableRecord, DraftModel {
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

import ExampleServer
import Foundation
import LiveLists

/// Events in sections, a section for each day: `make events`.
///
/// They are in a file, or with `--postgres CONNECTION` in a PostgreSQL database, which further nodes can share (`make cluster`).
@main
struct Events {
  static func main() async {
    await ExampleServer.run(page: Bundle.module, options: ["postgres"]) { server in
      let database = try await openDatabase(server)
      let store = database.store

      // Each page shows its own draft: what is typed in its editor is in its list at once, and in those of others when it is saved.
      let pages = PerPage(isNeeded: \.draft.hasChanges) { Page(of: store) }
      server.events("/stream") { page, query in pages[page].list.events(query: query) }

      server.post("/events") { (event: NewEvent) in
        guard isDay(event.day), !event.title.isEmpty else { return }
        try await database.add(event.title, day: event.day, time: event.time)
      }

      // One field at a time: what others change of the rest meanwhile is not to be written over.
      server.post("/edits") { (new: Edit) in
        guard let id = Int(new.id), !new.value.isEmpty, new.field != .day || isDay(new.value) else { return }
        do {
          try pages[new.page].draft.edit("Edit") { edit in
            try edit.update(Event.self, id: id) { event in
              switch new.field {
              case .day: event.day = new.value
              case .time: event.time = new.value
              case .title: event.title = new.value
              }
            }
          }
        } catch let error as DraftError {
          throw ExampleServer.Refusal(
            error.kind == .rowMissing ? "The event was deleted." : error.description)
        }
      }

      server.post("/saves") { (ending: Ending) in
        do {
          try await pages[ending.page].draft.save(policy: ending.isMine ? .mine : .mergeColumns)
        } catch let conflict as DraftConflict {
          throw ExampleServer.Refusal(conflict.rows.map(Shown.reason).joined(separator: " "))
        }
      }

      server.post("/discards") { (ending: Ending) in pages[ending.page].draft.discard() }

      // An event that is put off moves to another section, which may be a new one, and may leave none behind.
      server.post("/postponements") { (act: Act) in
        try await database.postpone(act.ids.compactMap(Int.init), origin: act.act)
      }

      server.post("/deletes") { (act: Act) in
        try await database.delete(act.ids.compactMap(Int.init), origin: act.act)
      }
    }
  }

  /// Opens the database of the option, or a file in the example's folder.
  private static func openDatabase(_ server: ExampleServer) async throws -> any EventDatabase {
    guard let connection = server["postgres"] else {
      return try await SQLiteEvents(path: server.path(of: "events.sqlite"))
    }
    #if PostgreSQL
      return try await PostgresEvents(connection: connection)
    #else
      _ = connection
      throw ExampleServer.Refusal(
        "Built without PostgreSQL: swift build --package-path Apps --traits PostgreSQL --product events")
    #endif
  }

  struct NewEvent: Decodable {
    var day: String
    var time: String
    var title: String
  }

  struct Edit: Decodable {
    var page: String
    var id: String
    var field: Field
    var value: String
  }

  enum Field: String, Decodable { case day, time, title }

  struct Ending: Decodable {
    var page: String
    var isMine: Bool
  }

  /// The draft of a page, and the list that it shows.
  struct Page: Sendable {
    let draft: FetchDraft
    let list: FetchStream<Event, Shown>

    init(of store: any DraftSaving) {
      let draft = FetchDraft(of: store)
      self.draft = draft
      // Sections are the days that have events, in order; a day comes and goes with its events.
      let request = FetchDescriptor<Event>().sectioned(by: \.day)
        .ordered(by: .ascending(\.time), .ascending(\.title))
      // A conflict is known when somebody else saves, and not when this page does: the row is then sent again, with theirs.
      list = FetchController(request, in: draft).stream { event in
        Shown(event, draft.state(of: Event.self, event.id))
      }
    }
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

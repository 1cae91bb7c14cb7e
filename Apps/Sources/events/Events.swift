import ExampleServer
import LiveLists

/// Five thousand events in seven sections, the newest first, with an editor and a look at what the list costs: `make events`.
@main
struct Events {
  static func main() async {
    await ExampleServer.run(page: Bundle.module, options: ["count", "postgres"]) { server in
      let store = try await openStore(of: server)

      // Each page has a draft, and one list, which is that of the draft: what is typed in the editor is in the page's own list at once,
      // and in all others when it is saved.
      let pages = PerPage(isNeeded: \.draft.hasChanges) { Page(of: store) }
      server.events("/stream") { page, query in pages[page].list.events(query: query) }
      server.events("/reports") { page, _ in pages[page].list.controller.changes.map { Report($0).bytes } }

      server.post("/search") { (search: Search) in
        pages[search.page].list.controller.update(request: Event.request(inSectionsMatching: search.text))
      }

      // A draft of its own is the way to write that all stores have.
      server.post("/events") { (event: Event) in
        try event.validate()
        try await FetchDraft(of: store).write { edit in try edit.insert(event) }
      }
      server.post("/deletions") { (deletion: Deletion) in
        try await FetchDraft(of: store).write(origin: deletion.act) { edit in
          for id in deletion.ids where try edit.find(Event.self, id: id) != nil {
            try edit.delete(Event.self, id: id)
          }
        }
      }

      // Sets only the fields that were edited, so that others' changes to the rest are kept.
      server.post("/edits") { (new: Edit) in
        do {
          try pages[new.page].draft.edit("Edit") { edit in
            try edit.update(Event.self, id: new.id) { event in
              event.section = new.section ?? event.section
              event.time = new.time ?? event.time
              event.title = new.title ?? event.title
              event.note = new.note ?? event.note
              try event.validate()
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
    }
  }

  struct Search: Decodable {
    var page, text: String
  }

  struct Deletion: Decodable {
    var act: String
    var ids: [String]
  }

  struct Edit: Decodable {
    var page, id: String
    var section, time, title, note: String?
  }

  struct Ending: Decodable {
    var page: String
    var isMine: Bool
  }
}

/// The draft of a page, and the list that it shows.
struct Page: Sendable {
  let draft: FetchDraft
  let list: FetchStream<Event, Shown>

  init(of store: any DraftSaving) {
    draft = FetchDraft(of: store)
    // A conflict is known when somebody else saves, and not when this page does: the row is then sent again, with theirs.
    list = FetchController(Event.request(), in: draft).stream { [draft] event in
      Shown(event: event, state: draft.state(of: Event.self, event.id))
    }
  }
}

/// An event as a page is sent it.
struct Shown: Encodable {
  var event: Event
  /// The reason why it cannot be saved as it is; nil where it can.
  var conflict: String?

  init(event: Event, state: DraftRowState) {
    self.event = event
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

/// The controller's report of a change, as a page is sent it.
struct Report: Encodable {
  var isWholeList: Bool
  var inserted, updated, moved, deleted: Int
  /// The columns that commits have changed in rows of the list. What the list does not show of a row is among them.
  var columns: [String]
  var rowsRead, statements: Int
  /// From the commit to the listener; zero where no commit was the cause.
  var microseconds: Double

  init(_ change: FetchChange<String>) {
    isWholeList = change.previousSnapshot == nil || change.isInitial
    (inserted, updated) = (change.inserted.count, change.updated.count)
    (moved, deleted) = (change.moved.count, change.deleted.count)
    columns = Set((change.updated + change.moved).flatMap { change.changedColumns(of: $0) ?? [] }).sorted()
    (rowsRead, statements) = (change.cost.rowsRead, change.cost.statements)
    microseconds = (change.cost.latency / .microseconds(1)).rounded()
  }

  /// A server-sent event.
  var bytes: [UInt8] {
    let json = (try? JSONEncoder().encode(self)) ?? Data()
    return Array("data: \(String(decoding: json, as: UTF8.self))\n\n".utf8)
  }
}

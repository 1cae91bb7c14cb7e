import LiveLists
import TinyServer

struct ToDo: Codable, Identifiable, Sendable, LiveRecord {
  var id: Int64
  var title: String
  var isDone: Bool
}

let store = try SQLiteStore(path: "todo.sqlite", creating: ToDo.self)
try await store.write { db in try ToDo(id: 1, title: "Sort the photos", isDone: false).save(db) }
let open = FetchController(
  FetchDescriptor<ToDo>().filter(#Predicate { !$0.isDone }).ordered(by: .ascending(\.title)), in: store)
let stream = open.stream()
try await TinyServer.run { request, body in
  switch request.path {
  case "/todo":
    let events = stream.events(query: request.query, lastEventID: request.header("Last-Event-ID"))
    for await event in events { try body.write(event) }
  case "/todo/items": try body.write(await stream.rows(query: request.query) ?? [])
  default:
    guard let file = BrowserFiles.named(String(request.path.dropFirst())) else { return }
    try body.write(file.bytes, type: file.contentType)
  }
}

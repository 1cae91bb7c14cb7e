import Hummingbird
import LiveLists

struct ToDo: Codable, Identifiable, Sendable, LiveRecord {
  var id: UUID
  var title: String
  var isDone: Bool
}

/// The request of `<live-list>` when somebody presses Delete.
struct Done: Decodable {
  var act: String
  var ids: [UUID]
}

let store = try SQLiteStore(path: "todo.sqlite", creating: ToDo.self)
let open = FetchController(
  FetchDescriptor<ToDo>().filter(#Predicate { !$0.isDone }).ordered(by: .ascending(\.title)), in: store)
let stream = open.stream()

let page = """
  <!DOCTYPE html>
  <html lang="en">
  <meta charset="utf-8">
  <title>To do</title>
  <link rel="stylesheet" href="/live-list/live-list.css">
  <script type="module" src="/live-list/live-list.js"></script>
  <style>live-list { height: 60vh; --ll-columns: 1; --ll-row-height: 44 }</style>
  <h1>To do</h1>
  <form onsubmit="fetch('/add', { method: 'POST', body: what.value }); what.value = ''; return false">
    <input name="what" aria-label="What is to be done?" required> <button>Add</button>
  </form>
  <live-list src="/todo" deletes="/done" aria-label="To do">
    <template><span data-text="title"></span></template>
  </live-list>
  """

func answer(_ bytes: some Sequence<UInt8>, _ type: String) -> Response {
  Response(
    status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
}

let router = Router()
router.get("/") { _, _ in answer(page.utf8, "text/html; charset=utf-8") }
router.get("/live-list/**") { _, context in
  let name = context.parameters.getCatchAll().joined(separator: "/")
  guard let file = BrowserFiles.named(name) else { throw HTTPError(.notFound) }
  return answer(file.bytes, file.contentType)
}
router.get("/todo") { request, _ in
  Response(
    status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
    body: ResponseBody { writer in
      for await event in stream.events(query: request.uri.query) {
        try await writer.write(ByteBuffer(bytes: event))
      }
      try await writer.finish(nil)
    })
}
router.post("/add") { request, _ in
  let title = String(buffer: try await request.body.collect(upTo: 1_000))
  try await store.write { db in try ToDo(id: UUID(), title: title, isDone: false).insert(db) }
  return HTTPResponse.Status.noContent
}
router.post("/done") { request, context in
  let done = try await request.decode(as: Done.self, context: context)
  try await store.write(origin: done.act) { db in
    _ = try ToDo.filter(ids: done.ids).updateAll(db, Column("isDone").set(to: true))
  }
  return HTTPResponse.Status.noContent
}

let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
let app = Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
  onServerRunning: { print("http://127.0.0.1:\($0.localAddress?.port ?? port)") })
do {
  try await app.run()
} catch {
  print("The server ended: \(error)")
  exit(1)
}

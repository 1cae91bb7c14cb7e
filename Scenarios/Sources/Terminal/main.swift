import LiveLists

struct ToDo: Codable, Identifiable, Sendable, LiveRecord {
  var id: Int64
  var title: String
  var isDone: Bool
}

let store = try SQLiteStore(path: "todo.sqlite", creating: ToDo.self)
try await store.write { db in try ToDo(id: 1, title: "Sort the photos", isDone: false).save(db) }
let open = FetchController(
  FetchDescriptor<ToDo>().filter(#Predicate { !$0.isDone }).ordered(by: .ascending(\.title)), in: store)
for try await change in open.changes {
  for id in change.snapshot.itemIdentifiers { print(open.object(for: id)?.title ?? "") }
}

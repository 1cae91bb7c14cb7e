import LiveLists

struct ToDo: Codable, Identifiable, Sendable, LiveRecord {
  var id: UUID
  var title: String
  var isDone: Bool
}

let store = try SQLiteStore(path: "todo.sqlite", creating: ToDo.self)
let open = FetchController(
  FetchDescriptor<ToDo>().filter(#Predicate { !$0.isDone }).ordered(by: .ascending(\.title)), in: store)

Task.detached {
  for try await change in open.changes {
    print("\(change.snapshot.numberOfItems) to do")
    for id in change.snapshot.itemIdentifiers { print(" ", open.object(for: id)?.title ?? "") }
  }
}

while let title = readLine() {
  try await store.write { db in try ToDo(id: UUID(), title: title, isDone: false).insert(db) }
}

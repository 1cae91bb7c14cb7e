import LiveLists

struct Color: LiveRecord {
  var name: String
  var hex: String
  var id: String { name }
}

func request(matching text: String) -> FetchDescriptor<Color> {
  let all = FetchDescriptor<Color>().ordered(by: .ascending(\.name, folded: true))
  if text.isEmpty { return all }
  return all.filter(
    #Predicate { $0.name.localizedStandardContains(text) || $0.hex.localizedStandardContains(text) })
}

let store = try SQLiteStore(path: "colors.sqlite", creating: Color.self)
try await store.write { db in
  try Color(name: "Blue", hex: "#0000ff").save(db)
  try Color(name: "Café au lait", hex: "#a67b5b").save(db)
  try Color(name: "Coral", hex: "#ff7f50").save(db)
  try Color(name: "LightCoral", hex: "#f08080").save(db)
}

let colors = FetchController(request(matching: ""), in: store)

/// Shows the colors that match what was typed last.
func search() async throws {
  var found = try await colors.performFetch()
  while true {
    print(found.itemIdentifiers.joined(separator: ", "))
    guard let text = readLine() else { return }
    found = try await colors.update(request: request(matching: text))
  }
}

try await search()

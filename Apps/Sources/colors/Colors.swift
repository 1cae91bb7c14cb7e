import ExampleServer
import LiveLists

/// The named colours of the web, to search in, to add to and to delete from: `make colors`.
@main
struct Colors {
  static func main() async {
    await ExampleServer.run(page: Bundle.module) { server in
      let store = try SQLiteStore(path: server.path(of: "colors.sqlite"), creating: Color.self)
      try await store.write { db in if try Color.fetchCount(db) == 0 { try Color.add(namedColors, db) } }

      // Each page has one list, which is live for as long as somebody looks at it.
      let lists = PerPage { FetchController(Color.request(), in: store).stream() }
      server.events("/stream") { page, query in lists[page].events(query: query) }

      // Whoever types gives that list another request. The page is sent the difference; of several requests the last wins.
      server.post("/search") { (search: Search) in
        lists[search.page].controller.update(request: Color.request(matching: search.text))
      }

      // Writes go to the store, and nobody tells the lists: they change because the commit comes round. The mutation's identifier
      // travels with it, so that a page knows its own deletion again.
      server.post("/deletions") { (deletion: Deletion) in
        try await store.write(origin: deletion.act) { db in _ = try Color.deleteAll(db, keys: deletion.ids) }
      }
      server.post("/colors") { (colors: [Color]) in
        for color in colors { try color.validate() }
        let count = try await store.write { db in try Color.add(colors, db) }.result
        if count == 0 { throw ExampleServer.Refusal("There is a colour of that name.") }
      }
      server.post("/named") { (_: [String: String]) in
        try await store.write { db in try Color.add(namedColors, db) }
      }
    }
  }

  struct Search: Decodable {
    var page: String
    var text: String
  }

  struct Deletion: Decodable {
    var act: String
    var ids: [String]
  }
}

/// A colour is known by its name. The table and its columns are found by these two properties.
struct Color: LiveRecord {
  var name: String
  var hex: String
  var id: String { name }

  /// The colours with a text in name or value, whatever its case and accents; all of them for an empty one.
  static func request(matching text: String = "") -> FetchDescriptor<Color> {
    let all = FetchDescriptor<Color>().ordered(by: .ascending(\.name, folded: true))
    if text.isEmpty { return all }
    return all.filter(
      #Predicate { $0.name.localizedStandardContains(text) || $0.hex.localizedStandardContains(text) })
  }

  /// Adds those whose names are not there yet, and returns how many these are.
  @discardableResult
  static func add(_ colors: [Color], _ db: Database) throws -> Int {
    let new = try colors.filter { try !$0.exists(db) }
    for color in new { try color.insert(db) }
    return new.count
  }

  func validate() throws {
    guard !name.isEmpty, name.count <= 40, hex.wholeMatch(of: /#[0-9a-f]{6}/) != nil else {
      throw ExampleServer.Refusal("A colour has a name of up to 40 letters and a value such as #ff7f50.")
    }
  }
}

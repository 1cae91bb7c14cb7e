import ExampleServer
import Foundation
import LiveLists

/// A list of colours to search in and to delete from: `colors [PORT]`, then open the address that it prints.
@main
struct Colors {
  static func main() async throws {
    let store = try SQLiteStore(path: "colors.sqlite")
    try await store.write { db in
      try db.create(table: "color", ifNotExists: true) { table in
        table.primaryKey("id", .integer)
        table.column("name", .text).notNull()
        table.column("hex", .text).notNull()
      }
      if try Color.fetchCount(db) == 0 { try fill(db) }
    }
    guard let page = Bundle.module.url(forResource: "Page", withExtension: nil) else { return }
    let server = ExampleServer(page: page, store: store)

    // The list: the page asks for it with the words that are searched for, and again with others.
    server.list("/stream") { query in
      let words = query["query"] ?? ""
      let colors = FetchDescriptor<Color>().ordered(by: .ascending(\.name))
      return words.isEmpty ? colors : colors.filter(#Predicate { $0.name.localizedStandardContains(words) })
    } content: { color, _ in
      color
    }

    // A deletion is a write. The act's identifier travels with it, so the page knows its own deletion when it comes round.
    server.act("/deletes", Deletion.self) { deletion in
      try await store.write(origin: deletion.act) { db in
        _ = try Color.deleteAll(db, keys: deletion.ids.compactMap(Int.init))
      }
    }

    server.act("/restore", [String: String].self) { _ in try await store.write { db in try fill(db) } }
    try await server.run(defaultPort: 8081)
  }

  /// Puts back what is missing.
  static func fill(_ db: Database) throws {
    for (id, line) in palette.split(separator: "\n").enumerated() {
      let parts = line.split(separator: " #")
      try Color(id: id, name: String(parts[0]), hex: "#" + parts[1]).insert(db, onConflict: .ignore)
    }
  }

  struct Deletion: Decodable {
    var act: String
    var ids: [String]
  }
}

struct Color: Codable, Sendable, FetchableRecord, PersistableRecord, FetchModel {
  var id: Int
  var name: String
  var hex: String

  static let fetchTable = FetchTable<Color>(
    "color", id: .column("id", \.id), columns: [.column("name", \.name), .column("hex", \.hex)])
}

let palette = """
  Alice Blue #f0f8ff
  Amber #ffbf00
  Aquamarine #7fffd4
  Beige #f5f5dc
  Black #000000
  Bondi Blue #0095b6
  Brick Red #cb4154
  Burgundy #800020
  Café au lait #a67b5b
  Carmine #960018
  Celadon #ace1af
  Cerulean #007ba7
  Chartreuse #7fff00
  Cobalt Blue #0047ab
  Coral #ff7f50
  Cornflower Blue #6495ed
  Crimson #dc143c
  Ecru #c2b280
  Emerald #50c878
  Forest Green #228b22
  Fuchsia #ff00ff
  Gold #ffd700
  Hot Pink #ff69b4
  Indigo #4b0082
  Ivory #fffff0
  Jade #00a86b
  Khaki #c3b091
  Lavender #e6e6fa
  Lime Green #32cd32
  Magenta #ca1f7b
  Maroon #800000
  Midnight Blue #191970
  Mint #98ff98
  Navy #000080
  Ochre #cc7722
  Olive #808000
  Orchid #da70d6
  Peach #ffe5b4
  Periwinkle #ccccff
  Plum #dda0dd
  Prussian Blue #003153
  Rosé #f9429e
  Royal Blue #4169e1
  Ruby #e0115f
  Saffron #f4c430
  Salmon #fa8072
  Sapphire #0f52ba
  Scarlet #ff2400
  Sea Green #2e8b57
  Sepia #704214
  Sienna #a0522d
  Sky Blue #87ceeb
  Slate Grey #708090
  Steel Blue #4682b4
  Teal #008080
  Terracotta #e2725b
  Turquoise #40e0d0
  Ultramarine #3f00ff
  Vermilion #e34234
  Viridian #40826d
  White #ffffff
  """

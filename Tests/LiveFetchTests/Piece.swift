import Foundation
import LiveFetch
import LiveListsTestSupport

/// A model with a column of each kind, for a store in memory.
struct Piece: FetchModel, Equatable {
  enum State: String, Codable, FetchColumnValue { case open, done }

  var id: Int
  var name: String
  var note: String?
  var section: String
  var key: Int
  var weight: Double?
  var taken: Date?
  var owner: UUID
  var isStarred: Bool
  var state: State
  var hidden: Int

  static let fetchTable = FetchTable<Piece>(
    "piece", id: .column("id", \.id),
    columns: [
      .column("name", \.name), .column("note", \.note), .column("section", \.section), .column("key", \.key),
      .column("weight", \.weight), .column("taken", \.taken), .column("owner", \.owner),
      .column("isStarred", \.isStarred), .column("state", \.state), .column("hidden", \.hidden),
    ])

  init(
    _ id: Int, _ section: String = "a", _ key: Int = 0, name: String = "", note: String? = nil,
    weight: Double? = nil, taken: Date? = nil, owner: UUID = Piece.nobody, isStarred: Bool = false,
    state: State = .open, hidden: Int = 0
  ) {
    self.id = id
    self.section = section
    self.key = key
    self.name = name
    self.note = note
    self.weight = weight
    self.taken = taken
    self.owner = owner
    self.isStarred = isStarred
    self.state = state
    self.hidden = hidden
  }

  init(fetchRow row: FetchRow) throws {
    id = try row["id"]
    name = try row["name"]
    note = try row["note"]
    section = try row["section"]
    key = try row["key"]
    weight = try row["weight"]
    taken = try row["taken"]
    owner = try row["owner"]
    isStarred = try row["isStarred"]
    state = try row["state"]
    hidden = try row["hidden"]
  }

  static let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  var row: InMemoryStore.Row {
    var row: InMemoryStore.Row = [:]
    for column in Self.fetchTable.columns {
      let value: (any FetchColumnValue)? =
        switch column.name {
        case "id": id
        case "name": name
        case "note": note
        case "section": section
        case "key": key
        case "weight": weight
        case "taken": taken
        case "owner": owner
        case "isStarred": isStarred
        case "state": state
        default: hidden
        }
      row[column.name] = value?.fetchValue(as: column.type) ?? .null
    }
    return row
  }
}

extension InMemoryStore {
  func put(_ pieces: Piece..., origin: String? = nil) {
    write(origin: origin) { transaction in for piece in pieces { transaction.put(piece.row, in: "piece") } }
  }

  func remove(_ ids: Int...) {
    write { transaction in for id in ids { transaction.remove(.integer(Int64(id)), from: "piece") } }
  }
}

import Foundation
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

@Suite("A table found by decoding")
struct DecodedTableTests {
  enum Mood: String, Codable, CaseIterable, FetchColumnValue { case calm, wild }
  enum Colour: String, Codable, CaseIterable { case red, blue }
  struct Point: Codable, Hashable { var x = 0.0, labels: [String] = [], next: [Point]? }

  /// A model with a property of each kind.
  struct Thing: Codable, FetchModel, Hashable {
    enum CodingKeys: String, CodingKey {
      case name = "title"
      case id, isDone, isHidden, count, size, taken, owner, mood, note, data, rank, colour, point, tags, lucky
    }
    var name: String
    var id: Int64
    var isDone: Bool
    var isHidden: Bool
    var count: UInt8
    var size: Double?
    var taken: Date
    var owner: UUID?
    var mood: Mood
    var note: String?
    var data: Data
    var rank: Rank
    var colour: Colour
    var point: Point
    var tags: [String]
    var lucky: Int?
    /// Not decoded, and computed.
    var draft = "draft"
    var shout: String { name.uppercased() }
    var alias: String { name }

    static let fetchTable = FetchTable<Thing>(decoding: "thing")
    init(fetchRow row: FetchRow) throws { throw CancellationError() }
  }

  @Test("Each stored property has the column by whose name it is decoded, with its type")
  func columns() throws {
    let columns = Dictionary(uniqueKeysWithValues: Thing.fetchTable.columns.map { ($0.name, $0) })
    #expect(Thing.fetchTable.id.name == "id" && Thing.fetchTable.columns[0].name == "id")
    let types: [String: FetchColumnType] = [
      "title": .text, "id": .integer, "isDone": .integer, "isHidden": .integer, "count": .integer,
      "size": .real,
      "taken": .date, "owner": .uuid, "mood": .text, "note": .text, "data": .blob, "rank": .blob,
      "lucky": .integer,
    ]
    #expect(columns.mapValues(\.type) == types)
    #expect(Set(columns.values.filter(\.isOptional).map(\.name)) == ["size", "owner", "note", "lucky"])
  }

  @Test("Filters and orders find the columns of key paths")
  func requests() throws {
    let plan = try FetchDescriptor<Thing>()
      .filter(#Predicate { $0.isHidden && !$0.isDone && $0.count > 3 })
      .filter(#Predicate { $0.name == "x" && $0.note == nil })
      .ordered(by: .ascending(\.taken), .descending(\.size), .ascending(\.mood), .ascending(\.rank)).plan()
    #expect(plan.table == "thing")
    #expect(
      plan.columns.map(\.name) == [
        "id", "isHidden", "isDone", "count", "title", "note", "taken", "size", "mood", "rank",
      ])
  }

  @Test("What is computed, not decoded, or no column value has no column")
  func withoutColumn() {
    let requests: [FetchDescriptor<Thing>] = [
      FetchDescriptor().ordered(by: .ascending(\.shout)), FetchDescriptor().ordered(by: .ascending(\.alias)),
      FetchDescriptor().ordered(by: .ascending(\.draft)),
    ]
    for request in requests { #expect(request.validationError?.kind == .unknownColumn) }
  }

  struct Changed: Codable, FetchModel {
    var id: Int
    var name: String
    var short: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      name = try container.decode(String.self, forKey: .name)
      // No longer what the database has, by which a filter goes.
      short = try container.decode(String.self, forKey: .short).trimmingCharacters(in: .whitespaces)
    }
    static let fetchTable = FetchTable<Changed>(decoding: "changed")
    init(fetchRow row: FetchRow) throws { throw CancellationError() }
  }

  @Test("A property whose decoded value is changed has no column")
  func changed() throws {
    #expect(
      FetchDescriptor<Changed>().ordered(by: .ascending(\.short)).validationError?.kind == .unknownColumn)
    #expect(FetchDescriptor<Changed>().ordered(by: .ascending(\.name)).validationError == nil)
  }

  enum Closed: String, Codable, FetchColumnValue { case open, closed }
  struct Unknown: Codable, FetchModel {
    var id: Int
    var state: Closed
    static let fetchTable = FetchTable<Unknown>(decoding: "unknown")
    init(fetchRow row: FetchRow) throws { throw CancellationError() }
  }
  final class Shared: Codable, FetchModel {
    let id: Int
    static let fetchTable = FetchTable<Shared>(decoding: "shared")
    init(fetchRow row: FetchRow) throws { throw CancellationError() }
  }
  struct Computed: Codable, FetchModel {
    var number: Int
    var id: Int { number }
    var other: Int { abs(number) }
    static let fetchTable = FetchTable<Computed>(decoding: "computed")
    init(fetchRow row: FetchRow) throws { throw CancellationError() }
  }

  @Test("The primary key may be another property's")
  func otherKey() throws {
    #expect(
      try FetchDescriptor<Computed>().ordered(by: .ascending(\.number)).plan().columns.map(\.name) == [
        "number"
      ])
    #expect(
      FetchDescriptor<Computed>().ordered(by: .ascending(\.other)).validationError?.kind == .unknownColumn)
  }

  @Test("A type that cannot be decoded from probes is refused, with the property that is in the way")
  func refused() throws {
    func problem<Model: FetchModel>(_ type: Model.Type) -> FetchDescriptorError? {
      #expect(throws: FetchDescriptorError.self) {
        try FetchDescriptor<Model>().ordered(by: .ascending(\.id)).plan()
      }
    }
    let unknown = try #require(problem(Unknown.self))
    #expect(unknown.kind == .unknownTable && unknown.description.contains("“state”"))
    #expect(problem(Shared.self)?.kind == .unknownTable)
    let filtered = FetchDescriptor<Unknown>().filter(#Predicate { $0.id == 1 })
    #expect(filtered.validationError?.kind == .unknownTable)
  }
}

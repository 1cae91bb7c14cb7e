import _TestTools
import Snapshots
import Testing

@testable import LiveFetch

@Suite("Runs of a list, said by values")
struct OrderRangeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var request: FetchDescriptor<Piece>
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "a number", request: FetchDescriptor().ordered(by: .ascending(\.key))),
    Case(name: "a number, the largest first", request: FetchDescriptor().ordered(by: .descending(\.key))),
    Case(
      name: "weights, those without at the end",
      request: FetchDescriptor().ordered(by: .descending(\.weight, nulls: .last))),
    Case(
      name: "sections by two keys",
      request: FetchDescriptor().ordered(by: .ascending(\.weight, nulls: .first), .descending(\.key))
        .sectioned(by: \.section)),
    Case(name: "names with zero bytes", request: FetchDescriptor().ordered(by: .ascending(\.name))),
    Case(name: "such names turned around", request: FetchDescriptor().ordered(by: .descending(\.name))),
    Case(
      name: "such names before numbers",
      request: FetchDescriptor().ordered(by: .descending(\.name), .descending(\.key)).sectioned(by: \.section)
    ),
    Case(name: "primary keys alone", request: FetchDescriptor().ordered(by: .ascending(\.id))),
  ]

  static func random(_ id: Int, _ random: inout SplitMix) -> Piece {
    // Numbers at which bytes of a key are all zeros or all ones.
    let numbers = [-257, -256, -1, 0, 1, 254, 255, 256, 65_535, Int.max, Int.min]
    let weights = [nil, -0.5, 0, 1, .infinity] as [Double?]
    return Piece(
      id, ["a", "b"].randomElement(using: &random) ?? "",
      numbers.randomElement(using: &random) ?? 0,
      name: ["", "\0", "a", "a\0", "a\0b", "\u{ff}", "é"].randomElement(using: &random) ?? "",
      weight: weights.randomElement(using: &random) ?? nil)
  }

  @Test("A run holds the rows from one to another, and says how many it holds", arguments: cases, 1...6)
  func law(_ list: Case, _ seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let plan = try list.request.plan()
    let pieces = (0..<60).map { Self.random($0 * 85 - 255, &random) }
    let stored = pieces.map { piece in
      plan.columns.map { column in Self.value(column.name, of: piece) }
    }
    let state = try ListState<Int>(plan, reading: ArrayCursor(stored))
    let items = Array(state.snapshot.items)
    let rows = Dictionary(uniqueKeysWithValues: pieces.map { ($0.id, $0) })
    func value(_ column: String, _ id: Int) -> FetchValue { Self.value(column, of: rows[id] ?? Piece(id)) }
    for _ in 0..<120 {
      let start = Int.random(in: 0..<items.count, using: &random)
      let end = min(items.count - 1, start + Int.random(in: 0...12, using: &random))
      let (first, last) = (items[start], items[end])
      // The columns in which the two agree, and the first in which they do not, or the key of one row.
      let columns = plan.order.map(\.name) + [plan.columns[0].name]
      let agreed = columns.dropLast().prefix { value($0, first) == value($0, last) }
      let column = columns[agreed.count]
      let bounds = [value(column, first), value(column, last)].sorted { $0.compare($1) < 0 }
      let held = items.filter { id in
        agreed.allSatisfy { value($0, id) == value($0, first) } && !value(column, id).isNull
          && value(column, id).compare(bounds[0]) >= 0 && value(column, id).compare(bounds[1]) <= 0
      }
      for most in [held.count - 1, held.count, 1_000] {
        let range = state.range(from: first, through: last, atMost: most)
        if bounds.contains(.null) || most < held.count {
          #expect(range == nil, "seed \(seed), \(first) to \(last)")
          continue
        }
        let found = try #require(range, "seed \(seed), \(first) to \(last)")
        #expect(found.equalities.map(\.column) == Array(agreed))
        #expect(found.equalities.map(\.value) == agreed.map { value($0, first) })
        #expect(found.column == column && [found.least, found.greatest] == bounds)
        #expect(found.count == held.count && Set(items[start...end]).isSubset(of: held))
      }
    }
    #expect(state.range(from: items[1], through: items[0], atMost: 100) == nil)
    #expect(state.range(from: items[0], through: 7, atMost: 100) == nil)
  }

  static func value(_ column: String, of piece: Piece) -> FetchValue {
    switch column {
    case "id": .integer(Int64(piece.id))
    case "key": .integer(Int64(piece.key))
    case "section": .text(piece.section)
    case "name": .text(piece.name)
    case "weight": piece.weight.map { .real($0) } ?? .null
    default: .null
    }
  }
}

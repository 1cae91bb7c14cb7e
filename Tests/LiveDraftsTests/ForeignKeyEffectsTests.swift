import LiveDraftStore
import LiveStore
import Testing
import _TestTools

@Suite("The rows that go along with a deletion")
struct ForeignKeyEffectsTests {
  /// Rows of one table, each with the rows that it refers to.
  private typealias Graph = [Int: Set<Int>]

  /// A random graph in which each row leads to the first one, 0.
  private static func graph(_ count: Int, hasRings: Bool, _ random: inout SplitMix) -> Graph {
    var graph: Graph = [0: []]
    for row in 1..<count {
      graph[row] = [Int.random(in: 0..<row, using: &random)]
      for _ in 0..<2 where Bool.random(using: &random) {
        graph[row]?.insert(Int.random(in: 0..<(hasRings ? count : row), using: &random))
      }
    }
    return graph
  }

  private static func key(_ id: Int) -> DraftKey { DraftKey("t", .integer(Int64(id))) }

  @Test(
    "All are found, each once and after those that it refers to, or one of them in a ring",
    arguments: 0..<400 as Range<UInt64>)
  func order(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let hasRings = seed % 2 == 0
    let graph = Self.graph(Int.random(in: 2...9, using: &random), hasRings: hasRings, &random)
    let ids = graph.keys.sorted()
    func row(_ id: Int) -> [String: FetchValue] {
      let pairs = ids.map {
        ("to\($0)", graph[id]?.contains($0) == true ? FetchValue.integer(Int64($0)) : .null)
      }
      return Dictionary(uniqueKeysWithValues: pairs).merging(["id": .integer(Int64(id))]) { $1 }
    }
    var reads = 0
    // A foreign key for each row that is referred to, so that values say by which one a row goes.
    var effects = ForeignKeyEffects(
      ids.map { .init(table: "t", columns: nil, parent: "t", pairs: [(child: "to\($0)", parent: "id")]) },
      readReferring: { reference, deleted in
        reads += 1
        guard deleted.contains(.integer(Int64(reference))) else { return [] }
        let referring = ids.filter { graph[$0]?.contains(reference) == true }
        return referring.map { (.integer(Int64($0)), row($0)) }
      },
      readRows: { _, _ in [] })
    let deletion = DraftChange(
      table: "t", key: FetchPlan.Column(name: "id", type: .integer), id: .integer(0), kind: .delete,
      base: row(0), values: nil, columns: [])
    try effects.note(effects.rows(referringTo: deletion), of: deletion)
    let found = effects.found
    #expect(
      Set(found.map(\.key)) == Set(ids.dropFirst().map(Self.key)) && found.count == ids.count - 1,
      "seed \(seed)")
    // Each row is looked at once for what refers to it, by each key.
    #expect(reads <= ids.count * ids.count, "seed \(seed)")
    var known: Set = [Self.key(0)]
    for effect in found {
      let parents = Set(effect.parents)
      let own = ids.first { Self.key($0) == effect.key }.flatMap { graph[$0] } ?? []
      #expect(parents == Set(own.map(Self.key)), "seed \(seed)")
      #expect(hasRings ? !known.isDisjoint(with: parents) : known.isSuperset(of: parents), "seed \(seed)")
      known.insert(effect.key)
    }
  }
}

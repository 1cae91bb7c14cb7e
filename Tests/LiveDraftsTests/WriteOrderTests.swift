import LiveDraftStore
import LiveStore
import Testing
import _TestTools

@Suite("The order of writes by foreign keys")
struct WriteOrderTests {
  private static let key = FetchPlan.Column(name: "id", type: .integer)
  private static let references = [
    ForeignKeyEffects.Reference(table: "photo", columns: nil, parent: "album", pairs: [("album", "id")]),
    ForeignKeyEffects.Reference(table: "album", columns: nil, parent: "album", pairs: [("parent", "id")]),
  ]

  private static func change(
    _ table: String, _ id: Int64, _ kind: DraftChange.Kind, from former: Int64?, to later: Int64?
  ) -> DraftChange {
    let column = table == "album" ? "parent" : "album"
    func row(_ parent: Int64?) -> [String: FetchValue] {
      ["id": .integer(id), column: parent.map(FetchValue.integer) ?? .null]
    }
    return DraftChange(
      table: table, key: key, id: .integer(id), kind: kind, base: kind == .insert ? nil : row(former),
      values: kind == .delete ? nil : row(later), columns: kind == .delete ? [] : [column])
  }

  @Test(
    "Each row comes after those that it refers to, and is deleted after those that referred to it",
    arguments: 0..<200 as Range<UInt64>)
  func law(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    // Albums are in albums with lower numbers, so that there is no ring.
    let changes = (0..<20).map { number -> DraftChange in
      let id = Int64(number % 10)
      func parent(below limit: Int64) -> Int64? {
        limit > 0 && Bool.random(using: &random) ? .random(in: 0..<limit, using: &random) : nil
      }
      let limit = number < 10 ? id : 10
      let kind: DraftChange.Kind = [.insert, .update, .delete][Int.random(in: 0..<3, using: &random)]
      return Self.change(
        number < 10 ? "album" : "photo", id, kind, from: parent(below: limit), to: parent(below: limit))
    }.shuffled(using: &random)
    let ordered = changes.ordered(by: Self.references)
    #expect(Set(ordered) == Set(changes) && ordered.count == changes.count)
    for (position, change) in ordered.enumerated() {
      let column = change.table == "album" ? "parent" : "album"
      if let parent = self.position(of: change.values?[column], .insert, in: ordered) {
        #expect(parent < position, "seed \(seed): \(change) before \(ordered[parent])")
      }
      if let parent = self.position(of: change.base?[column], .delete, in: ordered) {
        #expect(parent > position, "seed \(seed): \(change) after \(ordered[parent])")
      }
    }
  }

  private func position(
    of album: FetchValue?, _ kind: DraftChange.Kind, in changes: [DraftChange]
  ) -> Int? {
    changes.firstIndex { $0.table == "album" && $0.id == album && $0.kind == kind }
  }

  @Test("What does not refer to one another stays in its order, and so does a ring")
  func kept() {
    let changes = [
      Self.change("album", 2, .insert, from: nil, to: 3), Self.change("photo", 1, .delete, from: 9, to: nil),
      Self.change("album", 3, .insert, from: nil, to: 2),
      Self.change("photo", 0, .insert, from: nil, to: nil),
    ]
    #expect(changes.ordered(by: []) == changes)
    let ordered = changes.ordered(by: Self.references)
    #expect(ordered.filter { $0.table == "photo" }.map(\.id) == [.integer(1), .integer(0)])
    #expect(Set(ordered) == Set(changes))
  }

  @Test("A chain of 100,000 rows is brought in order")
  func chain() {
    let changes = (0..<100_000).reversed().map { Self.change("album", $0, .insert, from: nil, to: $0 - 1) }
    #expect(changes.ordered(by: Self.references).map(\.id) == (0..<100_000).map { .integer($0) })
  }
}

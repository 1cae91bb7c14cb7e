import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Testing
import _TestTools

@Suite("A draft is a store")
struct DraftConformanceTests {
  @Test(
    "With nothing pending it keeps the promises of a store",
    arguments: inTurns(Array(1...8) as [UInt64], of: 2))
  func conforms(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).run { DraftSubject(over: InMemoryStore()) }
  }

  @Test("With rows of another table pending it does as well", arguments: 11...14 as ClosedRange<UInt64>)
  func conformsBesideAnotherTable(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).run {
      let subject = DraftSubject(over: InMemoryStore())
      try subject.editStickers()
      return subject
    }
  }

  @Test(
    "What is written through it follows as what is written to the store", arguments: [15, 16] as [UInt64])
  func throughInMemory(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).isWrittenThrough {
      WrittenThroughSubject(over: InMemoryStore())
    }
  }
}

extension WrittenThroughSubject {
  /// Makes a draft over a store of the law.
  init(over below: any DraftLawStore) { self.init(of: below.saving, below) }
}

extension DraftSubject {
  /// Makes a draft over a store of the law.
  init(over below: any DraftLawStore) { self.init(of: below.saving, below) }

  /// Makes rows of another table pending.
  func editStickers() throws {
    try draft.edit { edit in for id in 0..<5 { try edit.insert(Sticker(id: id, name: "s\(id)")) } }
  }
}

/// A row of another table.
struct Sticker: DraftModel, Hashable {
  var id: Int
  var name: String

  init(id: Int, name: String) {
    self.id = id
    self.name = name
  }

  static let fetchTable = FetchTable<Sticker>(
    "sticker", id: .column("id", \.id), columns: [.column("name", \.name)])

  init(fetchRow row: FetchRow) throws {
    id = try row["id"]
    name = try row["name"]
  }
}

import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Testing

@Suite("A draft is a store")
struct DraftConformanceTests {
  /// A draft under test: the suite writes to the store below it.
  struct Subject: ConformanceSubject {
    let draft: FetchDraft
    let below: any ConformanceSubject
    var store: any FetchStore { draft }

    init(_ below: any ConformanceSubject & DraftSaving) {
      draft = FetchDraft(of: below)
      self.below = below
    }

    func write(_ writes: [ConformanceWrite], origin: String?) async throws {
      try await below.write(writes, origin: origin)
    }
    func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
      try await below.writeAndRollBack(writes)
    }
    func close() async throws { try await below.close() }
  }

  @Test("With nothing pending it keeps the promises of a store", arguments: 1...8 as ClosedRange<UInt64>)
  func conforms(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).run { Subject(InMemoryStore()) }
  }

  @Test("With rows of another table pending it does as well", arguments: 11...14 as ClosedRange<UInt64>)
  func conformsBesideAnotherTable(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).run {
      let subject = Subject(InMemoryStore())
      try subject.draft.edit { edit in
        for id in 0..<5 { try edit.insert(Sticker(id: id, name: "s\(id)")) }
      }
      return subject
    }
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

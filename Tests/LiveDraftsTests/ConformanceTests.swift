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

    init(_ below: any DraftLawStore) {
      draft = FetchDraft(of: below.saving)
      self.below = below
    }

    func write(_ writes: [ConformanceWrite], origin: String?) async throws {
      try await below.write(writes, origin: origin)
    }
    func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
      try await below.writeAndRollBack(writes)
    }
    func write(_ samples: [ConformanceSample]) async throws { try await below.write(samples) }
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
      try subject.editStickers()
      return subject
    }
  }

  /// A draft that is written through: each write is an edit that is saved.
  struct Through: ConformanceSubject {
    let draft: FetchDraft
    let below: any ConformanceSubject
    var store: any FetchStore { draft }

    init(_ below: any DraftLawStore) {
      draft = FetchDraft(of: below.saving)
      self.below = below
    }

    func write(_ writes: [ConformanceWrite], origin: String?) async throws {
      try await draft.write(origin: origin) { edit in try edit.carryOut(writes) }
    }
    func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
      struct RolledBack: Error {}
      do {
        try await draft.write { edit in
          try edit.carryOut(writes)
          throw RolledBack()
        }
      } catch is RolledBack {}
    }
    func write(_ samples: [ConformanceSample]) async throws {
      try await draft.write { edit in try edit.carryOut(samples) }
    }
    func close() async throws { try await below.close() }
  }

  @Test(
    "What is written through it follows as what is written to the store", arguments: [15, 16] as [UInt64])
  func throughInMemory(_ seed: UInt64) async throws {
    try await Self.isWrittenThrough(seed) { InMemoryStore() }
  }

  /// Tries all promises but one: with rows pending, a read may have seen more than its position says.
  static func isWrittenThrough(_ seed: UInt64, _ store: @Sendable () throws -> any DraftLawStore) async throws
  {
    let suite = FetchStoreConformance(seed: seed)
    func subject() throws -> Through { Through(try store()) }
    try await suite.listsFollow(subject())
    try await suite.sectionsAreOfValues(subject())
    try await suite.eventsComeInOrder(subject())
    try await suite.rollbacksAreSilent(subject())
    try await suite.runsAreRead(subject())
    try await suite.objectsFollow(subject())
    try await suite.closingEnds(subject())
  }
}

extension DraftConformanceTests.Subject {
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

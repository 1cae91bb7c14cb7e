#if SQLite
  import Foundation
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import Synchronization
  import Testing

  extension DraftConformanceTests {
    @Test("It keeps the promises of a store over SQLite", arguments: 21...23 as ClosedRange<UInt64>)
    func overSQLite(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).run { DraftSubject(over: try SQLiteSubject()) }
    }

    @Test("It does over a table without rowids, and where commits are told as a reset")
    func overOtherSQLite() async throws {
      try await FetchStoreConformance(seed: 24).run {
        DraftSubject(over: try SQLiteSubject(suffix: "WITHOUT ROWID"))
      }
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 1
      try await FetchStoreConformance(seed: 25).run { [options] in
        DraftSubject(over: try SQLiteSubject(options))
      }
    }

    @Test("It does over SQLite with rows of another table pending", arguments: [26, 27] as [UInt64])
    func overSQLiteBesideAnotherTable(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).run {
        let subject = DraftSubject(
          over: try SQLiteSubject(sql: "CREATE TABLE sticker (id INTEGER PRIMARY KEY, name TEXT)"))
        try subject.editStickers()
        return subject
      }
    }

    @Test(
      "What is written through a draft over SQLite follows as what is written to it",
      arguments: [28, 29] as [UInt64])
    func throughSQLite(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).isWrittenThrough {
        WrittenThroughSubject(over: try SQLiteSubject())
      }
    }
  }

  extension FlickerTests {
    @Test("Over SQLite") func overSQLite() async throws { try await Self.isUntouchedBySave(SQLiteSubject()) }

    @Test("Where commits are told as a reset, lists are read anew and stay as they were")
    func overSQLiteWithResets() async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 1
      let subject = try SQLiteSubject(options)
      try await subject.write((0..<9).map { .put(Item(id: $0, section: "a", key: $0)) }, origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      let list = FetchController(.byKey, in: draft)
      try await list.performFetch()
      let changes = list.changes.makeAsyncIterator()
      _ = try await changes.next()
      try draft.edit(origin: "edit") { edit in
        try edit.update(Item.self, id: 1) { $0.key = 100 }
        try edit.insert(Item(id: 40, section: "a", key: 2))
        try edit.delete(Item.self, id: 3)
      }
      #expect(try await changes.next()?.origins == ["edit"])
      try await draft.save()
      await list.waitUntilCurrent()
      try await subject.write([.put(Item(id: 5, section: "a", key: -5))], origin: "later")
      // Whatever the reset has led to: the list's items were never others.
      while let change = try await changes.next() {
        if change.origins == ["later"] { break }
        #expect(change.difference.isEmpty || change.inserted + change.deleted + change.moved == [])
      }
      #expect(!draft.hasChanges && list.snapshot?.itemIdentifiers == [5, 0, 2, 40, 4, 6, 7, 8, 1])
    }
  }

  extension DraftCostTests {
    @Test(
      "With nothing pending, SQLite runs the same statements for a list over a draft as for one over the store"
    )
    func statements() async throws {
      func life(_ isDraft: Bool) async throws -> [String] {
        let log = StatementLog()
        let subject = try SQLiteSubject(configuration: log.configuration)
        try await subject.write((0..<300).map { .put(Item(id: $0, section: "a", key: $0)) }, origin: nil)
        let draft = FetchDraft(of: subject.sqlite)
        let list = FetchController(.byKey, in: isDraft ? draft : subject.sqlite as any FetchStore)
        _ = log.take()
        try await list.performFetch()
        _ = list.object(for: 7)
        try await subject.write([.put(Item(id: 3, section: "a", key: 77))], origin: nil)
        await list.waitUntilCurrent()
        _ = list.object(for: 3)
        _ = try list.objects(in: 100..<180)
        try await list.performFetch()
        try subject.sqlite.close()
        return log.take()
      }
      let (plain, drafted) = (try await life(false), try await life(true))
      #expect(plain.count > 5)
      // A read may end its transaction after it has answered, beside what comes next.
      #expect(drafted.sorted() == plain.sorted())
    }

    @Test("A save of many rows reads them with one statement, and writes each with one")
    func statementsOfSave() async throws {
      let log = StatementLog()
      let subject = try SQLiteSubject(configuration: log.configuration)
      try await subject.write((0..<300).map { .put(Item(id: $0, section: "a", key: $0)) }, origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit { edit in for id in 0..<200 { try edit.update(Item.self, id: id) { $0.key = -1 - id } } }
      await draft.waitUntilCurrent()
      _ = log.take()
      try await draft.save()
      let statements = log.take().filter { $0.contains("item") }
      #expect(statements.count { $0.hasPrefix("UPDATE") } == 200)
      #expect(
        statements.count { $0.hasPrefix("SELECT") } <= 2,
        "the save's own, and the one that the commit is told by")
    }
  }

  /// The statements that a database has run.
  final class StatementLog: Sendable {
    private let statements = Mutex<[String]>([])
    func add(_ statement: String) { statements.withLock { $0.append(statement) } }

    /// Returns the statements since the last call.
    func take() -> [String] {
      statements.withLock { statements in
        defer { statements = [] }
        return statements
      }
    }

    /// Opens databases whose statements are logged here.
    var configuration: Configuration {
      var configuration = Configuration()
      // One reader: GRDB opens a second one only if the first is still ending its transaction, and opening it runs statements.
      configuration.maximumReaderCount = 1
      configuration.prepareDatabase { [self] db in
        db.trace { [self] event in if case .statement(let statement) = event { add(statement.sql) } }
      }
      return configuration
    }
  }
#endif

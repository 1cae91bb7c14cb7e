import Testing
#if SQLite
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Snapshots
  import _TestTools

  private struct RolledBack: Error {}

  /// The way in which commits are told.
  enum Telling: CaseIterable, Sendable {
    case rows, resets
    /// Row by row, as other processes are observed.
    case log
  }

  extension SQLiteStoreOptions {
    init(_ telling: Telling) {
      self.init(isTold: telling != .resets)
      observesOtherProcesses = telling == .log
    }

    /// - Parameter isTold: Whether commits say which rows they have touched. Otherwise each is told as a reset.
    init(isTold: Bool) {
      self.init()
      if !isTold { maximumTouchedRows = 0 }
    }
  }

  /// A SQLite file with the table of the conformance suite.
  final class SQLiteSubject: DraftLawStore {
    let folder: TemporaryFolder
    let sqlite: SQLiteStore
    var store: any FetchStore { sqlite }
    var saving: any DraftSaving { sqlite }

    /// - Parameters:
    ///   - suffix: What follows the table's columns.
    ///   - sql: More of the schema.
    init(
      _ options: SQLiteStoreOptions = .init(), suffix: String = "", sql: String = "",
      configuration: Configuration = Configuration()
    ) throws {
      folder = try TemporaryFolder()
      sqlite = try SQLiteStore(
        path: folder.path + "/drafts.sqlite", configuration: configuration, options: options
      ) { pool in
        try pool.write { db in
          try db.execute(
            sql: """
              CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT) \(suffix);
              CREATE TABLE sample (id INTEGER PRIMARY KEY, number INTEGER, flag INTEGER, mood INTEGER, time INTEGER,
                real REAL, text TEXT, bytes BLOB, tag BLOB) \(suffix);
              \(sql)
              """)
        }
      }
    }

    deinit { try? sqlite.close() }

    /// Triggers that change rows which are written. The oracle knows them.
    static let triggers = """
      CREATE TRIGGER inserted AFTER INSERT ON item
        BEGIN UPDATE item SET note = coalesce(note, 't'), key = min(key, 2) WHERE id = NEW.id; END;
      CREATE TRIGGER updated AFTER UPDATE OF key ON item WHEN NEW.key = 3
        BEGIN UPDATE item SET key = 2 WHERE id = NEW.id; END;
      """

    /// Two tables with foreign keys and triggers between them. The oracle knows them (`LawDatabase.Rules.keys`).
    static let keys = """
      DROP TABLE item;
      CREATE TABLE album (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT UNIQUE);
      CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL,
        key INTEGER NOT NULL REFERENCES album (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        note TEXT REFERENCES album (note) ON UPDATE CASCADE ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER followed AFTER UPDATE OF section ON album WHEN NEW.section <> OLD.section
        BEGIN UPDATE item SET section = NEW.section WHERE key = NEW.id; END;
      CREATE TRIGGER counted AFTER DELETE ON item
        BEGIN UPDATE album SET key = key + 1 WHERE id = OLD.key; END;
      """

    func write(_ writes: [ConformanceWrite], origin: String?) async throws {
      try await sqlite.write(origin: origin) { db in try Self.perform(writes, in: db) }
    }

    /// Writes to the tables with foreign keys between them.
    func writeWithKeys(_ writes: [ConformanceWrite]) async throws {
      try await sqlite.write { db in
        for write in writes {
          switch write {
          case .put(let item):
            try db.execute(
              sql: """
                INSERT INTO \(LawDatabase.isAlbum(item.id) ? "album" : "item") (id, section, key, note) VALUES (?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET section = excluded.section, key = excluded.key, note = excluded.note
                """, arguments: [item.id, item.section, item.key, item.note])
          case .remove(let id):
            try db.execute(
              sql: "DELETE FROM \(LawDatabase.isAlbum(id) ? "album" : "item") WHERE id = ?", arguments: [id])
          }
        }
      }
    }

    func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
      do {
        try await sqlite.write { db in
          try Self.perform(writes, in: db)
          throw RolledBack()
        }
      } catch is RolledBack {}
    }

    private static func perform(_ writes: [ConformanceWrite], in db: Database) throws {
      for write in writes {
        switch write {
        case .put(let item):
          try db.execute(
            sql: "REPLACE INTO item (id, section, key, note) VALUES (?, ?, ?, ?)",
            arguments: [item.id, item.section, item.key, item.note])
        case .remove(let id): try db.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id])
        }
      }
    }

    func write(_ samples: [ConformanceSample]) async throws {
      try await sqlite.write { db in
        for sample in samples {
          try db.execute(
            sql: "REPLACE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
              sample.id, sample.number, sample.flag, sample.mood?.rawValue, sample.microseconds, sample.real,
              sample.text,
              sample.bytes, sample.tag,
            ])
        }
      }
    }

    func close() async throws { try sqlite.close() }

    /// A change of the schema, after which all is read again.
    func reset() async throws {
      try await sqlite.write { db in
        let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        try db.execute(sql: "CREATE TABLE extra\(version) (id INTEGER)")
      }
    }

    func items() async throws -> [Int: Item] {
      try await sqlite.read { db in
        let rows = try Row.fetchAll(db, sql: "SELECT id, section, key, note FROM item")
        return Dictionary(
          uniqueKeysWithValues: rows.map {
            ($0["id"], Item(id: $0["id"], section: $0["section"], key: $0["key"], note: $0["note"]))
          })
      }
    }
  }

  extension DraftLawTests {
    @Test("The same over SQLite", arguments: seeds.prefix(max(4, seeds.count / 4)))
    func onSQLite(_ seed: UInt64) async throws { try await Self.holds(seed) { try SQLiteSubject() } }

    @Test("The same where triggers change what is written", arguments: seeds.prefix(max(4, seeds.count / 4)))
    func withTriggers(_ seed: UInt64) async throws {
      try await Self.holds(seed, rules: .triggers) { try SQLiteSubject(sql: SQLiteSubject.triggers) }
    }

    @Test(
      "The same over SQLite where commits are told as a reset",
      arguments: seeds.prefix(max(4, seeds.count / 8)))
    func withResets(_ seed: UInt64) async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 1
      try await Self.holds(seed) { [options] in try SQLiteSubject(options) }
    }

    @Test(
      "The same where triggers change what is written, and commits are told as a reset",
      arguments: seeds.prefix(max(4, seeds.count / 8)))
    func withTriggersAndResets(_ seed: UInt64) async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 1
      try await Self.holds(seed, rules: .triggers) { [options] in
        try SQLiteSubject(options, sql: SQLiteSubject.triggers)
      }
    }

    @Test("The same with foreign keys and triggers between two tables", arguments: seeds)
    func withKeys(_ seed: UInt64) async throws { try await Self.holdsWithKeys(seed, .init()) }

    @Test(
      "The same with foreign keys and triggers, where commits are told as a reset",
      arguments: seeds.prefix(max(4, seeds.count / 2)))
    func withKeysAndResets(_ seed: UInt64) async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 0
      try await Self.holdsWithKeys(seed, options)
    }

    @Test("Histories that were found with foreign keys", arguments: KeyLaw.found.indices)
    func againWithKeys(_ position: Int) async throws {
      let steps = KeyLaw.found[position]
      let failure = try await KeyLaw.failure(of: steps, on: SQLiteSubject(sql: SQLiteSubject.keys))
      #expect(failure == nil)
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 0
      let other = try await KeyLaw.failure(
        of: steps, on: SQLiteSubject(options, sql: SQLiteSubject.keys), isTold: false)
      #expect(other == nil)
    }

    private static func holdsWithKeys(_ seed: UInt64, _ options: SQLiteStoreOptions) async throws {
      let steps = DraftStep.randomWithKeys(seed, count: 40)
      func subject() throws -> SQLiteSubject { try SQLiteSubject(options, sql: SQLiteSubject.keys) }
      let isTold = options.maximumTouchedRows > 0
      guard let failure = try await KeyLaw.failure(of: steps, on: subject(), isTold: isTold) else { return }
      let few = try await KeyLaw.shrink(steps, isTold: isTold, subject)
      let shrunk = (try? await KeyLaw.failure(of: few, on: subject(), isTold: isTold)) ?? "it throws"
      Issue.record(
        "seed \(seed): \(failure)\nshrunk: [\(few.map(\.description).joined(separator: ", "))]\n\(shrunk)")
    }
  }
#endif

#if SQLite
  extension PolicyTests {
    @Test("The four policies in every case, over SQLite", arguments: Case.all)
    func onSQLite(_ example: Case) async throws {
      let subject = try SQLiteSubject()
      try await Self.play(example, subject, { try await subject.write($0, origin: nil) }) {
        try await subject.items()
      }
    }

    @Test("What another connection has committed is a conflict, though no list knows of it")
    func otherConnection() async throws {
      let subject = try SQLiteSubject()
      try await subject.write([.put(Item(id: 1, section: "a", key: 1))], origin: nil)
      let draft = FetchDraft(of: subject.sqlite)
      try draft.edit { edit in try edit.update(Item.self, id: 1) { $0.key = 2 } }
      let other = try DatabaseQueue(path: subject.folder.path + "/drafts.sqlite")
      try await other.write { db in try db.execute(sql: "UPDATE item SET key = 3 WHERE id = 1") }
      await #expect(throws: DraftConflict.self) { try await draft.save() }
      try await draft.save(policy: .theirs)
      #expect(!draft.hasChanges)
      #expect(try await subject.items()[1]?.key == 3)
    }
  }

  extension DraftRaceTests {
    @Test(
      "The same over SQLite", arguments: DraftLawTests.seeds.prefix(max(4, DraftLawTests.seeds.count / 8)))
    func everybodyAtOnceOnSQLite(_ seed: UInt64) async throws {
      let subject = try SQLiteSubject()
      try await Self.everybodyAtOnce(seed, on: subject, items: subject.items)
    }
  }
#endif

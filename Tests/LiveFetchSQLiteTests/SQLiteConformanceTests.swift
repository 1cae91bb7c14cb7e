#if SQLite
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import LiveListsTestSupport
  import Testing

  @Suite("The store on SQLite")
  struct SQLiteConformanceTests {
    final class Subject: ConformanceSubject {
      let temporary: TemporaryStore
      var store: any FetchStore { temporary.store }

      init(_ options: SQLiteStoreOptions, suffix: String = "") throws {
        temporary = try TemporaryStore(options: options) { db in
          try db.execute(
            sql: """
              CREATE TABLE item (id INTEGER PRIMARY KEY, section TEXT NOT NULL, key INTEGER NOT NULL, note TEXT) \(suffix);
              CREATE TABLE sample (id INTEGER PRIMARY KEY, number INTEGER, flag INTEGER, mood INTEGER, time INTEGER,
                real REAL, text TEXT, bytes BLOB, tag BLOB) \(suffix);
              """)
        }
      }

      func write(_ writes: [ConformanceWrite], origin: String?) async throws {
        try await temporary.store.write(origin: origin) { db in try Self.perform(writes, in: db) }
      }

      func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
        do {
          try await temporary.store.write { db in
            try Self.perform(writes, in: db)
            throw RolledBack()
          }
        } catch is RolledBack {}
      }

      static func perform(_ writes: [ConformanceWrite], in db: Database) throws {
        for write in writes {
          switch write {
          case .put(let item):
            try db.execute(
              sql: "REPLACE INTO item VALUES (?, ?, ?, ?)",
              arguments: [item.id, item.section, item.key, item.note])
          case .remove(let id): try db.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [id])
          }
        }
      }

      func write(_ samples: [ConformanceSample]) async throws {
        try await temporary.store.write { db in
          for sample in samples {
            try db.execute(
              sql: "REPLACE INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
              arguments: [
                sample.id, sample.number, sample.flag, sample.mood?.rawValue, sample.microseconds,
                sample.real, sample.text,
                sample.bytes, sample.tag,
              ])
          }
        }
      }

      func close() async throws { try temporary.store.close() }
    }

    @Test("It keeps the promises of a store", arguments: 1...4 as ClosedRange<UInt64>)
    func conforms(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).run { try Subject(.init()) }
    }

    @Test("A table without rowids makes no difference", arguments: [5] as [UInt64])
    func withoutRowIDs(_ seed: UInt64) async throws {
      try await FetchStoreConformance(seed: seed).run { try Subject(.init(), suffix: "WITHOUT ROWID") }
    }

    @Test("Reading anew gives what following gives", arguments: [6, 7] as [UInt64])
    func reading(_ seed: UInt64) async throws {
      var options = SQLiteStoreOptions()
      options.maximumTouchedRows = 1
      try await FetchStoreConformance(seed: seed).run { [options] in try Subject(options) }
    }
  }
#endif

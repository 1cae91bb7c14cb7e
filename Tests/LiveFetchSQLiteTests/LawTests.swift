#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Snapshots
  import Testing

  @Suite("The law: after each commit the list is what a fresh query gives")
  struct LawTests {
    /// A request, and the same question in SQL written by hand.
    struct Question: Sendable, CustomTestStringConvertible {
      var name: String
      var request: FetchDescriptor<Note>
      var section: String = "''"
      var condition: String
      var order: String
      var testDescription: String { name }
    }

    static let questions: [Question] = [
      Question(
        name: "an album by rank",
        request: FetchDescriptor().filter(#Predicate { $0.album == "a" }).ordered(by: .ascending(\.rank)),
        condition: "album = 'a'", order: "rank, id"),
      Question(
        name: "all in sections by album, newest first",
        request: FetchDescriptor().ordered(by: .descending(\.created)).sectioned(by: \.album),
        section: "album", condition: "1", order: "album, created DESC, id"),
      Question(
        name: "months, the newest first",
        request: FetchDescriptor().ordered(by: .descending(\.created)).sectioned(by: .month(\.created)),
        section: "substr(created, 1, 7)", condition: "1", order: "created DESC, id"),
      Question(
        name: "by title with the untitled last, then by weight",
        request: FetchDescriptor().filter(#Predicate { $0.position < 5 })
          .ordered(by: .ascending(\.title, nulls: .last), .descending(\.weight, nulls: .first)),
        condition: "position < 5", order: "title IS NULL, title, weight IS NOT NULL, weight DESC, id"),
      Question(
        name: "the first seven",
        request: FetchDescriptor().filter(#Predicate { $0.album != "b" }).ordered(by: .ascending(\.position))
          .limit(7),
        condition: "album <> 'b'", order: "position, id LIMIT 7"),
      Question(
        name: "five after the first three",
        request: FetchDescriptor().ordered(by: .ascending(\.position)).limit(5).offset(3),
        condition: "1", order: "position, id LIMIT 5 OFFSET 3"),
      Question(
        name: "the untitled, in sections by position",
        request: FetchDescriptor().filter(#Predicate { $0.title == nil }).ordered(by: .ascending(\.rank))
          .sectioned(by: \.position, order: .descending),
        section: "position", condition: "title IS NULL", order: "position DESC, rank, id"),
    ]

    @Test("Random histories", arguments: questions, [1, 2, 3] as [UInt64])
    func randomHistory(_ question: Question, _ seed: UInt64) async throws {
      var history = History(seed: seed)
      let temporary = try TemporaryStore()
      let store = temporary.store
      try await store.write { [first = history.rows(12)] db in for row in first { try row.insert(db) } }
      let controller = FetchController(question.request, in: store)
      var replayed = try await controller.performFetch()
      let listener = controller.changes.makeAsyncIterator()
      _ = try await listener.next()
      for step in 0..<60 {
        let act = history.act()
        let before = controller.snapshot
        do {
          try await store.write(origin: "\(step)") { db in try act.run(db) }
        } catch is RolledBack {}
        await controller.waitUntilCurrent()
        let snapshot = try #require(controller.snapshot)
        let fresh = try await Self.fresh(question, store)
        #expect(snapshot == fresh, "seed \(seed), step \(step): \(act)")
        guard snapshot == fresh else { return }
        if snapshot != before {
          let change = try #require(try await listener.next())
          replayed = try replayed.applying(change.difference)
          #expect(change.origins.contains("\(step)"))
          #expect(replayed == snapshot, "seed \(seed), step \(step): the differences lead elsewhere")
          #expect(Set(change.updated).isDisjoint(with: change.moved))
        }
      }
    }

    static func fresh(_ question: Question, _ store: SQLiteStore) async throws -> DiffableSnapshot<
      FetchSectionID, UUID
    > {
      let rows = try await store.read { db in
        try Row.fetchAll(
          db,
          sql:
            "SELECT id, CAST(\(question.section) AS TEXT) AS section FROM note WHERE \(question.condition) ORDER BY \(question.order)"
        ).map { (FetchSectionID($0["section"] as String), $0["id"] as UUID) }
      }
      var sections: [(FetchSectionID, [UUID])] = question.section == "''" ? [("", [])] : []
      for (name, id) in rows {
        if sections.last?.0 != name { sections.append((name, [])) }
        sections[sections.count - 1].1.append(id)
      }
      return try DiffableSnapshot(sections: sections)
    }
  }

  struct RolledBack: Error {}

  /// Random writes that a seed determines.
  struct History {
    var random: SplitMix
    var known: [UUID] = []

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func uuid() -> UUID {
      var bytes = (UInt64(0), UInt64(0))
      bytes.0 = random.next()
      bytes.1 = random.next()
      return withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    mutating func row(_ id: UUID? = nil) -> Note {
      let id = id ?? uuid()
      if !known.contains(id) { known.append(id) }
      return Note(
        id: id, album: ["a", "b", "c"].randomElement(using: &random) ?? "a",
        title: [nil, "", "Fjord", "fjord", "é", "e\u{301}", "z\0y"].randomElement(using: &random) ?? nil,
        position: .random(in: 0..<8, using: &random),
        weight: [nil, 0, -0.0, 1.5, -.infinity, 1e300].randomElement(using: &random) ?? nil,
        created: Date(timeIntervalSince1970: Double(Int.random(in: 0..<20, using: &random)) * 10 * 86_400),
        rank: Rank(bytes: [0x80, UInt8.random(in: 0..<20, using: &random)]) ?? Rank.middle)
    }

    mutating func rows(_ count: Int) -> [Note] { (0..<count).map { _ in row() } }

    mutating func id() -> UUID { known.randomElement(using: &random) ?? uuid() }

    mutating func act() -> Act {
      switch Int.random(in: 0..<14, using: &random) {
      case 0...2: return .save(rows(.random(in: 1...3, using: &random)))
      case 3...5:
        let ids = (0..<Int.random(in: 1...4, using: &random)).map { _ in id() }
        return .save(ids.map { row($0) })
      case 6: return .delete([id(), id()])
      case 7: return .execute("UPDATE note SET position = (position + 1) % 8 WHERE album = 'a'")
      case 8: return .rekey(id(), uuid())
      case 9: return .replace(row(id()))
      case 10: return .rolledBack(rows(2))
      case 11: return .savepoint(kept: row(id()), undone: row(id()))
      case 12: return .execute("UPDATE note SET views = views + 1, title = title")
      default: return Bool.random(using: &random) ? .execute("DELETE FROM note") : .save(rows(10))
      }
    }

    enum Act: Sendable {
      case save([Note])
      case delete([UUID])
      case execute(String)
      case rekey(UUID, UUID)
      case replace(Note)
      case rolledBack([Note])
      case savepoint(kept: Note, undone: Note)

      func run(_ db: Database) throws {
        switch self {
        case .save(let notes): for note in notes { try note.save(db) }
        case .delete(let ids): _ = try Note.deleteAll(db, keys: ids)
        case .execute(let sql): try db.execute(sql: sql)
        case .rekey(let old, let new):
          try db.execute(sql: "UPDATE OR IGNORE note SET id = ? WHERE id = ?", arguments: [new, old])
        case .replace(let note): try note.insert(db, onConflict: .replace)
        case .rolledBack(let notes):
          for note in notes { try note.save(db) }
          throw RolledBack()
        case .savepoint(let kept, let undone):
          try kept.save(db)
          try db.inSavepoint {
            try undone.save(db)
            return .rollback
          }
        }
      }
    }
  }

  extension Rank {
    static var middle: Rank { (try? Rank.between(nil, nil)) ?? Rank(bytes: [0x80, 0])! }
  }
#endif

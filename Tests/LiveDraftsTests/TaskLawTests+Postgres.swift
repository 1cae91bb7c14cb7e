#if PostgreSQL && SQLite
  import LiveDrafts
  import LiveFetch
  import LiveFetchPostgres
  import LiveListsTestSupport
  import Testing

  extension TaskLawTests {
    @Test(
      "The same over PostgreSQL",
      .needsPostgres,
      arguments: seeds.prefix(max(10, seeds.count / 4)))
    func holdsOnPostgres(_ seed: UInt64) async throws {
      func play(_ history: TaskHistory) async throws -> String? {
        let subject = try await PostgresSubject(connections: 3)
        try await subject.postgres.write { for sql in history.postgresSchema { try $0.execute(sql) } }
        return try await history.failure(on: subject)
      }
      let history = TaskHistory(seed: seed, count: 25, telling: .rows)
      guard let failure = try await play(history) else { return }
      let (shrunk, last) = await history.shrunk(play)
      Issue.record("seed \(seed): \(failure)\nshrunk: \(shrunk)\n\(last)")
    }
  }

  extension PostgresSubject: TaskSubject {
    func taskRows() async throws -> Set<String> {
      @Sendable func rows<Kind>(
        _ transaction: PostgresTransaction, _ type: TaskRow<Kind>.Type
      ) throws -> [String] {
        try transaction.query("SELECT * FROM \(Kind.table)").map { try type.init(fetchRow: $0).description }
      }
      return try await postgres.read {
        Set(try rows($0, Owner.self) + rows($0, Shelf.self) + rows($0, Photo.self))
      }
    }
  }

  extension TaskHistory {
    /// The tables as PostgreSQL has them. Constraints wait for the end of the transaction, so that rows can exchange their codes.
    fileprivate var postgresSchema: [String] {
      func reference(_ table: Table, _ column: String, _ parent: Table, _ action: String) -> String {
        "ALTER TABLE \(table) ADD FOREIGN KEY (\(column)) REFERENCES \(parent) ON DELETE \(action) DEFERRABLE INITIALLY DEFERRED"
      }
      let names = Table.allCases
      let tables = names.map { table in
        let parent = table == .owner ? "" : " NOT NULL"
        return """
          CREATE TABLE \(table) (id bigint PRIMARY KEY, name bigint CHECK (name < 9), parent bigint\(parent), other bigint,
            code bigint\(isUnique ? " UNIQUE DEFERRABLE INITIALLY DEFERRED" : ""), count bigint NOT NULL DEFAULT 0)
          """
      }
      let references = [
        reference(.owner, "parent", .owner, ownersCascade ? "CASCADE" : "SET NULL"),
        reference(.owner, "other", hasCovers ? .photo : .owner, "SET NULL"),
        reference(.shelf, "parent", .owner, "CASCADE"),
        reference(.shelf, "other", .shelf, ownersCascade ? "SET NULL" : "CASCADE"),
        reference(.photo, "parent", .shelf, "CASCADE"), reference(.photo, "other", .owner, "SET NULL"),
      ]
      return tables + references + rows.map { "INSERT INTO \($0)" }
        + (isUnique ? names.map { "UPDATE \($0) SET code = id" } : [])
        + (hasTriggers ? postgresTriggers : []) + (hasCounts ? postgresCounting : [])
    }

    /// A trigger that writes another name than a row was given.
    private var postgresTriggers: [String] {
      [
        """
        CREATE FUNCTION rename() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF NEW.name = 3 THEN NEW.name := 2; END IF; RETURN NEW; END $$
        """
      ]
        + Table.allCases.map {
          "CREATE TRIGGER renames BEFORE INSERT OR UPDATE OF name ON \($0) FOR EACH ROW EXECUTE FUNCTION rename()"
        }
    }

    /// A trigger that counts the photos of shelves.
    private var postgresCounting: [String] {
      let count = "(SELECT count(*) FROM photo WHERE parent = shelf.id)"
      return [
        "UPDATE shelf SET count = \(count)",
        """
        CREATE FUNCTION recount() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN UPDATE shelf SET count = \(count) WHERE count <> \(count); RETURN NULL; END $$
        """,
        """
        CREATE TRIGGER counts AFTER INSERT OR DELETE OR UPDATE OF parent ON photo
        FOR EACH ROW EXECUTE FUNCTION recount()
        """,
      ]
    }
  }
#endif

#if PostgreSQL
  import LiveStore

  /// The part of the database that is the store's own: the schema `livelists`.
  ///
  /// Setting it up again changes nothing; a newer version of the library brings an older schema along.
  enum Setup {
    static let version: Int64 = 7

    /// Sets the schema up, or brings it along.
    /// - Throws: `PostgresError`; where the role may not make a schema, with how to mend it.
    static func run(on connection: Connection) throws {
      guard try isWanted(on: connection) else { return }
      var attempt = 1
      while true {
        do { return try install(on: connection) } catch {
          try? connection.run("ROLLBACK")
          switch error.postgresCode {
          case "42501":
            throw PostgresError(
              code: "42501",
              "The role may not set up the schema “livelists”, or bring it along to version \(version): let one that may create schemas in "
                + "the database, or owns this one, connect once, and then call livelists.allow for this role.",
              detail: "\(error)")
          case "55P03" where attempt < attempts: attempt += 1
          case "55P03":
            throw PostgresError(
              code: "55P03",
              "The schema “livelists” cannot be brought along to version \(version) while a transaction is open that has written to a "
                + "watched table: try again after its end.", detail: "\(error)")
          default: throw error
          }
        }
      }
    }

    /// How often the tables' locks are asked for. Whoever writes waits behind one who waits for them, so each time is short.
    private static let attempts = 8

    /// Whether there is another version than this, which is then older.
    private static func isWanted(on connection: Connection) throws -> Bool {
      guard let found = try installed(on: connection) else { return true }
      if found > version {
        throw PostgresError(
          "The schema “livelists” is of version \(found), and this library knows \(version): update the library on this node."
        )
      }
      return found < version
    }

    private static func install(on connection: Connection) throws {
      try connection.run(
        "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(\(lock)); SET LOCAL search_path = pg_catalog"
      )
      // Another node may have been faster.
      if try isWanted(on: connection) {
        let found = try installed(on: connection)
        if let found {
          try connection.run("SET LOCAL lock_timeout = '500ms'")
          if found < 2 { try connection.run(second) }
          if found < 3 { try connection.run(third) }
        } else {
          try connection.run(tables)
        }
        try connection.run(functions)
        if found != nil { try connection.run(triggersAnew) }
        try connection.run("INSERT INTO livelists.version (number) VALUES (\(version))")
      }
      try connection.run("COMMIT")
    }

    private static func installed(on connection: Connection) throws -> Int64? {
      guard try connection.query("SELECT to_regclass('livelists.version') IS NOT NULL").truth(0, 0) else {
        return nil
      }
      return try connection.query("SELECT max(number) FROM livelists.version").integer(0, 0)
    }

    /// The number of the advisory lock that all nodes take: `livelist` in bytes.
    static let lock: Int64 = 0x6c69_7665_6c69_7374

    /// From version 1 to 2. `seq` stays, without values, for nodes of version 1 that are still running; they see the same rows.
    private static let second = """
      ALTER TABLE livelists.log ADD COLUMN same bigint, ALTER COLUMN seq DROP NOT NULL, ALTER COLUMN seq DROP DEFAULT;
      DROP SEQUENCE livelists.log_order;
      ALTER TABLE livelists.watched ADD COLUMN compared text NOT NULL DEFAULT ''
      """

    /// From version 2 to 3. All nodes read anew once, those of version 2 that are still running as well.
    private static let third = """
      DELETE FROM livelists.boot;
      ALTER TABLE livelists.boot ADD COLUMN made xid8 NOT NULL DEFAULT pg_current_xact_id()
      """

    /// Triggers of the version before go on as they did. Those of tables that are another role's become new when that role's node reads them.
    private static let triggersAnew = """
      DO $$
      DECLARE
        known livelists.watched;
      BEGIN
        FOR known IN SELECT w.* FROM livelists.watched w JOIN pg_class c ON c.oid = w.rel
          WHERE w.key IS NOT NULL AND livelists.watching(w.rel, w.key) = w.tab LOOP
          BEGIN
            PERFORM livelists.make(known.rel, known.tab, known.key, known.noted);
          EXCEPTION WHEN insufficient_privilege THEN NULL;
          END;
        END LOOP;
      END $$
      """
  }
#endif

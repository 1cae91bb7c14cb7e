#if SQLite
  import GRDB
  import LiveStore
  import Synchronization

  /// The number by which SQLite counts the changes of a database's schema, by any connection or process.
  enum SchemaVersion {
    static func read(in db: Database) throws -> Int64 {
      // Not through GRDB, which would take the end of this read for that of a transaction, at a commit.
      let cursor = try StatementCursor(SQLText("PRAGMA main.schema_version"), in: db)
      return try cursor.next().map { $0[0].integer } ?? 0
    }
  }

  // What tables are like, and when that has to be looked up again.
  extension CommitWatcher {
    /// Learns what a plan's tables are like. Called in the queue of writes, before the plan is read.
    /// - Throws: ``FetchError`` for what can be read but not be watched, or the database's error.
    func resolve(_ plan: FetchPlan, in db: Database) throws {
      try checkSchema(db)
      for name in plan.tables {
        let known = state.withLock { state in
          state.tables.first {
            $0.isFor(plan, name) && $0.layout != nil && ($0.isLogged || !options.observesOtherProcesses)
          }?
          .layout
        }
        let layout = try known ?? learn(plan, name, in: db)
        try check(plan, name, layout, in: db)
      }
    }

    private func learn(_ plan: FetchPlan, _ name: String, in db: Database) throws -> TableLayout {
      guard let layout = try TableLayout(name, in: db) else { throw try Self.missing(name, in: db) }
      try check(plan, name, layout, in: db)
      if options.observesOtherProcesses {
        do {
          try prepareLog(name, id: isSameName(name, plan.table) ? plan.columns[0].name : nil, layout, in: db)
        } catch is ChangeLog.SchemaChanged {
          try checkSchema(db)
          return try learn(plan, name, in: db)
        }
      }
      state.withLock { state in
        for table in state.tables.indices where state.tables[table].isFor(plan, name) {
          state.tables[table].learn(layout)
          state.tables[table].isLogged = options.observesOtherProcesses
        }
        watched.wrappingAdd(1, ordering: .releasing)
      }
      return layout
    }

    /// Returns the error for a table that is not in the database's own file.
    private static func missing(_ name: String, in db: Database) throws -> any Error {
      let found = try Row.fetchOne(db, sql: "PRAGMA table_list(\(SQLText.quoted(name)))")
      guard let schema: String = found?["schema"] else {
        return DatabaseError(
          message:
            "no such table: \(name); create it by a migration, or by `SQLiteStore(path:creating:)`")
      }
      return FetchError.unwatchable(
        name,
        "is not in the database's own file but in “\(schema)”: a list reads through several connections, to that file. Move "
          + "the table there"
      )
    }

    private func check(_ plan: FetchPlan, _ name: String, _ layout: TableLayout, in db: Database) throws {
      guard plan.raw == nil else { return }
      for column in plan.columns where layout.position(of: column.name) == nil {
        throw DatabaseError(
          message:
            "no such column: \(column.name) in table \(name); add it by a migration, or leave it out of `fetchTable`"
        )
      }
      let id = plan.columns[0].name
      if layout.keyColumns.count > 1, let position = layout.position(of: id),
        layout.keyColumns.contains(position),
        !layout.uniqueColumns.contains(position)
      {
        throw FetchError.unwatchable(
          name,
          "has a primary key of \(layout.keyColumns.count) columns, of which “\(id)” alone does not tell rows apart; "
            + "give it a column that does, with a unique index")
      }
      try ComparisonTypes(layout, db).check(plan.filter)
      guard plan.columns.contains(where: \.type.isText) else { return }
      let encoding = try String.fetchOne(db, sql: "PRAGMA encoding")
      if let encoding, encoding != "UTF-8" {
        throw FetchError.unwatchable(
          name,
          "is in a database that orders text by the bytes of \(encoding), and lists order it by those of UTF-8. "
            + "Copy it into one of `PRAGMA encoding = 'UTF-8'`"
        )
      }
    }

    /// Returns whether the database lets no two rows of a plan's table have one key. If not, or if it is not known,
    /// there may be such.
    func isKeyUnique(_ plan: FetchPlan) -> Bool {
      state.withLock { state in
        guard let layout = state.tables.first(where: { $0.isFor(plan, plan.table) })?.layout else {
          return false
        }
        return layout.position(of: plan.columns[0].name).map(layout.uniqueColumns.contains) ?? false
      }
    }

    /// Makes all lists read anew where the schema was changed in a way that no hook has seen: by another process, or by
    /// a backup into this database. Called in the queue of writes, outside of transactions.
    func checkSchema(_ db: Database) throws {
      let version = try SchemaVersion.read(in: db)
      let isChanged = state.withLock { state in
        defer { state.schemaVersion = version }
        return state.schemaVersion != nil && state.schemaVersion != version
      }
      guard isChanged else { return }
      relearn(db)
      let (position, commits) = state.withLock { state in
        state.position += 1
        return (FetchPosition(state.position), state.commits(isSchemaDirty: true, options))
      }
      for commit in commits { deliver(commit, position, [], .all, in: db) }
    }

    /// Learns what all tables are like anew, after a change of the schema.
    func relearn(_ db: Database) {
      rangePlans.noteSchemaChange()
      let names = state.withLock { $0.tables.map(\.name) }
      for (index, name) in names.enumerated() {
        // A table that is not there, or cannot be watched, is learnt when it is read.
        let layout = (try? TableLayout(name, in: db)).flatMap(\.self)
        state.withLock { state in
          state.tables[index].learn(layout)
          watched.wrappingAdd(1, ordering: .releasing)
        }
      }
    }
  }
#endif

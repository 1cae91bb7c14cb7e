import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  @testable import LiveFetch
  @testable import LiveStore
  import LiveFetchSQLite
  import Snapshots

  /// Who makes the commits of a case.
  enum WideWriters: Sendable {
    /// The store, one after another.
    case one
    /// The store and a second connection, in turn.
    case two
    /// Several tasks at once.
    case many
  }

  extension WideCase {
    /// Runs the case, and says what is wrong with it if anything is.
    func run(_ writers: WideWriters = .one) async throws -> String? {
      switch key {
      case .number: try await WideRun<Int64>(self).run(writers)
      case .text: try await WideRun<String>(self).run(writers)
      case .uuid: try await WideRun<UUID>(self).run(writers)
      }
    }
  }

  struct WideRun<Key: WideKey>: Sendable {
    let wide: WideCase

    init(_ wide: WideCase) { self.wide = wide }

    // MARK: The database

    func createTable(_ db: Database) throws {
      let collation = wide.form?.collation.map { " COLLATE \($0)" } ?? ""
      func declaration(_ column: WideColumn) -> String {
        column.declaration(wide.variant) + (column == .t ? collation : "")
      }
      let columns = wide.columns.filter { $0 != wide.form?.added }.map(declaration)
      var parts = ["id \(Key.declaration)\(Key.self == String.self ? collation : "")"] + columns
      // Not always is the primary key the first column.
      if wide.variant % 2 == 1 { parts.swapAt(0, parts.count - 1) }
      if let position = wide.form?.computed {
        parts.insert("computed AS (length(d)) VIRTUAL", at: min(position, parts.count))
      }
      if wide.form?.added == .d { parts.removeAll { $0.hasPrefix("computed") } }
      try db.execute(
        sql:
          "CREATE TABLE wide (\(parts.joined(separator: ", "))) \(wide.isWithoutRowID ? "WITHOUT ROWID" : "")"
      )
      if let added = wide.form?.added {
        for number in 0..<6 {
          let id = Self.databaseValue(Key(number: number).fetchValue(as: Key.fetchColumnType) ?? .null)
          let names = added == .m ? "(id) VALUES (?)" : "(id, m) VALUES (?, 1)"
          try db.execute(sql: "INSERT OR IGNORE INTO wide \(names)", arguments: [id])
        }
        // One of those that the pool has, so that filters ask for it.
        let value = added.pool[1]
        try db.execute(sql: "ALTER TABLE wide ADD COLUMN \(declaration(added)) DEFAULT \(value)")
      }
      if wide.isUnique { try db.execute(sql: "CREATE UNIQUE INDEX once ON wide (t, b)") }
      if wide.isIndexed {
        let sorts = wide.sorts.map { "\($0.column.rawValue) \($0.isDescending ? "DESC" : "ASC")" }
        try db.execute(sql: "CREATE INDEX in_order ON wide (\(sorts.joined(separator: ", ")), id)")
      }
    }

    func perform(_ operation: WideCase.Operation, in db: Database) throws {
      func id(_ number: Int) -> DatabaseValue {
        Self.databaseValue(Key(number: number).fetchValue(as: Key.fetchColumnType) ?? .null)
      }
      func value(_ column: WideColumn, _ pick: Int) -> DatabaseValue { Self.databaseValue(column.pool[pick]) }
      switch operation {
      case .put(let number, let picks):
        let names = WideColumn.allCases.map(\.rawValue).joined(separator: ", ")
        let values = [id(number)] + zip(WideColumn.allCases, picks).map { value($0, $1) }
        try db.execute(
          sql: "INSERT OR REPLACE INTO wide (id, \(names)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
          arguments: StatementArguments(values))
      case .update(let number, let column, let pick):
        try db.execute(
          sql: "UPDATE OR REPLACE wide SET \(column.rawValue) = ? WHERE id = ?",
          arguments: [value(column, pick), id(number)])
      case .updateAll(let column, let pick, let other, let otherPick):
        try db.execute(
          sql: "UPDATE OR IGNORE wide SET \(column.rawValue) = ? WHERE \(other.rawValue) IS ?",
          arguments: [value(column, pick), value(other, otherPick)])
      case .delete(let number): try db.execute(sql: "DELETE FROM wide WHERE id = ?", arguments: [id(number)])
      case .deleteAll: try db.execute(sql: "DELETE FROM wide")
      case .rekey(let number, let new):
        try db.execute(
          sql: "UPDATE OR IGNORE wide SET id = ? WHERE id = ?", arguments: [id(new), id(number)])
      case .undone(let operations):
        try db.inSavepoint {
          for operation in operations { try perform(operation, in: db) }
          return .rollback
        }
      }
    }

    static func databaseValue(_ value: FetchValue) -> DatabaseValue {
      switch value {
      case .null: .null
      case .integer(let value): value.databaseValue
      case .real(let value): value.databaseValue
      case .text(let value): value.databaseValue
      case .blob(let value): Data(value).databaseValue
      }
    }

    // MARK: The request, and what it gives the plain way

    var request: FetchDescriptor<Wide<Key>> {
      func path(_ column: WideColumn) -> any PartialKeyPath<Wide<Key>> & Sendable {
        switch column {
        case .n: \.n
        case .m: \.m
        case .r: \.r
        case .t: \.t
        case .b: \.b
        case .u: \.u
        case .d: \.d
        case .s: \.s
        }
      }
      var request = FetchDescriptor<Wide<Key>>()
        .ordered(
          by: wide.sorts.map {
            FetchSortKey(
              keyPath: path($0.column), isDescending: $0.isDescending, isFolded: $0.isFolded,
              nulls: $0.nullsLast ? .last : .first)
          }
        )
        .offset(wide.offset)
      if let limit = wide.limit { request = request.limit(limit) }
      if let section = wide.section {
        request = request.sectioned(
          by: FetchSectionKey(
            keyPath: path(section.column), kind: FetchSectionKind(rawValue: section.kind) ?? .value),
          order: [.automatic, .ascending, .descending][section.order])
      }
      if let condition = wide.condition { request.filters.append(condition.expression) }
      return request
    }

    /// All rows of the table through GRDB, filtered, ordered and divided here.
    func fresh(_ db: Database) throws -> DiffableSnapshot<FetchSectionID, Key> {
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM wide").map { row in
        Dictionary(
          uniqueKeysWithValues: row.map { name, value -> (String, FetchValue) in
            switch value.storage {
            case .null: (name, .null)
            case .int64(let value): (name, .integer(value))
            case .double(let value): (name, .real(value))
            case .string(let value): (name, .text(value))
            case .blob(let value): (name, .blob(Array(value)))
            }
          })
      }
      let listed = rows.filter { row in wide.condition.map { $0.holds(row) == true } ?? true }
        .sorted { order($0, $1) < 0 }
        .dropFirst(wide.offset).prefix(wide.limit ?? .max)
      var sections: [(FetchSectionID, [Key])] = wide.section == nil ? [("", [])] : []
      for row in listed {
        let name = wide.section.map { self.name(row[$0.column.rawValue] ?? .null, $0) } ?? ""
        let section = FetchSectionID(name)
        if sections.last?.0 != section { sections.append((section, [])) }
        if let id = Key(fetchValue: row["id"] ?? .null, as: Key.fetchColumnType) {
          sections[sections.count - 1].1.append(id)
        }
      }
      return try DiffableSnapshot(sections: sections)
    }

    private func order(_ a: [String: FetchValue], _ b: [String: FetchValue]) -> Int {
      if let section = wide.section {
        let first = wide.sorts[0]
        let follows =
          first.column == section.column
          && (section.kind == 1 || section.kind == 2 ? first.isFolded : !first.isFolded)
        if section.order != 0 || !follows {
          let (left, right) = (a[section.column.rawValue] ?? .null, b[section.column.rawValue] ?? .null)
          let order: Int
          if section.kind == 0 || left.isNull || right.isNull {
            order = naiveOrder(left, right)
          } else {
            order = naiveOrder(.text(name(left, section)), .text(name(right, section)))
          }
          if order != 0 { return section.order == 2 ? -order : order }
        }
      }
      for sort in wide.sorts {
        var (left, right) = (a[sort.column.rawValue] ?? .null, b[sort.column.rawValue] ?? .null)
        if left.isNull != right.isNull { return left.isNull == sort.nullsLast ? 1 : -1 }
        if sort.isFolded, case .text(let x) = left, case .text(let y) = right {
          (left, right) = (.text(TextFolding.fold(x)), .text(TextFolding.fold(y)))
        }
        let order = naiveOrder(left, right)
        if order != 0 { return sort.isDescending ? -order : order }
      }
      return naiveOrder(a["id"] ?? .null, b["id"] ?? .null)
    }

    /// The name of a section, by Foundation's calendar where it is of a date.
    private func name(_ value: FetchValue, _ section: WideCase.Section) -> String {
      switch (section.kind, value) {
      case (_, .null): return ""
      case (1, .text(let text)): return TextFolding.fold(text)
      case (2, .text(let text)): return TextFolding.fold(text).prefix(1).uppercased()
      case (3..., .text(let text)):
        return String(text.prefix(section.kind == 3 ? 4 : (section.kind == 4 ? 7 : 10)))
      case (3..., .integer(let microseconds)):
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
          [.year, .month, .day], from: Date(timeIntervalSince1970: Double(microseconds) / 1e6))
        let text = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        return String(text.prefix(section.kind == 3 ? 4 : (section.kind == 4 ? 7 : 10)))
      case (_, .integer(let number)): return String(number)
      case (_, .text(let text)): return text
      case (_, .blob(let bytes)):
        return section.column == .u
          ? UUID(fetchValue: value, as: .uuid)?.uuidString ?? "?"
          : bytes.map { String(format: "%02x", $0) }.joined()
      case (_, .real(let number)):
        let isWhole = number.rounded() == number && abs(number) < 1e15
        return isWhole ? String(format: "%.0f", number) : String(number)
      }
    }
  }

  extension WideRun {
    /// The first section whose identifier gives another value than the rows in it have.
    func falseSection(_ snapshot: DiffableSnapshot<FetchSectionID, Key>, _ db: Database) throws -> String? {
      guard let column = wide.section?.column, wide.section?.kind == 0 else { return nil }
      for section in snapshot.sections {
        let id = section.items.first?.fetchValue(as: Key.fetchColumnType).map(Self.databaseValue)
        let arguments = StatementArguments([id ?? .null])
        let row = try Row.fetchOne(db, sql: "SELECT * FROM wide WHERE id = ?", arguments: arguments)
        let stored: DatabaseValue? = row?[column.rawValue]
        let isRight: Bool =
          switch column {
          case .n, .m: try section.id.value(as: Int64?.self) == Int64.fromDatabaseValue(stored ?? .null)
          case .r: try section.id.value(as: Double?.self) == Double.fromDatabaseValue(stored ?? .null)
          case .t: try section.id.value(as: String?.self) == String.fromDatabaseValue(stored ?? .null)
          case .b: try section.id.value(as: Data.self) == Data.fromDatabaseValue(stored ?? .null) ?? Data()
          case .u: try section.id.value(as: UUID?.self) == UUID.fromDatabaseValue(stored ?? .null)
          case .d:
            try section.id.value(as: Date?.self)
              == Int64.fromDatabaseValue(stored ?? .null).map {
                Date(timeIntervalSince1970: Double($0) / 1_000_000)
              }
          case .s:
            // As a date it is read as SQLite reads it; GRDB reads old ones by another calendar.
            try section.id.value(as: String?.self) == String.fromDatabaseValue(stored ?? .null)
              && (try section.id.value(as: Date?.self) == nil) == (stored?.isNull ?? true)
          }
        if !isRight { return "the section “\(section.id)” is of rows that have \(stored ?? .null)" }
      }
      return nil
    }
  }

  // MARK: Running

  extension WideRun {
    func run(_ writers: WideWriters) async throws -> String? {
      var options = SQLiteStoreOptions()
      options.observesOtherProcesses = writers == .two
      options.pollingInterval = .seconds(3_600)
      if wide.variant == 5 { options.maximumTouchedRows = 3 }
      let temporary = try TemporaryStore(options: options, prepare: createTable)
      let controller = FetchController(request, in: temporary.store)
      var replayed = try await controller.performFetch()
      let listener = controller.changes.makeAsyncIterator()
      _ = try await listener.next()
      if writers == .many {
        await withTaskGroup(of: Void.self) { group in
          for step in wide.steps { group.addTask { try? await write(step, temporary.store.pool) } }
        }
        return try await check(controller, temporary, listener, &replayed, "all commits at once")
      }
      let other =
        try writers == .two
        ? DatabaseQueue(path: temporary.directory.appendingPathComponent("test.sqlite").path) : nil
      for (number, step) in wide.steps.enumerated() {
        if let other, number % 2 == 1 {
          try? await write(step, other)
          await temporary.store.checkForExternalChanges()
        } else {
          try? await write(step, temporary.store.pool)
        }
        if let failure = try await check(controller, temporary, listener, &replayed, "step \(number)") {
          return failure
        }
      }
      return nil
    }

    private func write(_ step: WideCase.Step, _ writer: any DatabaseWriter) async throws {
      try await writer.write { db in
        for operation in step.operations { try perform(operation, in: db) }
        if step.isRolledBack { throw RolledBack() }
      }
    }

    private func check(
      _ controller: FetchController<Wide<Key>>, _ temporary: TemporaryStore,
      _ listener: FetchChanges<Key>.Iterator, _ replayed: inout DiffableSnapshot<FetchSectionID, Key>,
      _ moment: String
    ) async throws -> String? {
      await controller.waitUntilCurrent()
      let expected = try await temporary.store.read { [self] db in try fresh(db) }
      guard controller.snapshot == expected else {
        return
          "after \(moment): \(controller.snapshot.map { "\($0)" } ?? "nothing"), but a fresh query gives \(expected)"
      }
      let shown = controller.snapshot ?? DiffableSnapshot()
      if let wrong = try await temporary.store.read({ [self] db in try falseSection(shown, db) }) {
        return "after \(moment): \(wrong)"
      }
      while replayed != expected {
        guard let change = try await listener.next() else { return "after \(moment): the stream has ended" }
        if let failure = change.failures.first { return "after \(moment): \(failure)" }
        replayed = try replayed.applying(change.difference)
        if replayed != change.snapshot { return "after \(moment): the differences lead elsewhere" }
        if !Set(change.updated).isDisjoint(with: change.moved) { return "after \(moment): moved and updated" }
      }
      return nil
    }
  }
#endif

#if SQLite
  import GRDB
  import LiveStore

  /// Text that is no valid UTF-8, in a row that a commit touched: only the database says how it compares.
  struct InvalidText: Error {}

  /// Reads the rows that a commit touched, as it left them: the caller is in the queue of writes.
  ///
  /// The hook gives the position of each row. Read from there, a row costs one descent, and by its key two. What a savepoint
  /// took back may leave nothing there, or another row: so what is found is known by its key, and what is not found is
  /// looked for by it.
  struct TouchedRowsQuery {
    private let columns: Range<Int>
    private let byKey: KeyedQuery
    /// nil where the rows have no number, or where that of one row does not prove that it is the only one with its key.
    private let byRowid: KeyedQuery?
    private let isKeyUnique: Bool

    /// - Parameters:
    ///   - columns: The columns to read, the primary key first.
    ///   - layout: The table's.
    init(table: String, columns: [String], id: String, _ layout: TableLayout?) {
      self.columns = columns.indices
      byKey = KeyedQuery(table: table, columns: columns, id: id)
      isKeyUnique =
        layout.map { layout in layout.position(of: id).map(layout.uniqueColumns.contains) ?? false } ?? false
      let rowid = isKeyUnique ? layout?.rowidName : nil
      byRowid = rowid.map { KeyedQuery(table: table, columns: columns, id: $0) }
    }

    /// - Parameters:
    ///   - touches: What is known of the rows.
    ///   - indexByKey: Where each row stands among them.
    /// - Returns: The rows, and how many statements they took.
    func rows(
      of touches: [WatchedTable.Touch], _ indexByKey: [FetchValue: Int], in db: Database
    ) throws -> (rows: [ChangeSet.Row], statements: Int) {
      var rows = touches.map { ChangeSet.Row(id: $0.id, values: nil, change: $0.change) }
      var statements = 0
      var missing = rows.count
      func read(_ query: KeyedQuery, _ keys: [FetchValue]) throws {
        for chunk in KeyedQuery.chunks(keys) {
          let cursor = try StatementCursor(SQLText(query.sql(count: chunk.count), chunk), in: db)
          statements += 1
          while let row = try cursor.next() {
            for column in columns where !row[column].isValid { throw InvalidText() }
            let values = columns.map { row.value($0) }
            guard let index = indexByKey[values[0].normalized] else { continue }
            // One row would hide the other; a whole read finds what is wrong.
            if rows[index].values != nil, !isKeyUnique {
              throw FetchError.duplicateIdentifier("\(values[0])")
            }
            if rows[index].values == nil { missing -= 1 }
            rows[index].id = values[0]
            rows[index].values = values
          }
        }
      }
      // Where some are gone they are all read by key, which takes one statement and not two.
      let rowids = touches.compactMap { $0.rowid.map { FetchValue.integer($0) } }
      if let byRowid, rowids.count == touches.count { try read(byRowid, rowids) }
      if missing > 0 { try read(byKey, rows.filter { $0.values == nil }.map(\.id)) }
      // What a savepoint took back the hook has seen as well.
      for index in rows.indices {
        rows[index].change = rows[index].change.agreeing(withPresence: rows[index].values != nil)
      }
      return (rows, statements)
    }
  }
#endif

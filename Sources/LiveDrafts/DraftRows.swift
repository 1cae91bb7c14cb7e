import LiveStore

/// A row of the store with the columns on top that a draft has set.
struct EditedRow: FetchRowStorage {
  var base: any FetchRowStorage
  var mine: StoredRow

  func value(ofColumn column: String) -> FetchValue? { mine[column] ?? base.value(ofColumn: column) }

  var columnNames: [String] {
    let names = base.columnNames
    return names + mine.keys.filter { !names.contains($0) }
  }
}

extension PendingRow {
  /// The row as objects are made of it.
  /// - Parameter row: The store's row, if there is one.
  func row(over row: FetchRow?) -> FetchRow? {
    guard let shown else { return nil }
    // Of a row that was deleted just now, columns may not have been known yet.
    guard let row else { return FetchRow(DictionaryRow((original ?? [:]).merging(shown) { $1 })) }
    if let refusal = row.refusal { return FetchRow(row.storage, refusal: refusal) }
    // While a save is writing the row, the store's row lacks what the save sets.
    return FetchRow(EditedRow(base: row.storage, mine: isAhead ? shown : mine), isNewest: row.isNewest)
  }
}

extension FetchPlan {
  /// The same list, from its first row on, with so many rows more as may be left out of it. A limit beyond all numbers is none.
  func widened(by count: Int) -> FetchPlan {
    guard limit != nil || offset > 0 else { return self }
    return FetchPlan(
      table: table, columns: columns, ignoredColumns: ignoredColumns, filter: filter, order: order,
      section: section, limit: limit.flatMap { offset.sum(with: $0)?.sum(with: count) }, raw: raw)
  }

  /// All rows of a table.
  static func all(of table: String, _ columns: [Column]) -> FetchPlan {
    FetchPlan(table: table, columns: columns, filter: .yes, order: [])
  }
}

extension Int {
  /// nil where the sum is beyond all numbers.
  fileprivate func sum(with other: Int) -> Int? {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? nil : sum
  }
}

extension RowChange {
  /// The numbers of a table's columns by name.
  static func numbers(of columns: [String]) -> [String: Int] {
    Dictionary(zip(columns, columns.indices)) { first, _ in first }
  }

  /// Describes the difference of two rows.
  /// - Parameter numbers: The numbers of the table's columns.
  static func between(_ before: StoredRow?, _ after: StoredRow?, _ numbers: [String: Int]) -> RowChange {
    switch (before, after) {
    case (nil, nil): return .insertedAndDeleted
    case (nil, _): return .inserted
    case (_, nil): return .deleted
    case (let before?, let after?):
      var changed: ColumnSet = []
      for (column, value) in after where !value.isStored(like: before[column] ?? .null) {
        guard let number = numbers[column] else { return .updated(.all) }
        changed.formUnion(ColumnSet(column: number))
      }
      // A row that is only in conflict, or no longer, is to be shown again all the same.
      return changed.isEmpty ? .unknown : .updated(changed)
    }
  }
}

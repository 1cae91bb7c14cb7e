#if SQLite
  import GRDB
  import LiveStore

  /// Holds a filter to what a table's columns were declared as.
  ///
  /// SQL compares a column that was declared as a number with the text '7' as with the number 7, and one that was declared as text
  /// with 7 as with '7'. In memory values are compared as they are stored. Where that is not the same, the filter is refused: the
  /// property that it names is of another type than the column.
  struct ComparisonTypes {
    private let layout: TableLayout
    private let db: Database

    init(_ layout: TableLayout, _ db: Database) {
      self.layout = layout
      self.db = db
    }

    /// - Throws: ``FetchError`` that names the column and the value.
    func check(_ expression: FetchExpression) throws {
      switch expression {
      case .column, .constant: break
      case .compare(_, .column(_, let name), .constant(let value)),
        .compare(_, .constant(let value), .column(_, let name)):
        try check(name, [value])
      case .among(.column(_, let name), let values): try check(name, values)
      case .compare(_, let a, let b), .match(_, _, let a, let b), .coalesce(let a, let b):
        try check(a)
        try check(b)
      case .all(let operands), .any(let operands): for operand in operands { try check(operand) }
      case .not(let operand), .among(let operand, _), .folded(let operand), .isEmpty(let operand):
        try check(operand)
      case .choose(let test, let a, let b):
        for operand in [test, a, b] { try check(operand) }
      }
    }

    private func check(_ name: String, _ values: some Collection<FetchValue>) throws {
      guard let position = layout.position(of: name) else { return }
      let column = layout.columns[position]
      for value in values {
        let isConverted =
          switch (column.affinity, value) {
          case (.text, .integer), (.text, .real): true
          case (.number, .text): try isNumber(value)
          default: false
          }
        if isConverted {
          throw FetchError.request(.converted(column.name, declared: column.type, value))
        }
      }
    }

    /// Returns whether SQLite takes a text for a number where it is compared with one. It is asked: infinity is above
    /// all numbers, and below all text.
    private func isNumber(_ text: FetchValue) throws -> Bool {
      let cursor = try StatementCursor(SQLText("SELECT CAST(9e999 AS NUMERIC) >= ?", [text]), in: db)
      return try cursor.next().map { $0[0].integer == 1 } ?? false
    }
  }
#endif

#if PostgreSQL
  import LiveStore

  /// The observers of a table, found by the rows that concern them.
  ///
  /// An observer whose list demands that a column have a certain value stands in a dictionary by that value. Where the log
  /// says what the column was and is, rows of other values cost it nothing.
  struct TableObservers: Sendable {
    /// Those that read the table through SQL of their own.
    private(set) var raw: Set<UInt64> = []
    /// Those that every row may concern.
    private(set) var unrouted: Set<UInt64> = []
    private var routes: [String: [FetchValue: Set<UInt64>]] = [:]
    private var routeOf: [UInt64: (column: String, value: FetchValue)] = [:]

    var isEmpty: Bool { raw.isEmpty && unrouted.isEmpty && routeOf.isEmpty }
    /// Those that are lists of the table's rows.
    var lists: [UInt64] { Array(unrouted) + routeOf.keys }

    mutating func add(_ number: UInt64, _ plan: FetchPlan) {
      if plan.raw != nil {
        raw.insert(number)
      } else if let (column, value) = plan.route {
        routes[column, default: [:]][value, default: []].insert(number)
        routeOf[number] = (column, value)
      } else {
        unrouted.insert(number)
      }
    }

    mutating func remove(_ number: UInt64) {
      raw.remove(number)
      unrouted.remove(number)
      guard let (column, value) = routeOf.removeValue(forKey: number) else { return }
      routes[column]?[value]?.remove(number)
      if routes[column]?[value]?.isEmpty == true { routes[column]?[value] = nil }
      if routes[column]?.isEmpty == true { routes[column] = nil }
    }

    /// Adds the observers that a row concerns, apart from those that every row may concern.
    func addRouted(by row: LogRow, of table: PostgresTable, to found: inout Set<UInt64>) {
      for (column, byValue) in routes {
        guard let route = row.routes.first(where: { $0.column == column }), let known = table.column(column),
          let values = route.values(of: known)
        else {
          // The log does not say: any of them.
          for numbers in byValue.values { found.formUnion(numbers) }
          continue
        }
        for value in values { found.formUnion(byValue[value] ?? []) }
      }
    }
  }

  extension FetchPlan {
    /// The column and value by which the plan's list is found.
    var route: (column: String, value: FetchValue)? {
      requiredEqualities.first { equality in
        switch equality.value {
        case .text, .blob, .integer: true
        case .null, .real: false
        }
      }
    }
  }

  extension LogRow.Route {
    /// Routes as the log has them: of each column its name, its value before, and its value after.
    static func all(_ texts: [String?]) -> [Self] {
      stride(from: 0, to: texts.count - texts.count % 3, by: 3).compactMap { first in
        texts[first].map { Self(column: $0, old: texts[first + 1], new: texts[first + 2]) }
      }
    }

    /// The values before and after; nil where they cannot be told from the text.
    func values(of column: PostgresTable.Column) -> [FetchValue]? {
      var values: [FetchValue] = []
      for text in [old, new] {
        guard let text else { continue }
        guard let value = column.routedValue(text) else { return nil }
        values.append(value)
      }
      return values
    }
  }

  extension PostgresTable.Column {
    /// Whether values of the column are the same text in every session, so that rows can be routed by it.
    var canRoute: Bool {
      switch kind {
      case .integer, .truth, .uuid, .text(.bytes), .text(.other): true
      default: false
      }
    }

    /// A value that the log has as text.
    fileprivate func routedValue(_ text: String) -> FetchValue? {
      switch kind {
      case .integer: Int64(text).map { .integer($0) }
      case .truth: text == "true" ? .integer(1) : text == "false" ? .integer(0) : nil
      case .text(.bytes), .text(.other): .text(text)
      case .uuid: Self.bytes(ofUUID: text).map { .blob($0) }
      default: nil
      }
    }

    private static func bytes(ofUUID text: String) -> [UInt8]? {
      let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
      guard digits.count == 32 else { return nil }
      let bytes = stride(from: 0, to: 32, by: 2).compactMap { first in
        UInt8(String(decoding: digits[first...first + 1], as: UTF8.self), radix: 16)
      }
      return bytes.count == 16 ? bytes : nil
    }
  }
#endif

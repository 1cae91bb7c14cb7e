extension FetchPlan {
  /// The query for the list's rows, in order.
  public var query: SQLText { query(schema: nil) }

  /// The query for the list's rows, in order.
  /// - Parameter schema: The one that the table is in, where the name alone could be that of another.
  public func query(schema: String?) -> SQLText {
    if let raw { return raw.query }
    var text = SQLText("SELECT " + columns.map { SQLText.quoted($0.name) }.joined(separator: ", "))
    text.append(" FROM \(source(schema))")
    if filter != .yes, filter != .all([]) {
      text.append(" WHERE ")
      filter.render(into: &text)
    }
    let key = SQLText.quoted(columns[0].name)
    let terms = order.map(\.sql) + [columns[0].type.isText ? "\(key) \(SQLText.binary)" : key]
    text.append(" ORDER BY " + terms.joined(separator: ", "))
    if limit != nil || offset > 0 {
      text.append(" LIMIT \(limit ?? -1) OFFSET \(offset)")
    }
    return text
  }
}

extension FetchPlan {
  private func source(_ schema: String?) -> String {
    (schema.map { "\(SQLText.quoted($0))." } ?? "") + SQLText.quoted(table)
  }

  /// The query for whole rows of the list that are in a range of its order, as many as the list has there.
  public func query(in range: FetchOrderRange, schema: String? = nil) -> SQLText {
    var text = SQLText("SELECT * FROM \(source(schema)) WHERE ")
    for equality in requiredEqualities + range.equalities.map({ ($0.column, $0.value) }) {
      FetchExpression.compare(
        .equal, .column(0, name: equality.column), .constant(equality.value)
      ).render(into: &text)
      text.append(" AND ")
    }
    text.append(SQLText.quoted(range.column))
    text.append(range.least.isText ? " \(SQLText.binary) BETWEEN " : " BETWEEN ")
    text.bind(range.least)
    text.append(" AND ")
    text.bind(range.greatest)
    text.append(" LIMIT ")
    text.bind(.integer(Int64(range.count)))
    return text
  }

  /// Whether the filter says nothing but that columns have certain values, so that an index can serve all of it.
  public var isFilteredByEqualities: Bool {
    switch filter {
    case .yes: true
    case .all(let operands): operands.allSatisfy { $0.requiredEqualities.count == 1 }
    default: filter.requiredEqualities.count == 1
    }
  }
}

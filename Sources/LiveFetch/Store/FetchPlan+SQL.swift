extension FetchPlan {
  /// The query for the list's rows, in order.
  package var query: SQLText {
    if let raw { return raw.query }
    var text = SQLText("SELECT " + columns.map { SQLText.quoted($0.name) }.joined(separator: ", "))
    text.append(" FROM \(SQLText.quoted(table))")
    if filter != .yes, filter != .all([]) {
      text.append(" WHERE ")
      filter.render(into: &text)
    }
    let terms = order.map(\.sql) + [SQLText.quoted(columns[0].name)]
    text.append(" ORDER BY " + terms.joined(separator: ", "))
    if limit != nil || offset > 0 {
      text.append(" LIMIT \(limit ?? -1) OFFSET \(offset)")
    }
    return text
  }
}

extension FetchPlan {
  /// The query for whole rows of the list that are in a range of its order, as many as the list has there.
  package func query(in range: FetchOrderRange) -> SQLText {
    var text = SQLText("SELECT * FROM \(SQLText.quoted(table)) WHERE ")
    for equality in requiredEqualities + range.equalities.map({ ($0.column, $0.value) }) {
      FetchExpression.compare(
        .equal, .column(0, name: equality.column), .constant(equality.value)
      ).render(into: &text)
      text.append(" AND ")
    }
    text.append("\(SQLText.quoted(range.column)) BETWEEN ")
    text.bind(range.least)
    text.append(" AND ")
    text.bind(range.greatest)
    text.append(" LIMIT ")
    text.bind(.integer(Int64(range.count)))
    return text
  }

  /// Whether the filter says nothing but that columns have certain values, so that an index can serve all of it.
  package var isFilteredByEqualities: Bool {
    switch filter {
    case .yes: true
    case .all(let operands): operands.allSatisfy { $0.requiredEqualities.count == 1 }
    default: filter.requiredEqualities.count == 1
    }
  }
}

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

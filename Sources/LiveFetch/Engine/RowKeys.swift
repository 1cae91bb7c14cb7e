import LiveStore

/// Makes the keys of touched rows: what there is to judging them that is the same for all kinds of identifiers.
struct RowKeys {
  /// The key that is made of a row's values, and its section; no key if the row is not in the list.
  struct Made {
    var key: [UInt8]?
    /// The section that the row is in.
    var section: FetchSectionID = ""
    /// Why the row cannot be listed, though it belongs into the list.
    var bad: RowDecodingFailure?
  }

  /// The plan of the list.
  let plan: FetchPlan
  let parts: [OrderPart]
  private let sectionPart: OrderPart?
  private var scratch = OrderKeyWriter()
  /// Where the plan's columns stand in the change sets that were seen last.
  private var layout: (names: [String], ordinals: [Int?]) = ([], [])
  /// The columns of the table that the list does not show, and the columns that this is of.
  private var hidden: (names: [String], columns: ColumnSet) = ([], [])

  init(_ plan: FetchPlan) {
    self.plan = plan
    parts = plan.order.map(\.part)
    sectionPart = plan.sectionPart
  }

  /// Finds the plan's columns in a change set.
  mutating func align(with changes: ChangeSet) {
    if layout.names != changes.columns {
      layout = (changes.columns, plan.columns.map { column in changes.columns.firstIndex(of: column.name) })
    }
    if hidden.names != changes.tableColumns {
      var columns: ColumnSet = []
      // Those that share a bit with others cannot be distinguished from them.
      for (ordinal, name) in changes.tableColumns.prefix(63).enumerated()
      where plan.ignoredColumns.contains(name) {
        columns.insert(ColumnSet(column: ordinal))
      }
      hidden = (changes.tableColumns, columns)
    }
  }

  /// Whether a column may have changed that the list shows.
  func isShown(_ change: RowChange) -> Bool {
    guard case .updated(let columns) = change else { return true }
    return !columns.isSubset(of: hidden.columns)
  }

  /// Whether a row is there and meets the filter.
  func matches(_ row: ChangeSet.Row) -> Bool {
    guard let values = row.values else { return false }
    // The closure captures the ordinals alone: with all of `self` it would own the keys' memory, which is then copied to be written to.
    return plan.filter.holds { [ordinals = layout.ordinals] in Self.value($0, ordinals, values) }
  }

  @inline(__always)
  private static func value(_ column: Int, _ ordinals: [Int?], _ values: [FetchValue]) -> FetchValue {
    ordinals[column].map { values[$0] } ?? .null
  }

  /// Makes the key of a row.
  mutating func make(for row: ChangeSet.Row) -> Made {
    guard let values = row.values, matches(row) else { return Made() }
    let ordinals = layout.ordinals
    if let part = sectionPart {
      scratch.reset()
      let value = Self.value(part.column, ordinals, values)
      guard scratch.append(value, part) else { return bad(row.id, value, part.column) }
    }
    scratch.reset()
    for part in parts {
      let value = Self.value(part.column, ordinals, values)
      guard scratch.append(value, part) else { return bad(row.id, value, part.column) }
    }
    guard scratch.appendIdentifier(row.id, plan.columns[0].type) else { return bad(row.id, row.id, 0) }
    guard let section = plan.section else { return Made(key: scratch.bytes) }
    let identifier = section.kind.identifier(
      of: Self.value(section.column, ordinals, values), plan.columns[section.column].type, in: section.zone)
    return Made(key: scratch.bytes, section: identifier)
  }

  @inline(never)
  private func bad(_ id: FetchValue, _ value: FetchValue, _ column: Int) -> Made {
    Made(bad: RowDecodingFailure(id, value, in: plan.columns[column]))
  }
}

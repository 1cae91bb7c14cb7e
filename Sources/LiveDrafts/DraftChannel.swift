import LiveStore

/// The draft's observation of one table of its store, and those who observe the table through the draft.
struct DraftChannel: Sendable {
  struct Observer: Sendable {
    var columns: [String]
    var receive: @Sendable (FetchStoreEvent) -> Void
  }

  var key: FetchPlan.Column
  var observers: [Int: Observer] = [:]
  var observation: FetchObservation?
  /// The number of the observation. One replaces another when more columns are needed.
  var generation = 0
  /// The columns that are observed, the primary key first.
  var columns: [String] = [] { didSet { noteColumns() } }
  /// The types of those columns, as far as plans and models say them.
  var types: [String: FetchColumnType] = [:]
  /// The table's columns, as the store numbers them.
  private(set) var tableColumns: [String] = []
  /// The numbers of those columns.
  private(set) var numbers: [String: Int] = [:]
  /// The columns of the table's rows, by a row that was read or by the store's word; nil while neither is there. What a commit says
  /// of them is no word: a draft below knows no more of the table than its lists need.
  private(set) var rowColumns: Set<String>? { didSet { noteColumns() } }
  /// Whether those are among the columns that are observed.
  private var hasRowColumns = false
  /// The store's last positions: while an observation replaces another, a commit may come from both.
  var recent: [UInt64] = []
  /// Whether the pending rows have to be read again, because a commit was not reported row by row.
  var isStale = false
  /// The reading of those rows, while it is under way.
  var refreshing: Task<Void, any Error>?
  /// Whether the table was read since it is observed: before that a store need not know what the table is like.
  var isKnown = false
  /// Whether the schema was changed since the table was observed.
  var isOutdated = false

  init(key: FetchPlan.Column) { self.key = key }

  /// Whether pending rows are to be read again, or are just being read.
  var needsReading: Bool { isStale || refreshing != nil }

  /// Whether the store notifies of the table's rows as a whole.
  var isWhole: Bool {
    hasRowColumns && !isOutdated && observation != nil
  }

  private mutating func noteColumns() { hasRowColumns = rowColumns?.isSubset(of: columns) ?? false }

  /// Whether a commit has rows as a whole.
  func isWhole(_ commit: ChangeSet) -> Bool {
    guard let rowColumns else { return false }
    return rowColumns.union(commit.tableColumns).union(columns).isSubset(of: commit.columns)
  }

  /// Notes what columns the table's rows have.
  mutating func noteRowColumns(_ names: some Sequence<String>) {
    rowColumns = (rowColumns ?? []).union(names)
  }

  /// Ends the observation.
  /// - Returns: What is to be cancelled.
  mutating func takeObservation() -> FetchObservation? {
    defer { (observation, columns, isKnown) = (nil, [], false) }
    forgetColumns()
    return observation
  }

  /// Forgets what the table is like.
  mutating func forgetColumns() { (tableColumns, numbers, rowColumns) = ([], [:], nil) }

  /// Notes what columns the table has, as a commit numbers them.
  mutating func noteTableColumns(_ names: [String]) {
    if tableColumns == names { return }
    (tableColumns, numbers) = (names, RowChange.numbers(of: names))
  }
}

/// The changes of one commit, or of several as one, to the rows of one table, as far as they may concern a list.
public struct ChangeSet: Sendable {
  /// A row that a commit touched.
  public struct Row: Sendable {
    /// The primary key.
    public var id: FetchValue
    /// The row's values as of the commit, in the order of ``ChangeSet/columns``; nil when it is no more.
    public var values: [FetchValue]?
    /// The commit's effect on the row. Its columns are numbered as ``ChangeSet/tableColumns``.
    public var change: RowChange
    /// The origins of the last commit that touched the row, where several commits are told as one and they have others than that; else
    /// nil. A draft then knows what of the row is its own save's.
    public var lastOrigins: [String]?
    /// The columns of which nobody knows the values, and which are NULL in ``values``: a draft knows no more of a new row than was set,
    /// until a save has inserted it.
    package var unknownColumns: Set<String> = []

    /// Creates a touched row.
    public init(
      id: FetchValue, values: [FetchValue]?, change: RowChange = .unknown, lastOrigins: [String]? = nil
    ) {
      self.id = id
      self.values = values
      self.change = change
      self.lastOrigins = lastOrigins
    }
  }

  /// The position of the commit in the store's history.
  public var position: FetchPosition
  /// The origins that the writers gave the commit.
  public var origins: [String]
  /// The writers of the commit.
  public var writers: FetchWriters
  /// The names of the columns that were read, in the order of ``Row/values``.
  public var columns: [String]
  /// The names of the table's columns, as the ``ColumnSet`` of a row's ``Row/change`` numbers them.
  public var tableColumns: [String]
  /// The touched rows, each once.
  public var rows: [Row]
  /// The statements that reading the rows took.
  public var statements: Int
  /// When the commit was made; of a store that looks for commits, when it found them.
  public var committed: ContinuousClock.Instant

  /// Describes a commit.
  public init(
    position: FetchPosition, origins: [String] = [], writers: FetchWriters = .thisStore, columns: [String],
    tableColumns: [String], rows: [Row], statements: Int = 0, committed: ContinuousClock.Instant = .now
  ) {
    self.position = position
    self.origins = origins
    self.writers = writers
    self.columns = columns
    self.tableColumns = tableColumns
    self.rows = rows
    self.statements = statements
    self.committed = committed
  }
}

/// An event that a store sends to its observers.
public enum FetchStoreEvent: Sendable {
  /// A commit touched rows that may be of concern.
  case changes(ChangeSet)
  /// Changes that are not known row by row: read again. The rows that may have changed are named where they
  /// are known.
  case reset(FetchReset)
  /// The store is cut off from its database: commits may be made that it does not know of. Lists stay as they are.
  case interrupted(FetchError)
  /// The store knows again of all commits, and observers have been notified of those that were made meanwhile. Any other event
  /// after ``interrupted(_:)`` says the same. A list whose read has failed is read again, also where the read is under way and fails later.
  case resumed
  /// The store was closed. Nothing follows.
  case closed

  /// The commit after which the event was sent.
  package var position: FetchPosition {
    switch self {
    case .changes(let changes): changes.position
    case .reset(let reset): reset.position
    case .interrupted, .resumed, .closed: FetchPosition(.max)
    }
  }

  /// The origins of the commits.
  package var origins: [String] {
    switch self {
    case .changes(let changes): changes.origins
    case .reset(let reset): reset.origins
    case .interrupted, .resumed, .closed: []
    }
  }

  /// The writers of the commits.
  package var writers: FetchWriters {
    switch self {
    case .changes(let changes): changes.writers
    case .reset(let reset): reset.writers
    case .interrupted, .resumed, .closed: []
    }
  }

  /// When it was committed.
  package var committed: ContinuousClock.Instant {
    switch self {
    case .changes(let changes): changes.committed
    case .reset(let reset): reset.committed
    case .interrupted, .resumed, .closed: .now
    }
  }
}

/// A request to read again.
public struct FetchReset: Sendable {
  /// Why changes are not reported row by row.
  public enum Reason: Sendable, Hashable {
    /// More rows were touched than it is worth to look at singly.
    case manyRows
    /// The database's schema was changed.
    case schema
    /// The history from an earlier position on is not there.
    case unresumable
    /// A table was touched that is only read through SQL of the request's own.
    case touched
  }

  /// The position of the commit in the store's history.
  public var position: FetchPosition
  /// Why.
  public var reason: Reason
  /// The rows that may have changed, by their primary keys.
  public var touched: TouchedRows<FetchValue>
  /// The origins that the writers gave the commit.
  public var origins: [String]
  /// The writers of the commit.
  public var writers: FetchWriters
  /// When the commit was made.
  public var committed: ContinuousClock.Instant

  /// Describes a reset.
  public init(
    position: FetchPosition, reason: Reason, touched: TouchedRows<FetchValue> = .all, origins: [String] = [],
    writers: FetchWriters = .thisStore, committed: ContinuousClock.Instant = .now
  ) {
    self.writers = writers
    self.position = position
    self.reason = reason
    self.touched = touched
    self.origins = origins
    self.committed = committed
  }
}

/// The cost of a change.
public struct FetchCost: Sendable, Hashable {
  /// The rows that were read.
  public var rowsRead = 0
  /// The statements that reading them took.
  public var statements = 0
  /// The time spent on the index and the snapshot, or on reading again.
  public var indexing: Duration = .zero
  /// The time from the last commit to the delivery; zero when no commit caused it.
  public var latency: Duration = .zero
  /// The time for which the change lay ready until the listener took it.
  public var queueDelay: Duration = .zero
  /// Whether the list was read again as a whole.
  public var isReread = false
  /// The commits that went into the change: more than one for a listener that was slow.
  public var commits = 1
  var hasFailed = false

  init(
    rowsRead: Int = 0, statements: Int = 0, indexing: Duration = .zero, isReread: Bool = false,
    hasFailed: Bool = false
  ) {
    self.rowsRead = rowsRead
    self.statements = statements
    self.indexing = indexing
    self.isReread = isReread
    self.hasFailed = hasFailed
  }

  mutating func add(_ other: FetchCost) {
    rowsRead += other.rowsRead
    statements += other.statements
    indexing += other.indexing
    isReread = isReread || other.isReread
    commits += other.commits
  }
}

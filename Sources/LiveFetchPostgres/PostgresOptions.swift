#if PostgreSQL
  /// How a store goes about its work.
  public struct PostgresStoreOptions: Sendable, Hashable {
    /// The most connections that reads and writes use; two more look for commits and listen for the bell. A read that keeps
    /// its thread waiting (`object(for:)`) opens another one rather than wait for these.
    public var connections = 4
    /// When more rows than this were touched since the last look, lists are read anew without looking at single rows.
    public var maximumTouchedRows = 20_000
    /// How often the log is looked at while there are changes; five times as long after a quiet second, and twelve times after
    /// ten.
    public var pollingInterval: Duration = .milliseconds(20)
    /// Whether nodes wake one another by `NOTIFY` after their writes. What is lost of it costs one interval, never data.
    ///
    /// Commits of other programs are found by looking. Not through pgbouncer in transaction mode, which loses notifications.
    public var ringsBell = true
    /// How long rows stay in the log at least. A node that could not look for longer reads its lists anew.
    public var retention: Duration = .seconds(300)
    /// The longest that the server may take to answer a look at the log, or what the store asks beside it. The connection is given up then, and
    /// lists are interrupted, except where old rows of the log were being deleted: that goes on in the server. It is for connections that
    /// let nothing through and do not break.
    public var answerTimeout: Duration = .seconds(15)
    /// How often it is looked whether tables, or the triggers on them, were changed.
    public var schemaInterval: Duration = .seconds(5)

    /// The usual way.
    public init() {}
  }

  /// Counts of a store's work since it was opened.
  public struct PostgresStatistics: Sendable, Hashable {
    /// The looks at the log.
    public internal(set) var polls = 0
    /// The looks that found something.
    public internal(set) var batches = 0
    /// The rows of the log that were found.
    public internal(set) var logRows = 0
    /// The times that lists were read anew because not all commits were known row by row.
    public internal(set) var resets = 0
    /// The times that the database was lost.
    public internal(set) var interruptions = 0
    /// How long it took, by the server's clock, from the last write that was found until it was found. A write is noted when it
    /// is made: of a transaction that stays open, its end is found late by as much.
    public internal(set) var lag: Duration?
  }
#endif

#if PostgreSQL
  import LiveStore

  /// A row of the log: a row of a table that a transaction touched.
  struct LogRow: Hashable, Sendable {
    enum Operation: UInt8, Sendable {
      case insert = 73
      case update = 85
      case delete = 68
      /// All rows may be touched.
      case whole = 84
    }

    /// The value of a noted column before and after, as text.
    struct Route: Hashable, Sendable {
      var column: String
      var old: String?
      var new: String?
    }

    var table: Int
    var operation: Operation
    /// The primary key as text; nil for the whole table.
    var key: String?
    /// The columns that an update surely left as they were, a bit for each by its number in the table; nil where it is not known.
    var same: UInt64?
    var routes: [Route] = []
    /// The tags of the transaction.
    var origins: [String] = []
    var node: String?
  }

  /// The finds of a look at the log.
  struct Poll: Sendable {
    var snapshot: TransactionSnapshot
    /// The id of the time since commits may last have been lost; nil where none was made yet.
    var epoch: String?
    /// The snapshot in which all is visible that was deleted from the log.
    var pruned: TransactionSnapshot
    var rows: [LogRow] = []
    /// Whether there are more rows than are looked at.
    var isOverfull = false
    /// How long ago the newest row was written, by the server's clock.
    var lag: Duration?
  }

  /// A position in the history of the database, as a value: each look at the log returns what it means.
  ///
  /// ```
  /// connecting ──poll──▶ live ──failure──▶ lost ──poll──▶ live
  /// ```
  ///
  /// A look names what the snapshot of the one before did not see. That is exact only while transaction ids mean the same as
  /// before, and nothing was deleted that was not seen; otherwise lists are read anew.
  struct Feed: Sendable {
    enum State: Hashable, Sendable {
      /// Nothing was seen yet.
      case connecting
      case live
      /// The database cannot be reached, and observers know it.
      case lost
      case closed
    }

    /// The meaning of a look.
    enum Outcome: Hashable, Sendable {
      /// There is no epoch: make one, and look again.
      case needsEpoch
      case nothing
      case rows([LogRow])
      /// Everything may have changed.
      case reset(FetchReset.Reason)
    }

    private(set) var state = State.connecting
    private(set) var snapshot: TransactionSnapshot?
    private(set) var epoch: String?
    /// The server's code for why looks fail; nil where the connection does.
    private var lossReason: String?
    private(set) var position: UInt64 = 1

    /// The meaning of a look, which is not taken for seen yet: its rows may still have to be read.
    func outcome(of poll: Poll) -> Outcome {
      guard let found = poll.epoch else { return .needsEpoch }
      guard let snapshot else { return .nothing }
      if found != epoch || !snapshot.seesAll(of: poll.pruned) { return .reset(.unresumable) }
      if poll.isOverfull { return .reset(.manyRows) }
      return poll.rows.isEmpty ? .nothing : .rows(poll.rows)
    }

    /// Takes a look for seen.
    /// - Parameter isChange: Whether there is something to be told.
    /// - Returns: Whether observers were told that the database was lost, and are to be told that it is back.
    mutating func take(_ poll: Poll, isChange: Bool) -> Bool {
      let wasLost = state == .lost
      if state != .closed { state = .live }
      snapshot = poll.snapshot
      epoch = poll.epoch
      if isChange { position += 1 }
      return wasLost
    }

    /// Notes that the database could not be looked at.
    /// - Parameter reason: The server's code; nil where the connection is at fault.
    /// - Returns: Whether observers are to be told.
    mutating func lose(_ reason: String?) -> Bool {
      guard state == .live || state == .lost && lossReason != reason else { return false }
      (state, lossReason) = (.lost, reason)
      return true
    }

    /// Notes that something is told that no look has found.
    /// - Returns: The position after it.
    mutating func advance() -> FetchPosition {
      position += 1
      return FetchPosition(position)
    }

    mutating func close() { state = .closed }
  }
#endif

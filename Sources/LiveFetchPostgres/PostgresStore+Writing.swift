#if PostgreSQL
  public import LiveStore
  import Synchronization

  extension PostgresStore {
    /// Writes in one transaction, which is rolled back when an error is thrown.
    ///
    /// ```swift
    /// let (_, position) = try await store.write { try $0.execute("DELETE FROM photo WHERE id = ?", [id]) }
    /// ```
    ///
    /// When the call returns, the lists of this store that the commit concerns have it, except for those that are being read
    /// anew at that time. For lists of other nodes, see ``catchUp(to:)``.
    /// - Parameters:
    ///   - origin: A tag that travels with the change to every listener on every node, such as the identifier of the user's
    ///     mutation.
    ///   - updates: The writes. They are made on a thread that may wait.
    /// - Returns: The result of `updates`, and a position at or after the commit. It counts in this store; another node waits by the
    ///   ``token`` that this store has afterwards.
    /// - Throws: ``PostgresError``, `FetchError` where the store is closed, or what `updates` throws. With ``PostgresError/isOutcomeUnknown`` the connection was lost
    ///   while the commit was under way.
    @discardableResult
    public func write<Result: Sendable>(
      origin: String? = nil, _ updates: @escaping @Sendable (PostgresTransaction) throws -> Result
    ) async throws -> (result: Result, position: FetchPosition) {
      try checkOpen()
      let written = try await pool.use { [self] connection in
        let result = try transact(on: connection, origin.map { [$0] } ?? [], updates)
        // The others look while this one does.
        bell?.ring()
        // Committed is committed: where the database is lost now, lists learn of it later.
        let position = connection.isSessionChanged ? nil : try? advance(on: connection)
        return (result: result, position: position, isSessionChanged: connection.isSessionChanged)
      }
      var reached = written.position
      // The look is made with the usual settings.
      if written.isSessionChanged { reached = try? await pool.use { [self] in try advance(on: $0) } }
      return (written.result, reached ?? position)
    }

    func transact<Result>(
      on connection: Connection, _ origins: [String], _ updates: (PostgresTransaction) throws -> Result
    ) throws -> Result {
      let transaction = PostgresTransaction(
        connection,
        beginning: [
          SQLStatement("BEGIN"),
          SQLStatement(
            "SELECT set_config('TimeZone', 'UTC', true), set_config('livelists.origin', $1, true), set_config('livelists.node', $2, true)",
            [.text(OriginList.text(origins)), .text(node)]),
        ])
      let result: Result
      do {
        defer { transaction.end() }
        result = try updates(transaction)
      } catch {
        if transaction.hasBegun { try? connection.run("ROLLBACK") }
        throw error
      }
      guard transaction.hasBegun else { return result }
      do { try connection.commit() } catch var error as PostgresError {
        error.isOutcomeUnknown = error.isConnectionLost
        throw error
      }
      return result
    }

    /// The state of the database that this store's lists are as of. Taken after a ``write(origin:_:)``, it has that commit: give it to
    /// another node, which waits for it by ``catchUp(to:)``.
    public var token: PostgresToken? {
      feed.withLock { feed in
        guard let snapshot = feed.snapshot, let epoch = feed.epoch else { return nil }
        return PostgresToken(snapshot: snapshot.description, epoch: epoch)
      }
    }

    /// Waits until the lists of this store have all commits that those of another had: so that whoever wrote there reads here what
    /// was written.
    /// - Parameter token: The ``token`` of the other store.
    /// - Throws: ``PostgresError`` when the database cannot be reached, or has lost commits since; `FetchError` where the store is closed.
    public func catchUp(to token: PostgresToken) async throws {
      try checkOpen()
      guard let wanted = TransactionSnapshot(token.snapshot) else {
        throw PostgresError("“\(token)” names no state of a database.")
      }
      // The first state that is asked for later has all that the other had: there is one database that takes writes.
      if hasSeen(wanted, token.epoch) { return }
      _ = try await pool.use { [self] connection in try advance(on: connection) }
      guard hasSeen(wanted, token.epoch) else {
        throw PostgresError(
          "The database may have lost commits since “\(token)”: what was written there may not be there.")
      }
    }

    private func hasSeen(_ wanted: TransactionSnapshot, _ epoch: String) -> Bool {
      feed.withLock { $0.epoch == epoch && $0.snapshot?.seesAll(of: wanted) == true }
    }
  }

  /// A state of a database, by which one node waits for another. It can be written into a header or a cookie.
  public struct PostgresToken: Hashable, Sendable, Codable, LosslessStringConvertible {
    let snapshot: String
    let epoch: String

    init(snapshot: String, epoch: String) {
      self.snapshot = snapshot
      self.epoch = epoch
    }

    /// Reads a token that was written as text; nil for other text.
    public init?(_ description: String) {
      let parts = description.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, TransactionSnapshot(String(parts[0])) != nil else { return nil }
      self.init(snapshot: String(parts[0]), epoch: String(parts[1]))
    }

    /// The token as text.
    public var description: String { "\(snapshot)/\(epoch)" }
  }
#endif

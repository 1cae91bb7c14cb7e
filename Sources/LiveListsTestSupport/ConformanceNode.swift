import LiveFetch

/// A node under test: a store of which several can be open on one database, as the nodes of a server are.
///
/// The suite opens a second node beside the first, and tries the promises of both together:
/// ``FetchStoreConformance/twoNodes(_:)`` and the three after it. A subject leaves out what its database does not have.
public protocol ConformanceNode: ConformanceSubject {
  /// Opens another node on the same database.
  ///
  /// Where a store can be made to look for commits seldom, or only when it is asked, let it be such a one: a node that is always there in
  /// time does not have to make up for what was done to the history meanwhile.
  func makeNode() async throws -> Self

  /// Waits until the lists of this node have what another one has written, and what that one was notified of.
  ///
  /// By default it waits until the node's own store is current, which is enough where that asks the database.
  func catchUp(to other: Self) async throws

  /// Begins a transaction that no node knows of, and that stays open while others commit.
  /// - Returns: nil where there are no such transactions: ``FetchStoreConformance/longTransactions(_:)`` is left out then.
  func beginTransaction() async throws -> (any ConformanceTransaction)?

  /// Begins a new epoch, as a crash does, or the promotion of a standby that had not all commits: the rows become what the writes make of
  /// them, and no commit says so.
  /// - Returns: Whether it was done. If not, ``FetchStoreConformance/epochChanges(_:)`` is left out.
  func changeEpoch(_ writes: [ConformanceWrite]) async throws -> Bool

  /// Deletes the history of commits up to now, as if it had become too old, whichever node has not seen it.
  /// - Returns: Whether it was done. If not, ``FetchStoreConformance/pruned(_:)`` is left out.
  func prune() async throws -> Bool
}

extension ConformanceNode {
  /// Waits until the store is current.
  public func catchUp(to other: Self) async throws { await store.waitUntilCurrent() }

  /// Returns nil: there are no transactions that stay open.
  public func beginTransaction() async throws -> (any ConformanceTransaction)? { nil }

  /// Returns false: no commit can be lost.
  public func changeEpoch(_ writes: [ConformanceWrite]) async throws -> Bool { false }

  /// Returns false: the history is kept.
  public func prune() async throws -> Bool { false }
}

/// A transaction of the suite's that stays open for a while.
public protocol ConformanceTransaction: Sendable {
  /// Writes. Nobody else sees it before ``commit()``. No other transaction of the suite's touches the same rows meanwhile.
  func write(_ writes: [ConformanceWrite]) async throws

  /// Ends the transaction: what it has written is there.
  func commit() async throws

  /// Ends the transaction: what it has written never was.
  func rollBack() async throws
}

public import LiveStore

/// A store that can save what a draft has changed.
///
/// ## Duties
/// - A save is one transaction. Within it the store reads each row that is concerned, and takes
///   ``DraftChange/decision(for:policy:)`` for what becomes of it. If one of them is a conflict, nothing is written, and
///   ``DraftConflict`` with all of them is thrown.
/// - Rows are written in the order of the changes, and one that could not be written is an error of the kind `FetchError.Kind.row`: none is passed
///   over in silence. A row that is to be deleted and is gone, as by the deletion of another one, is as it should be.
/// - Where the database changes values that are written, as triggers do, the store notes at the end of the transaction how it leaves each row
///   (``DraftChange/noteLeft(_:)``). A row of which it notes nothing counts as left as it was sent, unless the commit's events name it.
/// - A draft may hand over the same changes again in another order, after an error of that kind.
/// - The commit's events have the given origins, all of them.
/// - Rows that are handed over name all of their columns (``FetchRowStorage/columnNames``).
public protocol DraftSaving: FetchStore {
  /// Saves changes in one transaction.
  /// - Parameters:
  ///   - changes: The changes, in the order in which they are to be written; of each row there is one.
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origins: The origins for the commit.
  /// - Throws: ``DraftConflict``, or the database's error; nothing was then written.
  func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws

  /// Saves changes in one transaction, and reports what foreign keys have done to other rows: undo of a deletion then takes that back, too.
  ///
  /// Drafts save by this. A store need not implement it: by default it saves and reports nothing, and undo brings back the deleted rows
  /// alone. A store that wraps another one hands it on.
  /// - Parameters:
  ///   - changes: The changes, in the order in which they are to be written; of each row there is one.
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origins: The origins for the commit.
  ///   - tables: Returns the tables that the draft knows, with the columns of their primary keys. Of other tables nothing is to be reported. It is
  ///     to be called when it is the store's turn to write, and only where a row is deleted.
  ///   - report: Takes all effects in the order in which they came about; of each deletion, a row that was deleted after those that it refers
  ///     to. It is to be called once within the transaction, before its commit is notified, and again where the transaction is made again.
  /// - Throws: As ``save(_:policy:origins:)``.
  func save(
    _ changes: [DraftChange], policy: DraftPolicy, origins: [String],
    tables: @escaping @Sendable () -> [String: FetchPlan.Column],
    report: @escaping @Sendable ([DraftEffect]) -> Void
  ) async throws

  /// Returns the names of a table's columns: those that its rows name (``FetchRowStorage/columnNames``).
  ///
  /// A draft asks where it has no row to learn them from, as for one that it inserts: it is then notified of the whole row when others
  /// insert one with that key. The call waits for the database.
  /// A store need not implement this: by default it says that it does not know, and the draft reads such a row after the commit.
  /// - Parameter table: The table's name.
  /// - Returns: The names in any order; nil where they are not known.
  /// - Throws: The database's error.
  func columnNames(of table: String) throws -> [String]?

  /// Reads a row by its primary key: the stored values of all of its columns, by their names.
  ///
  /// A draft reads each row so that it edits. A store need not implement this: by default it is read as ``FetchStore/rows(_:of:_:)`` does.
  /// - Parameters:
  ///   - id: The primary key.
  ///   - plan: A plan of the table, with the column of the primary key.
  /// - Returns: nil when there is no such row.
  /// - Throws: The database's error.
  func row(_ id: FetchValue, of plan: FetchPlan) throws -> [String: FetchValue]?
}

extension DraftSaving {
  /// Saves as ``save(_:policy:origins:)`` does, and reports nothing.
  public func save(
    _ changes: [DraftChange], policy: DraftPolicy, origins: [String],
    tables: @escaping @Sendable () -> [String: FetchPlan.Column],
    report: @escaping @Sendable ([DraftEffect]) -> Void
  ) async throws {
    try await save(changes, policy: policy, origins: origins)
  }

  /// Returns nil: a store need not know what its tables are like.
  public func columnNames(of table: String) throws -> [String]? { nil }

  /// Reads a row as ``FetchStore/rows(_:of:_:)`` does.
  public func row(_ id: FetchValue, of plan: FetchPlan) throws -> [String: FetchValue]? {
    try rows([id], of: plan) { $1.storedValues }.first
  }
}

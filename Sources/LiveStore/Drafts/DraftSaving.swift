/// A store that can save what a draft has changed.
///
/// ## Duties
/// - A save is one transaction. Within it the store reads each row that is concerned, and takes
///   ``DraftChange/decision(for:policy:)`` for what becomes of it. If one of them is a conflict, nothing is written, and
///   ``DraftConflict`` with all of them is thrown.
/// - Rows are written in the order of the changes, and one that could not be written is an error of the kind `FetchError.Kind.row`: none is passed
///   over in silence. A row that is to be deleted and is gone, as by the deletion of another one, is as it should be.
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
  /// Returns nil: a store need not know what its tables are like.
  public func columnNames(of table: String) throws -> [String]? { nil }

  /// Reads a row as ``FetchStore/rows(_:of:_:)`` does.
  public func row(_ id: FetchValue, of plan: FetchPlan) throws -> [String: FetchValue]? {
    try rows([id], of: plan) { $1.storedValues }.first
  }
}

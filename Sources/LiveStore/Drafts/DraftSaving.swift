/// A store that can save what a draft has changed.
///
/// ## Duties
/// - A save is one transaction. Within it the store reads each row that is concerned, and takes
///   ``DraftChange/decision(for:policy:)`` for what becomes of it. If one of them is a conflict, nothing is written, and
///   ``DraftConflict`` with all of them is thrown.
/// - Rows are written in the order of the changes, and one that could not be written is an error: none is passed over in silence.
/// - The commit's events have the given origins, all of them.
/// - Rows that are handed over name all of their columns (``FetchRowStorage/columnNames``).
public protocol DraftSaving: FetchStore {
  /// Saves changes in one transaction.
  /// - Parameters:
  ///   - changes: The changes, in the order in which they are to be written; of each row there is one.
  ///   - policy: The rule for rows that somebody else has changed.
  ///   - origins: Tags that the commit is to carry.
  /// - Throws: ``DraftConflict``, or the database's error; nothing was then written.
  func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws
}

public import Snapshots

extension DiffableDataSource {
  /// Shows a live list, and each of its changes, until the list ends or the task is cancelled.
  ///
  /// ```swift
  /// let following = Task { try await source.follow(photos) }
  /// ```
  ///
  /// - Parameters:
  ///   - list: The list, such as a fetch controller. It is kept alive meanwhile.
  ///   - options: How each change is shown.
  /// - Throws: The error that ended the list's changes.
  public nonisolated(nonsending) func follow<List: SnapshotSource<SectionID, ItemID>>(
    _ list: List, options: Options = Options()
  ) async throws {
    try await follow(list.changes, options: options)
  }

  /// Shows each change of a sequence, until it ends or the task is cancelled.
  ///
  /// - Parameters:
  ///   - changes: The changes of a list.
  ///   - options: How each change is shown.
  /// - Throws: The error that ended the sequence.
  public nonisolated(nonsending) func follow<Changes: AsyncSequence>(
    _ changes: Changes, options: Options = Options()
  ) async throws where Changes.Element: SnapshotChange<SectionID, ItemID> {
    for try await change in changes { await apply(change, options: options) }
  }
}

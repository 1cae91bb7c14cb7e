internal import Snapshots

extension DiffableSnapshot {
  /// Whether two snapshots have the same sections and items.
  func isIdentical(to other: Self) -> Bool {
    self == other
  }
}

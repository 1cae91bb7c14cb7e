// refused: risks causing data races
import ListSources
import Snapshots

/// A view that is bound to nothing.
final class Grid: ListTarget {
  func reload(_ update: ListUpdate<String, Int, Int>) async throws {}
  func perform(_ update: ListUpdate<String, Int, Int>) async throws {}
}

/// A data source of it that two tasks use at once.
func share() {
  let source = DiffableDataSource(target: Grid()) { $0 }
  Task { await source.apply(DiffableSnapshot()) }
  Task { await source.apply(DiffableSnapshot()) }
}

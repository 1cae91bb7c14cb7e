// refused: main actor-isolated conformance
import ListSources
import Snapshots

/// A view of the main actor.
@MainActor
final class Grid {}

extension Grid: @MainActor ListTarget {
  @MainActor func reload(_ update: ListUpdate<String, Int, Int>) async throws {}
  @MainActor func perform(_ update: ListUpdate<String, Int, Int>) async throws {}
}

/// A data source of it elsewhere.
nonisolated func elsewhere(_ grid: Grid) async {
  let source = DiffableDataSource(target: grid) { $0 }
  await source.apply(DiffableSnapshot())
}

internal import HashTreeCollections
internal import Snapshots
internal import Synchronization

extension ListStreamTarget {
  /// The rows of a window with the version that they are of, as the answer to a reader of a long list that needs them.
  ///
  /// The frame's ``ListStreamFrame/json`` is the body of the answer, `application/json`. Of more rows than the options
  /// allow it has the first.
  ///
  /// - Parameters:
  ///   - window: The positions of the rows, counted across all sections. Those beyond the end are left out.
  ///   - withContents: Whether contents are wanted; without, it is about ids, such as for a selection.
  /// - Returns: The frame; `nil` before the first snapshot.
  /// - Throws: What loading the contents throws.
  /// - Complexity: O(*s* + *k* log *n*), where *s* is the number of sections and *k* that of rows asked for, and
  ///   one call of the loader.
  public nonisolated(nonsending) func range(
    _ window: ListStreamWindow, withContents: Bool = true
  ) async throws -> ListStreamFrame? {
    let limit = withContents ? options.maximumRange : options.maximumRangeOfIDs
    let (list, sequence, stored) = state.withLock { ($0.snapshot, $0.sequence, $0.contents) }
    guard let sequence else { return nil }
    let rows = WindowRows(list, positions: window.positions(in: list.numberOfItems, limit: limit))
    var contents: [ItemID: [UInt8]]?
    if withContents {
      if load != nil {
        contents = try await loadedContents(for: rows.items)
      } else {
        contents = Dictionary(rows.items.compactMap { item in stored[item].map { (item, $0) } }) { first, _ in
          first
        }
      }
    }
    return encoder.countedFrame(.range, rows, sequence: sequence, mutationIDs: [], contents: contents)
  }

  /// The frame for readers that have nothing, of what they want.
  nonisolated(nonsending) func snapshotFrame(_ material: State.Material) async throws -> ListStreamFrame {
    let (list, sequence, mutationIDs) = (material.snapshot, material.sequence, material.mutationIDs)
    if material.window != nil {
      let rows = WindowRows(list, positions: material.positions)
      let contents = try await loadedContents(for: rows.items)
      return encoder.countedFrame(
        .snapshot, rows, sequence: sequence, mutationIDs: mutationIDs, contents: contents)
    }
    if load == nil {
      return encoder.snapshotFrame(list, sequence: sequence, mutationIDs: mutationIDs) {
        material.contents[$0]
      }
    }
    var contents: [ItemID: [UInt8]] = [:]
    var items = list.items[...]
    while !items.isEmpty {
      let some = Array(items.prefix(options.maximumRange))
      contents.merge(try await loadedContents(for: some)) { first, _ in first }
      items = items.dropFirst(some.count)
    }
    return encoder.snapshotFrame(list, sequence: sequence, mutationIDs: mutationIDs) { contents[$0] }
  }

  private nonisolated(nonsending) func loadedContents(for items: [ItemID]) async throws -> [ItemID: [UInt8]] {
    guard let load, !items.isEmpty else { return [:] }
    return try await load(items).mapValues { try bytes(of: $0) }
  }
}

/// Handlers that say which items may be dragged, and are called when some were.
///
/// ```swift
/// source.reorderingHandlers.canReorderItem = { _ in true }
/// source.reorderingHandlers.didReorder = { transaction in
///   Task {
///     let writes = try transaction.rankWrites { ranks[$0] } between: { try Rank.between($0, $1, count: $2) }
///     try await save(writes)
///   }
/// }
/// ```
public struct ReorderingHandlers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Whether an item may be lifted. Unset means no item may.
  public var canReorderItem: ((ItemID) -> Bool)?
  /// Is called when something was dropped, before the data source has the new order.
  public var willReorder: ((ReorderTransaction<SectionID, ItemID>) -> Void)?
  /// Is called when the data source has the new order. Save it here. While this is unset nothing can be lifted.
  public var didReorder: ((ReorderTransaction<SectionID, ItemID>) -> Void)?

  /// Creates handlers that allow nothing.
  public init() {}

  func allows(_ item: ItemID) -> Bool {
    guard didReorder != nil, let canReorderItem else { return false }
    return canReorderItem(item)
  }
}

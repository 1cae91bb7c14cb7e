/// What may be dragged, and what happens when it was.
public struct ReorderingHandlers<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// Whether an item may be lifted. Unset means no.
  public var canReorderItem: ((ItemID) -> Bool)?

  /// Creates handlers that allow nothing.
  public init() {}
}

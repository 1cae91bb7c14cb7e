public import Snapshots

/// The items that a view wants to find again after a change.
public struct ListTracking<ItemID: Hashable & Sendable>: Sendable {
  /// The selected items.
  public var selected: Set<ItemID>
  /// The item that shall stay where it is on the screen, usually the first that is fully visible.
  public var anchor: ItemID?

  /// Creates a request.
  public init(selected: Set<ItemID> = [], anchor: ItemID? = nil) {
    self.selected = selected
    self.anchor = anchor
  }
}

/// The selection and the anchor of a view after a change.
public struct TrackedSelection<ItemID: Hashable & Sendable>: Sendable, Hashable {
  /// The selected items that are still there.
  public var selected: Set<ItemID>
  /// The selected items that are gone.
  public var deselected: Set<ItemID>
  /// The anchor, or the item that was nearest to it and is still there; of two equally near ones the one behind.
  /// `nil` if nothing of the old list is left.
  public var anchor: ItemID?
  /// Where the anchor is now.
  public var anchorPath: ListIndexPath?
  /// The distance, in positions before the change, from the wanted anchor to ``anchor``: 0 if they are the same,
  /// positive if ``anchor`` was behind it.
  public var anchorDistance: Int
}

extension ListTracking {
  /// Finds the selection and the anchor again.
  ///
  /// - Parameters:
  ///   - old: The list before the change.
  ///   - new: The list after it.
  /// - Complexity: O((*s* + *d*) log *n*), where *s* is the number of selected items, *d* the distance from the anchor
  ///   to its nearest survivor, and *n* the number of items.
  public func selection<SectionID>(
    from old: DiffableSnapshot<SectionID, ItemID>, to new: DiffableSnapshot<SectionID, ItemID>
  ) -> TrackedSelection<ItemID> {
    var result = TrackedSelection<ItemID>(selected: [], deselected: [], anchorDistance: 0)
    for item in selected {
      if new.indexPath(ofItem: item) != nil {
        result.selected.insert(item)
      } else {
        result.deselected.insert(item)
      }
    }
    guard let anchor else { return result }
    if let path = new.indexPath(ofItem: anchor) {
      result.anchor = anchor
      result.anchorPath = path
      return result
    }
    guard let position = old.indexOfItem(anchor) else { return result }
    let items = old.items
    let count = old.numberOfItems
    for distance in stride(from: 1, to: max(position + 1, count - position), by: 1) {
      for index in [position + distance, position - distance] where index >= 0 && index < count {
        let item = items[items.index(items.startIndex, offsetBy: index)]
        if let path = new.indexPath(ofItem: item) {
          result.anchor = item
          result.anchorPath = path
          result.anchorDistance = index - position
          return result
        }
      }
    }
    return result
  }
}

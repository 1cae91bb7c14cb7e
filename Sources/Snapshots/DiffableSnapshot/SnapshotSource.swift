/// A live list whose changes a data source can follow, such as a fetch controller.
public protocol SnapshotSource<SectionID, ItemID> {
  /// The type of a section's identifier.
  associatedtype SectionID
  /// The type of an item's identifier.
  associatedtype ItemID
  /// The sequence of changes. Each iteration begins with the whole list.
  associatedtype Changes: AsyncSequence
  where Changes.Element: SnapshotChange<SectionID, ItemID>

  /// The changes of the list, from now on.
  var changes: Changes { get }
}

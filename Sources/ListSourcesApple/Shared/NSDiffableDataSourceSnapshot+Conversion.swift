#if canImport(UIKit) || canImport(AppKit)
  public import Snapshots
  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  extension NSDiffableDataSourceSnapshot {
    /// The same list as a snapshot of Apple's, with its marks.
    ///
    /// - Complexity: O(*n*), where *n* is the number of items.
    public init(_ snapshot: DiffableSnapshot<SectionIdentifierType, ItemIdentifierType>) {
      self.init()
      appendSections(snapshot.sectionIdentifiers)
      for section in snapshot.sections { appendItems(Array(section.items), toSection: section.id) }
      reloadSections(snapshot.reloadedSectionIdentifiers)
      reloadItems(snapshot.reloadedItemIdentifiers)
      #if canImport(UIKit)
        reconfigureItems(snapshot.reconfiguredItemIdentifiers)
      #endif
    }
  }

  extension DiffableSnapshot {
    /// The same list as one of ours, with its marks.
    ///
    /// - Throws: Nothing for a snapshot that Apple's data sources would take.
    /// - Complexity: O(*n*), where *n* is the number of items.
    public init(
      _ snapshot: NSDiffableDataSourceSnapshot<SectionID, ItemID>
    ) throws(SnapshotError<SectionID, ItemID>) {
      try self.init(
        sections: snapshot.sectionIdentifiers.map { ($0, snapshot.itemIdentifiers(inSection: $0)) })
      #if canImport(UIKit)
        try reloadSections(snapshot.reloadedSectionIdentifiers)
        try reloadItems(snapshot.reloadedItemIdentifiers)
        try reconfigureItems(snapshot.reconfiguredItemIdentifiers)
      #endif
    }
  }
#endif

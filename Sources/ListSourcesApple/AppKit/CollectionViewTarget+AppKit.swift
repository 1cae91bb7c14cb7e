#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  public import ListSources
  internal import Snapshots

  /// An `NSCollectionView` as the target of a data source.
  ///
  /// It becomes the view's data source and must be held by the app; the view is held weakly. This file can't be run
  /// where the library is tested: it only translates, and is checked against stubs of AppKit. What it decides is in
  /// ``BatchViewTarget``.
  @MainActor
  public final class CollectionViewTarget<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: BatchViewTarget<NSCollectionView, SectionID, ItemID, Content>, NSCollectionViewDataSource {
    /// Makes the view of an item and gives it its content, `nil` if that is gone.
    public typealias ItemViewProvider = (NSCollectionView, IndexPath, ItemID, Content?) ->
      NSCollectionViewItem

    private let item: ItemViewProvider

    /// Makes a collection view a target, and itself the view's data source.
    public init(_ view: NSCollectionView, item: @escaping ItemViewProvider) {
      self.item = item
      super.init(view: view)
      view.dataSource = self
    }

    /// Asks the view for each operation of a batch.
    public override func perform(_ batch: ListBatch, in view: NSCollectionView) {
      view.deleteSections(IndexSet(batch.deletedSections))
      view.insertSections(IndexSet(batch.insertedSections))
      for move in batch.movedSections { view.moveSection(move.from, toSection: move.to) }
      view.deleteItems(at: Set(batch.deletedItems.map(IndexPath.init)))
      view.insertItems(at: Set(batch.insertedItems.map(IndexPath.init)))
      for move in batch.movedItems { view.moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
      view.reloadSections(IndexSet(batch.reloadedSections))
      // There is no reconfiguring here.
      view.reloadItems(at: Set((batch.reloadedItems + batch.reconfiguredItems).map(IndexPath.init)))
    }

    /// Returns the number of sections.
    public func numberOfSections(in collectionView: NSCollectionView) -> Int { shown.numberOfSections }

    /// Returns the number of items in a section.
    public func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int
    {
      numberOfItems(inSection: section)
    }

    /// Returns the view item of an index path.
    public func collectionView(
      _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
    ) -> NSCollectionViewItem {
      guard let (identifier, content) = itemAndContent(at: ListIndexPath(indexPath)) else {
        return NSCollectionViewItem()
      }
      return item(collectionView, indexPath, identifier, content)
    }
  }

  extension NSCollectionView: BatchView {
    /// Whether the view is in a window.
    public var isOnScreen: Bool { window != nil }

    /// Performs a batch.
    public func performBatch(
      isAnimated: Bool, _ updates: @escaping () -> Void, completion: @escaping () -> Void
    ) {
      (isAnimated ? animator() : self).performBatchUpdates(updates) { _ in completion() }
    }
  }
#endif

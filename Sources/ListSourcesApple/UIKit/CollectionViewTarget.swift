#if canImport(UIKit)
  public import ListSources
  internal import Snapshots
  public import UIKit

  /// A `UICollectionView` as the target of a data source.
  ///
  /// It becomes the view's data source and must be held by the app; the view is held weakly. This file can't be run
  /// where the library is tested: it only translates, and is checked against stubs of UIKit. What it decides is in
  /// ``BatchViewTarget``.
  @MainActor
  public final class CollectionViewTarget<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: BatchViewTarget<UICollectionView, SectionID, ItemID, Content>, UICollectionViewDataSource {
    /// Dequeues the cell of an item and gives it its content, `nil` if that is gone.
    public typealias CellProvider = (UICollectionView, IndexPath, ItemID, Content?) -> UICollectionViewCell
    /// Dequeues a header, footer or other supplementary view of a section.
    public typealias SupplementaryProvider = (UICollectionView, String, IndexPath) -> UICollectionReusableView

    /// Gives supplementary views. Without it there must be none in the layout.
    public var supplementaryProvider: SupplementaryProvider?

    private let cell: CellProvider

    /// Makes a collection view a target, and itself the view's data source.
    public init(_ view: UICollectionView, cell: @escaping CellProvider) {
      self.cell = cell
      super.init(view: view)
      view.dataSource = self
    }

    /// Asks the view for each operation of a batch.
    public override func perform(_ batch: ListBatch, in view: UICollectionView) {
      view.deleteSections(IndexSet(batch.deletedSections))
      view.insertSections(IndexSet(batch.insertedSections))
      for move in batch.movedSections { view.moveSection(move.from, toSection: move.to) }
      view.deleteItems(at: batch.deletedItems.map(IndexPath.init))
      view.insertItems(at: batch.insertedItems.map(IndexPath.init))
      for move in batch.movedItems { view.moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
      view.reloadSections(IndexSet(batch.reloadedSections))
      view.reloadItems(at: batch.reloadedItems.map(IndexPath.init))
      view.reconfigureItems(at: batch.reconfiguredItems.map(IndexPath.init))
    }

    /// Returns the number of sections.
    public func numberOfSections(in collectionView: UICollectionView) -> Int { shown.numberOfSections }

    /// Returns the number of items in a section.
    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    {
      numberOfItems(inSection: section)
    }

    /// Returns the cell of an item.
    public func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      guard let (item, content) = itemAndContent(at: ListIndexPath(indexPath)) else {
        return UICollectionViewCell()
      }
      return cell(collectionView, indexPath, item, content)
    }

    /// Returns a supplementary view.
    public func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView {
      supplementaryProvider?(collectionView, kind, indexPath) ?? UICollectionReusableView()
    }
  }

  extension UICollectionView: BatchView {
    /// Whether the view is in a window.
    public var isOnScreen: Bool { window != nil }

    /// Performs a batch.
    public func performBatch(
      isAnimated: Bool, _ updates: @escaping () -> Void, completion: @escaping () -> Void
    ) {
      let batch = { self.performBatchUpdates(updates) { _ in completion() } }
      if isAnimated { batch() } else { UIView.performWithoutAnimation(batch) }
    }
  }
#endif

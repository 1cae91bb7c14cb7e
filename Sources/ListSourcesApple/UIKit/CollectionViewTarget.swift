#if canImport(UIKit)
  public import ListSources
  public import Snapshots
  public import UIKit

  /// A `UICollectionView` as the target of a data source.
  ///
  /// It becomes the view's data source and must be held by the app; the view is held weakly. This file can't be run
  /// where the library is tested: it is kept thin, and checked against stubs of UIKit.
  @MainActor
  public final class CollectionViewTarget<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: NSObject, UICollectionViewDataSource {
    /// Dequeues the cell of an item and gives it its content, `nil` if that is gone.
    public typealias CellProvider = (UICollectionView, IndexPath, ItemID, Content?) -> UICollectionViewCell
    /// Dequeues a header, footer or other supplementary view of a section.
    public typealias SupplementaryProvider = (UICollectionView, String, IndexPath) -> UICollectionReusableView

    /// Gives supplementary views. Without it there must be none in the layout.
    public var supplementaryProvider: SupplementaryProvider?
    /// The list as the view now counts it.
    public private(set) var shown = DiffableSnapshot<SectionID, ItemID>()

    private weak var view: UICollectionView?
    private let cell: CellProvider
    private var provider: ItemProvider<ItemID, Content>?

    /// Makes a collection view a target, and itself the view's data source.
    public init(_ view: UICollectionView, cell: @escaping CellProvider) {
      self.view = view
      self.cell = cell
      super.init()
      view.dataSource = self
    }

    /// Answers the view.
    public func numberOfSections(in collectionView: UICollectionView) -> Int { shown.numberOfSections }

    /// Answers the view.
    public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    {
      shown.sections[section].items.count
    }

    /// Answers the view.
    public func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      let item = shown.sections[indexPath.section].items[indexPath.item]
      let content = try? provider?.immediateContent(for: item)
      return cell(collectionView, indexPath, item, content ?? nil)
    }

    /// Answers the view.
    public func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView {
      supplementaryProvider?(collectionView, kind, indexPath) ?? UICollectionReusableView()
    }

    /// Reloads the view.
    public func reload(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
      guard let view else { throw ListTargetError.gone }
      provider = update.provider
      shown = update.snapshot
      view.reloadData()
    }

    /// Carries out the stages of a change, each as one batch update.
    public func perform(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
      guard let view else { throw ListTargetError.gone }
      // A view that is not on a screen has counts of its own time; it is not asked for batches.
      guard view.window != nil else { return try await reload(update) }
      provider = update.provider
      for stage in update.stages(.whenSectionsMoveAndChange) {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
          let batch = {
            view.performBatchUpdates {
              self.shown = stage.after
              view.carryOut(stage.batch)
            } completion: { _ in
              done.resume()
            }
          }
          if update.isAnimated { batch() } else { UIView.performWithoutAnimation(batch) }
        }
      }
    }

    /// Takes over an order that the view shows already.
    public func adopt(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
      guard view != nil else { throw ListTargetError.gone }
      provider = update.provider
      shown = update.snapshot
    }
  }

  extension CollectionViewTarget: @MainActor ListTarget {}

  extension UICollectionView {
    fileprivate func carryOut(_ batch: ListBatch) {
      deleteSections(IndexSet(batch.deletedSections))
      insertSections(IndexSet(batch.insertedSections))
      for move in batch.movedSections { moveSection(move.from, toSection: move.to) }
      deleteItems(at: batch.deletedItems.map(IndexPath.init))
      insertItems(at: batch.insertedItems.map(IndexPath.init))
      for move in batch.movedItems { moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
      reloadSections(IndexSet(batch.reloadedSections))
      reloadItems(at: batch.reloadedItems.map(IndexPath.init))
      reconfigureItems(at: batch.reconfiguredItems.map(IndexPath.init))
    }
  }

  extension IndexPath {
    /// The same place as an index path of UIKit.
    public init(_ path: ListIndexPath) { self.init(item: path.item, section: path.section) }
  }

  extension ListIndexPath {
    /// The same place as one of ours.
    public init(_ path: IndexPath) { self.init(item: path.item, section: path.section) }
  }
#endif

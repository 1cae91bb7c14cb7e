#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  public import ListSources
  public import Snapshots

  /// An `NSCollectionView` as the target of a data source.
  ///
  /// It becomes the view's data source and must be held by the app; the view is held weakly. This file can't be run
  /// where the library is tested: it is kept thin, and checked against stubs of AppKit.
  @MainActor
  public final class CollectionViewTarget<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: NSObject, NSCollectionViewDataSource {
    /// Makes the view of an item and gives it its content, `nil` if that is gone.
    public typealias ItemViewProvider = (NSCollectionView, IndexPath, ItemID, Content?) ->
      NSCollectionViewItem

    /// The list as the view now counts it.
    public private(set) var shown = DiffableSnapshot<SectionID, ItemID>()

    private weak var view: NSCollectionView?
    private let item: ItemViewProvider
    private var provider: ItemProvider<ItemID, Content>?

    /// Makes a collection view a target, and itself the view's data source.
    public init(_ view: NSCollectionView, item: @escaping ItemViewProvider) {
      self.view = view
      self.item = item
      super.init()
      view.dataSource = self
    }

    /// Answers the view.
    public func numberOfSections(in collectionView: NSCollectionView) -> Int { shown.numberOfSections }

    /// Answers the view.
    public func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int
    {
      shown.sections[section].items.count
    }

    /// Answers the view.
    public func collectionView(
      _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
    ) -> NSCollectionViewItem {
      let identifier = shown.sections[indexPath.section].items[indexPath.item]
      let content = try? provider?.immediateContent(for: identifier)
      return item(collectionView, indexPath, identifier, content ?? nil)
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
      guard view.window != nil else { return try await reload(update) }
      provider = update.provider
      for stage in update.stages(.whenSectionsMoveAndChange) {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
          let proxy = update.isAnimated ? view.animator() : view
          proxy.performBatchUpdates {
            self.shown = stage.after
            view.carryOut(stage.batch)
          } completionHandler: { _ in
            done.resume()
          }
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

  extension NSCollectionView {
    fileprivate func carryOut(_ batch: ListBatch) {
      deleteSections(IndexSet(batch.deletedSections))
      insertSections(IndexSet(batch.insertedSections))
      for move in batch.movedSections { moveSection(move.from, toSection: move.to) }
      deleteItems(at: Set(batch.deletedItems.map(IndexPath.init)))
      insertItems(at: Set(batch.insertedItems.map(IndexPath.init)))
      for move in batch.movedItems { moveItem(at: IndexPath(move.from), to: IndexPath(move.to)) }
      reloadSections(IndexSet(batch.reloadedSections))
      // There is no reconfiguring here.
      reloadItems(at: Set((batch.reloadedItems + batch.reconfiguredItems).map(IndexPath.init)))
    }
  }

  extension IndexPath {
    /// The same place as an index path of AppKit.
    public init(_ path: ListIndexPath) { self.init(item: path.item, section: path.section) }
  }

  extension ListIndexPath {
    /// The same place as one of ours.
    public init(_ path: IndexPath) { self.init(item: path.item, section: path.section) }
  }
#endif

#if canImport(UIKit)
  public import ListSources
  public import Snapshots
  public import UIKit

  /// A `UITableView` as the target of a data source.
  ///
  /// It becomes the view's data source and must be held by the app; the view is held weakly. This file can't be run
  /// where the library is tested: it is kept thin, and checked against stubs of UIKit.
  @MainActor
  public final class TableViewTarget<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: NSObject, UITableViewDataSource {
    /// Dequeues the cell of an item and gives it its content, `nil` if that is gone.
    public typealias CellProvider = (UITableView, IndexPath, ItemID, Content?) -> UITableViewCell

    /// How rows come and go.
    public var rowAnimation: UITableView.RowAnimation = .automatic
    /// The title above a section.
    public var headerTitle: ((SectionID) -> String?)?
    /// Whether the row of an item may be moved by the user.
    public var canMove: ((ItemID) -> Bool)?
    /// Is told that the user moved a row, which the table shows already: bring it to the data source's
    /// `endReordering` with `isShownAlready`.
    public var didMove: ((_ item: ItemID, _ destination: ReorderDestination<SectionID, ItemID>) -> Void)?
    /// The list as the view now counts it.
    public private(set) var shown = DiffableSnapshot<SectionID, ItemID>()

    private weak var view: UITableView?
    private let cell: CellProvider
    private var provider: ItemProvider<ItemID, Content>?

    /// Makes a table view a target, and itself the view's data source.
    public init(_ view: UITableView, cell: @escaping CellProvider) {
      self.view = view
      self.cell = cell
      super.init()
      view.dataSource = self
    }

    /// Answers the view.
    public func numberOfSections(in tableView: UITableView) -> Int { shown.numberOfSections }

    /// Answers the view.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      shown.sections[section].items.count
    }

    /// Answers the view.
    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let item = shown.sections[indexPath.section].items[indexPath.item]
      let content = try? provider?.immediateContent(for: item)
      return cell(tableView, indexPath, item, content ?? nil)
    }

    /// Answers the view.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
      headerTitle?(shown.sections[section].id)
    }

    /// Answers the view.
    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      guard let canMove, let item = shown.itemIdentifier(at: ListIndexPath(indexPath)) else { return false }
      return canMove(item)
    }

    /// Answers the view.
    public func tableView(
      _ tableView: UITableView, moveRowAt source: IndexPath, to destination: IndexPath
    ) {
      let path = ListIndexPath(source)
      guard let item = shown.itemIdentifier(at: path),
        let gap = ReorderDestination(tableRowMovedFrom: path, to: ListIndexPath(destination), in: shown)
      else { return }
      didMove?(item, gap)
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
          let batch = {
            view.performBatchUpdates {
              self.shown = stage.after
              view.carryOut(stage.batch, self.rowAnimation)
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

  extension TableViewTarget: @MainActor ListTarget {}

  extension UITableView {
    fileprivate func carryOut(_ batch: ListBatch, _ animation: RowAnimation) {
      deleteSections(IndexSet(batch.deletedSections), with: animation)
      insertSections(IndexSet(batch.insertedSections), with: animation)
      for move in batch.movedSections { moveSection(move.from, toSection: move.to) }
      deleteRows(at: batch.deletedItems.map(IndexPath.init), with: animation)
      insertRows(at: batch.insertedItems.map(IndexPath.init), with: animation)
      for move in batch.movedItems { moveRow(at: IndexPath(move.from), to: IndexPath(move.to)) }
      reloadSections(IndexSet(batch.reloadedSections), with: animation)
      reloadRows(at: batch.reloadedItems.map(IndexPath.init), with: animation)
      reconfigureRows(at: batch.reconfiguredItems.map(IndexPath.init))
    }
  }
#endif

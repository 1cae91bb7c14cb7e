#if canImport(UIKit)
  public import ListSources
  internal import Snapshots
  public import UIKit

  /// A `UITableView` as the target of a data source.
  ///
  /// It becomes the view's data source and must be held by the app; the view is held weakly. This file can't be run
  /// where the library is tested: it only translates, and is checked against stubs of UIKit. What it decides is in
  /// ``BatchViewTarget`` and ``ReorderDrag``.
  @MainActor
  public final class TableViewTarget<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: BatchViewTarget<UITableView, SectionID, ItemID, Content>, UITableViewDataSource {
    /// Dequeues the cell of an item and gives it its content, `nil` if that is gone.
    public typealias CellProvider = (UITableView, IndexPath, ItemID, Content?) -> UITableViewCell

    /// How rows come and go.
    public var rowAnimation: UITableView.RowAnimation = .automatic
    /// The title above a section.
    public var headerTitle: ((SectionID) -> String?)?
    /// The drag of the view's data source; without one the user can't move rows. Hold it yourself.
    public weak var reordering: ReorderDrag<SectionID, ItemID>?

    private let cell: CellProvider

    /// Makes a table view a target, and itself the view's data source.
    public init(_ view: UITableView, cell: @escaping CellProvider) {
      self.cell = cell
      super.init(view: view)
      view.dataSource = self
    }

    /// Asks the view for each operation of a batch.
    public override func perform(_ batch: ListBatch, in view: UITableView) {
      view.deleteSections(IndexSet(batch.deletedSections), with: rowAnimation)
      view.insertSections(IndexSet(batch.insertedSections), with: rowAnimation)
      for move in batch.movedSections { view.moveSection(move.from, toSection: move.to) }
      view.deleteRows(at: batch.deletedItems.map(IndexPath.init), with: rowAnimation)
      view.insertRows(at: batch.insertedItems.map(IndexPath.init), with: rowAnimation)
      for move in batch.movedItems { view.moveRow(at: IndexPath(move.from), to: IndexPath(move.to)) }
      view.reloadSections(IndexSet(batch.reloadedSections), with: rowAnimation)
      view.reloadRows(at: batch.reloadedItems.map(IndexPath.init), with: rowAnimation)
      view.reconfigureRows(at: batch.reconfiguredItems.map(IndexPath.init))
    }

    /// Returns the number of sections.
    public func numberOfSections(in tableView: UITableView) -> Int { shown.numberOfSections }

    /// Returns the number of rows in a section.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      numberOfItems(inSection: section)
    }

    /// Returns the cell of a row.
    public func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      guard let (item, content) = itemAndContent(at: ListIndexPath(indexPath)) else {
        return UITableViewCell()
      }
      return cell(tableView, indexPath, item, content)
    }

    /// Returns the title of a section's header.
    public func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? {
      sectionIdentifier(at: section).flatMap { headerTitle?($0) }
    }

    /// Returns whether a row may be moved.
    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      reordering?.canLift(ListIndexPath(indexPath)) ?? false
    }

    /// Moves a row.
    public func tableView(
      _ tableView: UITableView, moveRowAt source: IndexPath, to destination: IndexPath
    ) {
      reordering?.takeOver(rowMovedFrom: ListIndexPath(source), to: ListIndexPath(destination))
    }
  }

  extension UITableView: BatchView {
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

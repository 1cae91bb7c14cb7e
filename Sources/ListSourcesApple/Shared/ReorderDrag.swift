public import ListSources
public import Snapshots

/// The drag of a view, between the view's delegate and the reordering of its data source: what is lifted, whether it can be
/// dropped, and where.
///
/// It knows no view, so it is tested where there is none. The view's delegate only translates. It must be held by the app,
/// as long as the view can be dragged in.
@MainActor
public final class ReorderDrag<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  /// The task of a drop; its value is the report.
  public typealias Drop = Task<ApplyReport<ItemID>, Never>

  private typealias Session = ReorderSession<SectionID, ItemID>

  private let currentSnapshot: () -> DiffableSnapshot<SectionID, ItemID>
  private let begin: ([ItemID]) -> Session?
  private let end: nonisolated(nonsending) (Session, _ isShownAlready: Bool) async -> ApplyReport<ItemID>
  private var session: Session?

  /// Creates the drag of a data source, whose reordering handlers say what may be lifted.
  public init<Target: ListTarget>(
    _ source: DiffableDataSource<Target>
  ) where Target.SectionID == SectionID, Target.ItemID == ItemID {
    currentSnapshot = { source.snapshot() }
    begin = { source.beginReordering($0) }
    end = { await source.endReordering($0, isShownAlready: $1) }
  }

  /// The lifted items, in list order. Empty while nothing is dragged.
  public var items: [ItemID] { session?.items ?? [] }

  /// Whether the item at an index path may be lifted.
  public func canLift(_ path: ListIndexPath) -> Bool {
    currentSnapshot().itemIdentifier(at: path).map { begin([$0]) != nil } ?? false
  }

  /// The identifier of the item at an index path as text, for other programs; `nil` if it may not be lifted.
  public func text(at path: ListIndexPath) -> String? {
    guard canLift(path), let item = currentSnapshot().itemIdentifier(at: path) else { return nil }
    return String(describing: item)
  }

  /// Begins a drag.
  ///
  /// - Parameters:
  ///   - path: The item that is dragged.
  ///   - selected: The selection. It comes along if that item is part of it.
  /// - Returns: The lifted items, in list order.
  @discardableResult
  public func lift(_ path: ListIndexPath, selected: [ListIndexPath] = []) -> [ItemID] {
    lift(selected.contains(path) ? selected : [path])
  }

  /// Begins a drag of all the items at index paths that may be lifted.
  ///
  /// - Returns: The lifted items, in list order.
  @discardableResult
  public func lift(_ paths: [ListIndexPath]) -> [ItemID] {
    let snapshot = currentSnapshot()
    session = begin(paths.compactMap(snapshot.itemIdentifier(at:)))
    return items
  }

  /// Whether the lifted items can be dropped, in the list as it now is.
  public func canDrop() -> Bool {
    session?.rebase(onto: currentSnapshot())
    return session.map { !$0.isCancelled } ?? false
  }

  /// Ends the drag without effect. It does no harm after a drop.
  public func cancel() { session = nil }

  /// Drops the items where the first of them is to lie when all are taken out, as UIKit names it.
  ///
  /// - Returns: `nil` if nothing is lifted, or there is no such position.
  @discardableResult
  public func drop(at path: ListIndexPath) -> Drop? {
    drop(to: ReorderDestination(at: path, in: currentSnapshot(), dragging: items))
  }

  /// Drops the items in the gap before an item, all of them being where they are, as AppKit names it.
  ///
  /// - Returns: `nil` if nothing is lifted, or there is no such position.
  @discardableResult
  public func drop(inGap path: ListIndexPath) -> Drop? {
    drop(to: ReorderDestination(gapAt: path, in: currentSnapshot(), dragging: items))
  }

  /// Drops the items in the gap above a row, all of them being where they are.
  ///
  /// - Returns: `nil` if nothing is lifted, or there is no such position.
  @discardableResult
  public func drop(aboveRow row: Int, hasHeaders: Bool) -> Drop? {
    drop(to: FlatRows(currentSnapshot(), hasHeaders: hasHeaders).gap(aboveRow: row, dragging: items))
  }

  /// Takes over a row that a table view has moved by itself.
  ///
  /// - Returns: `nil` if it may not be moved, or not to there.
  @discardableResult
  public func takeOver(rowMovedFrom source: ListIndexPath, to destination: ListIndexPath) -> Drop? {
    lift(source)
    let snapshot = currentSnapshot()
    return drop(
      to: ReorderDestination(tableRowMovedFrom: source, to: destination, in: snapshot), isShownAlready: true)
  }

  private func drop(
    to destination: ReorderDestination<SectionID, ItemID>?, isShownAlready: Bool = false
  ) -> Drop? {
    guard var session, let destination else { return nil }
    self.session = nil
    session.move(to: destination)
    return Task { [session] in await self.end(session, isShownAlready) }
  }
}

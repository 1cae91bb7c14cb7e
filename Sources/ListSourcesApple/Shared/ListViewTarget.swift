public import Foundation
public import ListSources
public import Snapshots

/// The requirements of targets on any list view.
@MainActor
public protocol ListView: AnyObject {
  /// Whether the view is in a window. One that is not counts its rows at a time of its own, so it is not asked for
  /// changes, but reloaded.
  var isOnScreen: Bool { get }
  /// Lets the view ask for everything anew.
  func reloadData()
}

/// The base of the targets for views: it holds the list that the view counts, and decides when to reload.
///
/// It knows no framework, so it is tested where there is none. Targets are made from its subclasses ``BatchViewTarget``,
/// for views that take batches, and ``RowViewTarget``, for views that take one row operation after the other.
///
/// A target must be held by the app; it holds its view weakly.
@MainActor
open class ListViewTarget<
  View: ListView, SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
>: NSObject {
  /// The view, or `nil` if it is no more.
  public private(set) weak var view: View?
  /// The list as the view now counts it.
  public private(set) var shown = DiffableSnapshot<SectionID, ItemID>()

  /// Takes the errors of the provider, where the view asks for the content of an item. The view is then given none.
  public var failureHandler: ((any Error) -> Void)?

  private var provider: ItemProvider<ItemID, Content>?

  /// Creates a target of a view.
  public init(view: View) {
    self.view = view
    super.init()
  }

  /// The number of items in a section as the view now counts it: 0 where there is none.
  ///
  /// - Complexity: O(log *n*).
  public func numberOfItems(inSection section: Int) -> Int {
    self.section(at: section)?.items.count ?? 0
  }

  /// The section at a position, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func sectionIdentifier(at index: Int) -> SectionID? { section(at: index)?.id }

  private func section(at index: Int) -> DiffableSnapshot<SectionID, ItemID>.Section? {
    guard index >= 0, index < shown.numberOfSections else { return nil }
    let sections = shown.sections
    return sections[sections.index(sections.startIndex, offsetBy: index)]
  }

  /// The item at an index path and its content, `nil` if that is gone or the provider fails; `nil` if there is no such item.
  ///
  /// An error of the provider goes to ``failureHandler``.
  public func itemAndContent(at path: ListIndexPath) -> (item: ItemID, content: Content?)? {
    guard let item = shown.itemIdentifier(at: path) else { return nil }
    do {
      return (item, try provider?.immediateContent(for: item))
    } catch {
      failureHandler?(error)
      return (item, nil)
    }
  }

  /// Reloads the view.
  public func reload(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    guard let view else { throw ListTargetError.gone }
    provider = update.provider
    reload(update.snapshot, in: view)
  }

  /// Changes the view, or reloads it if it is on no screen.
  public func perform(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    guard let view else { throw ListTargetError.gone }
    provider = update.provider
    if view.isOnScreen {
      await change(view, update)
    } else {
      reload(update.snapshot, in: view)
    }
  }

  /// Takes over an order that the view shows already.
  public func adopt(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    guard view != nil else { throw ListTargetError.gone }
    provider = update.provider
    take(update.snapshot)
  }

  /// Leads a view that is on the screen from one list to the next.
  func change(_ view: View, _ update: ListUpdate<SectionID, ItemID, Content>) async {
    reload(update.snapshot, in: view)
  }

  /// Takes the list that the view is to count from now on.
  func take(_ snapshot: DiffableSnapshot<SectionID, ItemID>) { shown = snapshot }

  /// Shows a list without looking at what was there.
  func reload(_ snapshot: DiffableSnapshot<SectionID, ItemID>, in view: View) {
    take(snapshot)
    view.reloadData()
  }
}

extension ListViewTarget: @MainActor ListTarget {}

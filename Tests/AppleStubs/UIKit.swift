// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stubs of those parts of UIKit that ListSourcesApple, LiveLists and Examples/Apple use: names and types, nothing that runs. They let the adapters
// be type-checked where there is no UIKit, by scripts/check-apple, and say nothing about how the real views behave.
@_exported public import Foundation

extension IndexPath {
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public init(row: Int, section: Int) { self.init(item: row, section: section) }
  public var item: Int { self[1] }
  public var section: Int { self[0] }
}

public protocol NSItemProviderWriting: NSObjectProtocol {}
extension NSString: NSItemProviderWriting {}
public final class NSItemProvider: NSObject {
  public override init() {}
  public init(object: any NSItemProviderWriting) {}
}

@MainActor open class UIView: NSObject {
  public class func performWithoutAnimation(_ actions: () -> Void) {}
  public var window: UIWindow? { nil }
  public var isHidden = false
}
@MainActor open class UIWindow: UIView {}
@MainActor open class UIScrollView: UIView {}
@MainActor open class UICollectionReusableView: UIView {}
@MainActor open class UICollectionViewCell: UICollectionReusableView {
  public var contentConfiguration: (any UIContentConfiguration)?
}
@MainActor open class UITableViewCell: UIView {
  public var contentConfiguration: (any UIContentConfiguration)?
  public func defaultContentConfiguration() -> UIListContentConfiguration { .cell() }
}
public protocol UIContentConfiguration {}
public struct UIListContentConfiguration: UIContentConfiguration {
  public static func cell() -> Self { Self() }
  public var text: String?
}

@MainActor open class UINavigationItem: NSObject { public var searchController: UISearchController? }
@MainActor open class UIViewController: NSObject {
  public init(nibName: String?, bundle: Bundle?) {}
  public required init?(coder: NSCoder) {}
  open func viewDidLoad() {}
  open func setEditing(_ editing: Bool, animated: Bool) {}
  public var navigationItem: UINavigationItem { UINavigationItem() }
}
@MainActor open class UITableViewController: UIViewController {
  public init(style: UITableView.Style) { super.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  public var tableView: UITableView! { UITableView() }
}
@MainActor open class UISearchBar: UIView { public var text: String? }
@MainActor public protocol UISearchResultsUpdating: NSObjectProtocol {
  func updateSearchResults(for searchController: UISearchController)
}
@MainActor open class UISearchController: UIViewController {
  public init(searchResultsController: UIViewController?) { super.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
  public weak var searchResultsUpdater: (any UISearchResultsUpdating)?
  public var searchBar: UISearchBar { UISearchBar() }
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView
}

@MainActor open class UICollectionView: UIScrollView {
  public var dragInteractionEnabled = false
  public func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell { UICollectionViewCell() }
  public weak var dataSource: (any UICollectionViewDataSource)?
  public weak var dragDelegate: (any UICollectionViewDragDelegate)?
  public weak var dropDelegate: (any UICollectionViewDropDelegate)?
  public var indexPathsForSelectedItems: [IndexPath]? { nil }
  public var isEditing = false
  public func reloadData() {}
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
  public func deleteSections(_ sections: IndexSet) {}
  public func insertSections(_ sections: IndexSet) {}
  public func moveSection(_ section: Int, toSection newSection: Int) {}
  public func reloadSections(_ sections: IndexSet) {}
  public func deleteItems(at indexPaths: [IndexPath]) {}
  public func insertItems(at indexPaths: [IndexPath]) {}
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
  public func reloadItems(at indexPaths: [IndexPath]) {}
  public func reconfigureItems(at indexPaths: [IndexPath]) {}
}

@MainActor public protocol UIDragSession: NSObjectProtocol {}
@MainActor public protocol UIDropSession: NSObjectProtocol {}
public enum UIDropOperation: UInt, Sendable { case cancel, forbidden, copy, move }

@MainActor public final class UIDragItem: NSObject {
  public init(itemProvider: NSItemProvider) {}
  public var localObject: Any?
}

@MainActor public final class UICollectionViewDropProposal: NSObject {
  public enum Intent: Int, Sendable { case unspecified, insertAtDestinationIndexPath }
  public init(operation: UIDropOperation) {}
  public init(operation: UIDropOperation, intent: Intent) {}
}

@MainActor public protocol UICollectionViewDropItem: NSObjectProtocol { var dragItem: UIDragItem { get } }
@MainActor public protocol UIDragAnimating: NSObjectProtocol {}
@MainActor public protocol UICollectionViewDropCoordinator: NSObjectProtocol {
  var items: [any UICollectionViewDropItem] { get }
  var destinationIndexPath: IndexPath? { get }
  func drop(_ dragItem: UIDragItem, toItemAt indexPath: IndexPath) -> any UIDragAnimating
}

@MainActor public protocol UICollectionViewDragDelegate: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, itemsForBeginning session: any UIDragSession, at indexPath: IndexPath
  ) -> [UIDragItem]
  func collectionView(_ collectionView: UICollectionView, dragSessionDidEnd session: any UIDragSession)
}

@MainActor public protocol UICollectionViewDropDelegate: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, dropSessionDidUpdate session: any UIDropSession,
    withDestinationIndexPath destinationIndexPath: IndexPath?
  ) -> UICollectionViewDropProposal
  func collectionView(
    _ collectionView: UICollectionView, performDropWith coordinator: any UICollectionViewDropCoordinator)
}

@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
  func tableView(_ tableView: UITableView, moveRowAt source: IndexPath, to destination: IndexPath)
}

@MainActor open class UITableView: UIScrollView {
  public enum RowAnimation: Int, Sendable { case fade, none, automatic }
  public enum Style: Int, Sendable { case plain }
  public enum ScrollPosition: Int, Sendable { case middle }
  public func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell() }
  public func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {}
  public weak var dataSource: (any UITableViewDataSource)?
  public func reloadData() {}
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
  public func moveSection(_ section: Int, toSection newSection: Int) {}
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {}
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
  public func reconfigureRows(at indexPaths: [IndexPath]) {}
}

public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  public init() {}
  public var sectionIdentifiers: [SectionIdentifierType] { [] }
  public var reloadedSectionIdentifiers: [SectionIdentifierType] { [] }
  public var reloadedItemIdentifiers: [ItemIdentifierType] { [] }
  public var reconfiguredItemIdentifiers: [ItemIdentifierType] { [] }
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] { [] }
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {}
  public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {}
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {}
}

extension UICollectionView {
  public struct CellRegistration<Cell, Item> where Cell: UICollectionViewCell {
    public init(handler: @escaping (Cell, IndexPath, Item) -> Void) {}
  }

  public func dequeueConfiguredReusableCell<Cell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell { fatalError() }
}

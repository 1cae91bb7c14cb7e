// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stubs of those parts of AppKit that ListSourcesApple uses: names and types, nothing that runs. They let the adapters
// be type-checked where there is no AppKit, by scripts/check-apple, and say nothing about how the real views behave.
@_exported public import Foundation

extension IndexPath {
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public var item: Int { self[1] }
  public var section: Int { self[0] }
}

@MainActor open class NSView: NSObject {
  public var window: NSWindow? { nil }
  public func animator() -> Self { self }
}
@MainActor open class NSWindow: NSObject {}
@MainActor open class NSCollectionViewItem: NSObject {}

@MainActor public protocol NSCollectionViewDataSource: NSObjectProtocol {
  func numberOfSections(in collectionView: NSCollectionView) -> Int
  func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem
}

@MainActor open class NSCollectionView: NSView {
  public weak var dataSource: (any NSCollectionViewDataSource)?
  public func reloadData() {}
  public func performBatchUpdates(_ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil) {}
  public func deleteSections(_ sections: IndexSet) {}
  public func insertSections(_ sections: IndexSet) {}
  public func moveSection(_ section: Int, toSection newSection: Int) {}
  public func reloadSections(_ sections: IndexSet) {}
  public func deleteItems(at indexPaths: Set<IndexPath>) {}
  public func insertItems(at indexPaths: Set<IndexPath>) {}
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
  public func reloadItems(at indexPaths: Set<IndexPath>) {}
}

@MainActor public protocol NSTableViewDataSource: NSObjectProtocol {
  func numberOfRows(in tableView: NSTableView) -> Int
}

@MainActor open class NSTableView: NSView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }
  public weak var dataSource: (any NSTableViewDataSource)?
  public var numberOfColumns: Int { 0 }
  public func reloadData() {}
  public func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {}
  public func beginUpdates() {}
  public func endUpdates() {}
  public func insertRows(at indexes: IndexSet, withAnimation animation: AnimationOptions = []) {}
  public func removeRows(at indexes: IndexSet, withAnimation animation: AnimationOptions = []) {}
  public func moveRow(at oldIndex: Int, to newIndex: Int) {}
}

public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  public init() {}
  public var sectionIdentifiers: [SectionIdentifierType] { [] }
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] { [] }
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {}
  public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {}
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
}

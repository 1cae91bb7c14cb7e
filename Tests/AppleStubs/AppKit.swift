// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stubs of those parts of AppKit that ListSourcesApple uses: names and types, nothing that runs. They let the adapters
// be type-checked where there is no AppKit, by scripts/check-apple, and say nothing about how the real views behave.
@_exported public import Foundation

extension IndexPath {
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public var item: Int { self[1] }
  public var section: Int { self[0] }
}

/// The standard library has it where there is Objective-C.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
  public var pointee: Pointee
}

@MainActor open class NSView: NSObject {
  public var window: NSWindow? { nil }
  public func animator() -> Self { self }
  public func registerForDraggedTypes(_ newTypes: [NSPasteboard.PasteboardType]) {}
}
@MainActor open class NSWindow: NSObject {}
@MainActor open class NSCollectionViewItem: NSObject {}

open class NSPasteboard: NSObject {
  public struct PasteboardType: Hashable, Sendable {
    public static let string = PasteboardType("string")
    public init(_ rawValue: String) {}
  }
}
public protocol NSPasteboardWriting: NSObjectProtocol {}
open class NSPasteboardItem: NSObject, NSPasteboardWriting {
  public func setString(_ string: String, forType type: NSPasteboard.PasteboardType) -> Bool { true }
}
@MainActor open class NSDraggingSession: NSObject {}
@MainActor public protocol NSDraggingInfo: NSObjectProtocol {}
public struct NSDragOperation: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let move = NSDragOperation(rawValue: 16)
}

@MainActor public protocol NSCollectionViewDataSource: NSObjectProtocol {
  func numberOfSections(in collectionView: NSCollectionView) -> Int
  func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem
}

@MainActor public protocol NSCollectionViewDelegate: NSObjectProtocol {
  func collectionView(
    _ collectionView: NSCollectionView, pasteboardWriterForItemAt indexPath: IndexPath
  ) -> (any NSPasteboardWriting)?
  func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    willBeginAt screenPoint: NSPoint, forItemsAt indexPaths: Set<IndexPath>)
  func collectionView(
    _ collectionView: NSCollectionView, validateDrop draggingInfo: any NSDraggingInfo,
    proposedIndexPath proposedDropIndexPath: AutoreleasingUnsafeMutablePointer<NSIndexPath>,
    dropOperation proposedDropOperation: UnsafeMutablePointer<NSCollectionView.DropOperation>
  ) -> NSDragOperation
  func collectionView(
    _ collectionView: NSCollectionView, acceptDrop draggingInfo: any NSDraggingInfo, indexPath: IndexPath,
    dropOperation: NSCollectionView.DropOperation
  ) -> Bool
  func collectionView(
    _ collectionView: NSCollectionView, draggingSession session: NSDraggingSession,
    endedAt screenPoint: NSPoint, dragOperation operation: NSDragOperation)
}

@MainActor open class NSCollectionView: NSView {
  public enum DropOperation: Int, Sendable { case on, before }
  public weak var dataSource: (any NSCollectionViewDataSource)?
  public weak var delegate: (any NSCollectionViewDelegate)?
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
  func tableView(_ tableView: NSTableView, pasteboardWriterForRow row: Int) -> (any NSPasteboardWriting)?
  func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession, willBeginAt screenPoint: NSPoint,
    forRowIndexes rowIndexes: IndexSet)
  func tableView(
    _ tableView: NSTableView, validateDrop info: any NSDraggingInfo, proposedRow row: Int,
    proposedDropOperation dropOperation: NSTableView.DropOperation
  ) -> NSDragOperation
  func tableView(
    _ tableView: NSTableView, acceptDrop info: any NSDraggingInfo, row: Int,
    dropOperation: NSTableView.DropOperation
  ) -> Bool
  func tableView(
    _ tableView: NSTableView, draggingSession session: NSDraggingSession, endedAt screenPoint: NSPoint,
    operation: NSDragOperation)
}

@MainActor open class NSTableView: NSView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }
  public enum DropOperation: UInt, Sendable { case on, above }
  public weak var dataSource: (any NSTableViewDataSource)?
  public func setDropRow(_ row: Int, dropOperation: DropOperation) {}
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

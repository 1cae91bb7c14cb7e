public import ListSources
public import Observation
public import Snapshots

/// A list that SwiftUI, or anything else that observes, can show: the snapshot and the contents of its items.
///
/// It is a target like any other. It knows no view, so it works on every platform.
@MainActor
@Observable
public final class ObservableList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content> {
  /// The list.
  public private(set) var snapshot = DiffableSnapshot<SectionID, ItemID>()
  /// The contents of its items. An item whose content is gone has none.
  public private(set) var contents: [ItemID: Content] = [:]
  /// Whether a first snapshot was shown.
  public private(set) var isLoaded = false

  /// Creates an empty list.
  public init() {}

  /// The content of an item, or `nil` if it is gone.
  public subscript(item: ItemID) -> Content? { contents[item] }
}

extension ObservableList: @MainActor ListTarget {
  /// Takes a snapshot and asks for every content.
  @MainActor
  public func reload(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    contents = try await update.provider.contents(for: update.snapshot.itemIdentifiers)
    snapshot = update.snapshot
    isLoaded = true
  }

  /// Takes a change and asks for the contents of what arrives or is shown anew.
  @MainActor
  public func perform(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    let items = update.itemsToProvide
    let news = try await update.provider.contents(for: items)
    for change in update.difference.deletedItems { contents[change.id] = nil }
    for item in items { contents[item] = news[item] }
    snapshot = update.snapshot
  }
}

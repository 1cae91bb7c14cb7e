public import ListSources
public import Observation
public import Snapshots

/// A list that SwiftUI, or anything else that observes, can show: the snapshot and the contents of its items.
///
/// It is a target like any other. It knows no view, so it works on every platform.
///
/// Contents are asked for when they are read: a view of a long list reads those of the rows that it shows. A content that was read is
/// kept until its item changes or goes. A provider that has to load contents (`ItemProvider.loading(_:)`) cannot be asked so;
/// it loads those of all items.
@MainActor
@Observable
public final class ObservableList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content> {
  /// The list.
  public private(set) var snapshot = DiffableSnapshot<SectionID, ItemID>()
  /// Whether a first snapshot was shown.
  public private(set) var isLoaded = false
  /// Takes the errors of a provider that is asked for a content. The item then has none.
  @ObservationIgnored public var failureHandler: ((any Error) -> Void)?

  /// The number of changes, which whoever reads a content observes: a list whose contents alone changed is equal to the one before.
  private var changeCount = 0
  /// The contents that were read.
  @ObservationIgnored private var contents: [ItemID: Content] = [:]
  @ObservationIgnored private var provider: ItemProvider<ItemID, Content>?

  /// Creates an empty list.
  public init() {}

  /// The content of an item, or `nil` if it is gone.
  ///
  /// Its observers are notified of each change of the list.
  public subscript(item: ItemID) -> Content? {
    guard changeCount > 0, snapshot.containsItem(item) else { return nil }
    if let content = contents[item] { return content }
    do {
      let content = try provider?.immediateContent(for: item)
      contents[item] = content
      return content
    } catch {
      failureHandler?(error)
      return nil
    }
  }
}

extension ObservableList: @MainActor ListTarget {
  /// Takes a snapshot.
  @MainActor
  public func reload(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    let isImmediate = update.provider.isImmediate
    contents = isImmediate ? [:] : try await update.provider.contents(for: update.snapshot.itemIdentifiers)
    provider = update.provider
    snapshot = update.snapshot
    isLoaded = true
    changeCount += 1
  }

  /// Takes a change. Contents of what arrives or is shown anew are asked for when they are read next.
  @MainActor
  public func perform(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    let items = update.itemsToProvide
    let loaded = update.provider.isImmediate ? [:] : try await update.provider.contents(for: items)
    for change in update.difference.deletedItems { contents[change.id] = nil }
    for item in items { contents[item] = loaded[item] }
    provider = update.provider
    snapshot = update.snapshot
    changeCount += 1
  }
}

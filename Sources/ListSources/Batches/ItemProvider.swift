/// Where a view's target gets the content of an item: a model, or whatever the view shows of it.
///
/// A provider is asked for items that arrive, that are reloaded and that are reconfigured, and for what a view scrolls
/// to; never for an item that only moved. It may ask the data source for its snapshot, and may apply another, also from tasks that
/// it makes with `Task { }` or in a group: that one waits until the present one is done, and the call returns at once. It
/// must not await a detached task that applies: nothing shows that such a task belongs to the provider, and both would wait
/// for ever.
public struct ItemProvider<ItemID: Hashable & Sendable, Content> {
  /// Fetches the contents of many items, in the isolation of the data source.
  public typealias Loader = nonisolated(nonsending) ([ItemID]) async throws -> [ItemID: Content]

  private enum Source {
    case single((ItemID) throws -> Content?)
    case loading(Loader)
  }

  private let source: Source

  /// Creates a provider that has each content at hand.
  ///
  /// - Parameter content: Gives the content of an item, or `nil` for one that is gone.
  public init(_ content: @escaping (ItemID) throws -> Content?) {
    source = .single(content)
  }

  private init(source: Source) {
    self.source = source
  }

  /// A provider that fetches the contents of many items at once.
  ///
  /// Views that must have a cell's content immediately, such as those of UIKit, can't use it; a stream can.
  ///
  /// - Parameter contents: Gives the contents of the items that are still there.
  public static func loading(_ contents: @escaping Loader) -> Self {
    Self(source: .loading(contents))
  }

  /// The contents of several items, without those that are gone.
  ///
  /// - Throws: What the provider throws.
  /// - Complexity: One call of a provider that loads, else one for each item.
  public nonisolated(nonsending) func contents(for items: [ItemID]) async throws -> [ItemID: Content] {
    if items.isEmpty { return [:] }
    switch source {
    case .single(let content):
      var contents: [ItemID: Content] = [:]
      contents.reserveCapacity(items.count)
      for item in items {
        if let value = try content(item) { contents[item] = value }
      }
      return contents
    case .loading(let load):
      return try await load(items)
    }
  }

  /// Whether the provider has each content at hand, so that ``immediateContent(for:)`` gives it.
  public var isImmediate: Bool {
    if case .single = source { true } else { false }
  }

  /// The content of an item, or `nil` if it is gone or the provider has to load it.
  ///
  /// - Throws: What the provider throws.
  public func immediateContent(for item: ItemID) throws -> Content? {
    switch source {
    case .single(let content): try content(item)
    case .loading: nil
    }
  }
}

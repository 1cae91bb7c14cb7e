#if canImport(SwiftUI)
  internal import ListSources
  public import Snapshots
  public import SwiftUI

  /// A list in a SwiftUI view that stays in step with its source.
  ///
  /// ```swift
  /// struct Album: View {
  ///   @LiveList<FetchSectionID, UUID, Photo> var photos
  ///   let controller: FetchController<Photo>
  ///
  ///   var body: some View {
  ///     List(photos.snapshot.itemIdentifiers, id: \.self) { id in PhotoRow(photos[id]) }
  ///       .task { try? await $photos.follow(controller.changes) { id in controller.object(for: id) } }
  ///   }
  /// }
  /// ```
  ///
  /// This file can't be run where the library is tested: what it does is in ``ObservableList``, which is.
  @MainActor
  @propertyWrapper
  public struct LiveList<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content>:
    DynamicProperty
  {
    @State private var list = ObservableList<SectionID, ItemID, Content>()

    /// Creates an empty list.
    public init() {}

    /// The list.
    public var wrappedValue: ObservableList<SectionID, ItemID, Content> { list }

    /// The property wrapper itself, which follows a source.
    public var projectedValue: Self { self }

    /// Shows the changes of a source until they end or the task is cancelled.
    ///
    /// - Parameters:
    ///   - changes: The changes.
    ///   - provider: Gives the content of an item.
    /// - Throws: What the changes throw.
    public func follow<Changes: AsyncSequence>(
      _ changes: Changes, provider: @escaping (ItemID) throws -> Content?
    ) async throws
    where Changes.Element: SnapshotChange<SectionID, ItemID> {
      let source = DiffableDataSource(target: list, provider: provider)
      try await source.follow(changes)
    }
  }
#endif

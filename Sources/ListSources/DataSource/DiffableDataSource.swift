public import Snapshots

/// Shows snapshots in a view, and never asks the view for the impossible.
///
/// ```swift
/// let source = DiffableDataSource(target: grid) { id in photos.object(for: id) }
/// try await source.follow(photos)
/// ```
///
/// Applies are performed one at a time, in the order of the calls. Each is compared with what its predecessor left,
/// and reaches the target as a reload (the first one) or as a change that splits into legal batches. A call to apply
/// from inside another one, such as from a provider or a task that it started, is not an error; it waits its turn, and is
/// not waited for. Detached tasks are not recognised as being inside; see ``ApplyReport/Outcome/queued``.
///
/// ## Isolation
///
/// A data source is bound to no actor and may not be shared between them: it belongs to its creator, an actor, the
/// main actor or a task, and the compiler checks that it stays there. All work, the target's included, is done in that
/// isolation.
public final class DiffableDataSource<Target: ListTarget> {
  /// The type of section identifiers.
  public typealias SectionID = Target.SectionID
  /// The type of item identifiers.
  public typealias ItemID = Target.ItemID
  /// The lists that are shown.
  public typealias Snapshot = DiffableSnapshot<SectionID, ItemID>
  /// The tree of one section.
  public typealias SectionSnapshot = DiffableSectionSnapshot<ItemID>
  /// The result of a call to apply.
  public typealias Report = ApplyReport<ItemID>
  /// How a snapshot is applied.
  public typealias Options = ApplyOptions<ItemID>

  /// The view.
  public let target: Target
  /// Where the contents of items are found.
  public let provider: ItemProvider<ItemID, Target.Content>
  /// The treatment of snapshots that wait while another is being shown.
  public var queueing: ApplyQueueing = .everySnapshot
  /// Is called with each error of the target, also those that a reload mended.
  public var failureHandler: ((any Error) -> Void)?
  /// The handlers that say which items may be dragged, and are called when some were.
  public var reorderingHandlers = ReorderingHandlers<SectionID, ItemID>()
  /// The handlers that are called when the user expands or collapses items.
  public var sectionSnapshotHandlers = SectionSnapshotHandlers<ItemID>()

  var committed = Snapshot()
  var outlines = SectionOutlines<SectionID, ItemID>()
  var targetState = TargetState.empty
  var queue = ApplyQueue<Job, Report>()

  /// Creates a data source whose provider has each content at hand.
  ///
  /// - Parameters:
  ///   - target: The view.
  ///   - provider: Gives the content of an item, or `nil` for one that is gone.
  public convenience init(target: Target, provider: @escaping (ItemID) throws -> Target.Content?) {
    self.init(target: target, provider: ItemProvider(provider))
  }

  /// Creates a data source.
  public init(target: Target, provider: ItemProvider<ItemID, Target.Content>) {
    self.target = target
    self.provider = provider
  }

  /// How much the target knows.
  enum TargetState {
    /// Nothing was shown yet.
    case empty
    /// It shows `committed`.
    case shown
    /// It threw, and has to be reloaded.
    case stale
    /// It is no more.
    case gone
  }
}

/// A data source belongs to one isolation; share the actor that owns it instead.
@available(*, unavailable)
extension DiffableDataSource: Sendable {}

extension DiffableDataSource {
  /// The list that is shown: the one last committed, not the one last asked for. It has no marks, and is empty before
  /// the first apply.
  ///
  /// - Complexity: O(1).
  public func snapshot() -> Snapshot { committed }

  /// The item at an index path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func itemIdentifier(for indexPath: ListIndexPath) -> ItemID? {
    committed.itemIdentifier(at: indexPath)
  }

  /// The index path of an item, or `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*).
  public func indexPath(for item: ItemID) -> ListIndexPath? {
    committed.indexPath(ofItem: item)
  }

  /// The section at a position, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func sectionIdentifier(for index: Int) -> SectionID? {
    guard index >= 0, index < committed.numberOfSections else { return nil }
    let sections = committed.sections
    return sections[sections.index(sections.startIndex, offsetBy: index)].id
  }

  /// The position of a section, or `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*).
  public func index(for section: SectionID) -> Int? {
    committed.indexOfSection(section)
  }
}

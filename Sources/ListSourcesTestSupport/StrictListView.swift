public import ListSources
internal import Snapshots

/// A list view without a screen, as strict as a list view can be.
///
/// It checks each batch against the rules of list views, performs it by itself, position by position, and compares
/// the result with what the data source says it shows. Use it in tests instead of your view:
///
/// ```swift
/// let view = StrictListView<String, UUID, Photo>()
/// let source = DiffableDataSource(target: view) { id in photos[id] }
/// await source.apply(snapshot)
/// #expect(view.violations.isEmpty)
/// ```
public final class StrictListView<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content>:
  ListTarget
{
  /// A section on the screen.
  public struct Section {
    /// Its identifier.
    public var id: SectionID
    /// The items that it shows, in order.
    public var items: [ItemID]
  }

  /// A call that the view received.
  public enum Event: Hashable, Sendable {
    /// Show the whole list anew.
    case reload
    /// Perform a batch.
    case batch(ListBatch)
    /// Take over the state that it shows already.
    case adopt
    /// Take note of mutations that changed nothing.
    case acknowledge([String])
  }

  /// The operations that it allows together in one batch.
  public var staging: BatchStaging
  /// Whether it refuses to touch items of sections that move.
  public var isStrict: Bool
  /// The sections that it shows.
  public private(set) var sections: [Section] = []
  /// The cells it shows, by item.
  public private(set) var cells: [ItemID: Content] = [:]
  /// The calls that it received, in order.
  public private(set) var events: [Event] = []
  /// The items whose contents it asked for, in order.
  public private(set) var providedItems: [ItemID] = []
  /// The origins that it has received, in order.
  public private(set) var origins: [String] = []
  /// The rules that were broken, in order. Each was thrown as well.
  public private(set) var violations: [ListRuleViolation] = []
  /// Is called before each update, which fails if this throws; for tests of views that fail or go away.
  public var willUpdate: (() throws -> Void)?
  /// Is awaited within each update, as an animation would be.
  public var animation: (nonisolated(nonsending) () async -> Void)?

  private var isShown = false

  /// Creates an empty view.
  public init(staging: BatchStaging = .combined, isStrict: Bool = false) {
    self.staging = staging
    self.isStrict = isStrict
  }

  /// The batches it was asked for, in order.
  public var batches: [ListBatch] {
    events.compactMap { event in
      guard case .batch(let batch) = event else { return nil }
      return batch
    }
  }

  /// The sections and items that it shows, such as `A[1,2] B[3]`.
  public var contents: String {
    sections.map { section in
      "\(section.id)[" + section.items.map { "\($0)" }.joined(separator: ",") + "]"
    }.joined(separator: " ")
  }

  /// Forgets what it was asked for, and keeps what it shows.
  public func forgetHistory() {
    events = []
    providedItems = []
    origins = []
    violations = []
  }

  /// Shows a snapshot and asks for every content.
  public nonisolated(nonsending) func reload(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    try willUpdate?()
    events.append(.reload)
    origins += update.origins
    sections = update.snapshot.sections.map { Section(id: $0.id, items: Array($0.items)) }
    cells = [:]
    try await provide(sections.flatMap(\.items), update)
    isShown = true
    await animation?()
  }

  /// Checks the batches, performs them and compares.
  public nonisolated(nonsending) func perform(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    try willUpdate?()
    try checkDuties(update)
    origins += update.origins
    for stage in update.stages(staging) {
      events.append(.batch(stage.batch))
      let arrivals = try perform(stage)
      try await provide(arrivals, update)
      await animation?()
    }
  }

  /// Takes over what it shows already.
  public nonisolated(nonsending) func adopt(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    try willUpdate?()
    try checkDuties(update)
    events.append(.adopt)
    origins += update.origins
    sections = update.snapshot.sections.map { Section(id: $0.id, items: Array($0.items)) }
  }

  /// Records the origins.
  public nonisolated(nonsending) func acknowledge(_ origins: [String]) async {
    events.append(.acknowledge(origins))
    self.origins += origins
  }

  private nonisolated(nonsending) func provide(
    _ items: [ItemID], _ update: ListUpdate<SectionID, ItemID, Content>
  ) async throws {
    providedItems += items
    for (item, content) in try await update.provider.contents(for: items) { cells[item] = content }
  }

  private func checkDuties(_ update: ListUpdate<SectionID, ItemID, Content>) throws {
    if !isShown { throw recorded(ListRuleViolation(.duty, "a change came before the first reload")) }
    if update.difference.isEmpty { throw recorded(ListRuleViolation(.duty, "a change of nothing came")) }
    try compare(sections, with: update.before, .duty, "the change starts from")
  }

  private func recorded(_ violation: ListRuleViolation) -> ListRuleViolation {
    violations.append(violation)
    return violation
  }

  private func compare(
    _ sections: [Section], with snapshot: DiffableSnapshot<SectionID, ItemID>, _ rule: ListRule,
    _ what: String
  ) throws {
    let isEqual = sections.elementsEqual(snapshot.sections) { own, other in
      own.id == other.id && own.items.elementsEqual(other.items)
    }
    if !isEqual { throw recorded(ListRuleViolation(rule, "\(what) \(snapshot), not \(contents)")) }
  }

  /// Performs a batch and returns the items whose contents are to be provided.
  private func perform(_ stage: ListStage<SectionID, ItemID>) throws -> [ItemID] {
    let batch = stage.batch
    let validator = ListBatchValidator(
      before: sections.map(\.items.count), after: stage.after.sections.map(\.items.count), isStrict: isStrict)
    do {
      try validator.check(batch)
    } catch {
      throw recorded(error)
    }
    var arrivals: [ItemID] = []
    let result = replay(stage, validator: validator, arrivals: &arrivals)
    try compare(result, with: stage.after, .contents, "the batch should lead to")
    sections = result
    let shown = Set(result.flatMap(\.items))
    cells = cells.filter { shown.contains($0.key) }
    return arrivals
  }

  private func replay(
    _ stage: ListStage<SectionID, ItemID>, validator: ListBatchValidator, arrivals: inout [ItemID]
  ) -> [Section] {
    let batch = stage.batch
    var old = sections.map { $0.items.map(Optional.some) }
    func item(_ path: ListIndexPath) -> ItemID? { stage.after.itemIdentifier(at: path) }

    for path in batch.reloadedItems + batch.reconfiguredItems {
      if let item = old[path.section][path.item] { arrivals.append(item) }
    }
    for section in batch.reloadedSections { arrivals += old[section].compactMap(\.self) }
    // Items are removed first; then items are inserted, by ascending index path.
    var arriving: [(path: ListIndexPath, item: ItemID?)] = []
    for move in batch.movedItems { arriving.append((move.to, old[move.from.section][move.from.item])) }
    for path in batch.movedItems.map(\.from) + batch.deletedItems { old[path.section][path.item] = nil }
    for path in batch.insertedItems {
      arriving.append((path, item(path)))
      if let item = item(path) { arrivals.append(item) }
    }
    arriving.sort { $0.path < $1.path }

    var result: [Section] = []
    for (index, origin) in validator.originsOfSections(batch).enumerated() {
      let section = stage.after.sections[index]
      if let origin {
        result.append(Section(id: sections[origin].id, items: old[origin].compactMap(\.self)))
      } else {
        result.append(Section(id: section.id, items: Array(section.items)))
        arrivals += section.items
      }
    }
    let inserted = Set(batch.insertedSections)
    for (path, item) in arriving where !inserted.contains(path.section) {
      guard let item, path.item <= result[path.section].items.count else { continue }
      result[path.section].items.insert(item, at: path.item)
    }
    return result
  }
}

import Foundation
import ListSources
import ListStream
import LiveFetch
import LiveFetchSQLite
import Logging
import Snapshots

/// A list that any number of browsers follow.
protocol LiveListing: Sendable {
  /// Gives a reader what it missed and then what comes, until the task is cancelled or the list ends.
  ///
  /// - Parameter window: The rows that it wants of a long list, if it can ask for the others.
  func send(
    since version: String?, window: ListStreamWindow?, _ write: @Sendable ([UInt8]) async -> Void
  ) async
  /// Rows of the list, as the JSON of an answer; `nil` if the list has ended before it was read.
  func range(_ window: ListStreamWindow, withContents: Bool) async throws -> [UInt8]?
  /// Sees to it that readers are told of an act that was carried out, behind all that was changed before it.
  func settle(_ act: String) async
  /// The items that the list had at a version; `nil` where it is of another list, or too old.
  func items(at version: ListStreamVersion) -> DiffableSnapshot<String, UUID>?
  /// Ends the list for all readers.
  func finish() async
}

/// The rows of a request, live: a controller follows the database, a data source finds what changed, a stream
/// turns that into frames for all readers alike.
actor LiveList<Model: FetchModel, Content: Encodable & Sendable>: LiveListing where Model.ID == UUID {
  private let stream: ListStreamTarget<String, UUID, Content>
  private let source: DiffableDataSource<ListStreamTarget<String, UUID, Content>>
  private let controller: FetchController<Model>
  private var following: Task<Void, Never>?
  /// The place in the history of commits that readers have been brought to.
  private var shown: FetchPosition?
  /// Acts that readers have been told of, the newest last.
  private var told: [String] = []
  /// Acts to be told of as soon as a position is shown.
  private var waiting: [(act: String, position: FetchPosition)] = []

  /// How many acts are remembered to have been told of. One that is forgotten is told of twice, which does no harm.
  private static var remembered: Int { 256 }

  /// Reads the list and follows it from then on.
  init(
    _ request: FetchDescriptor<Model>, in store: SQLiteStore, logger: Logger,
    content: @escaping @Sendable (Model) -> Content
  ) async throws {
    let controller = FetchController(request, in: store)
    self.controller = controller
    let load: ListStreamTarget<String, UUID, Content>.Loader = { ids in
      try await controller.objects(for: ids).mapValues(content)
    }
    let stream = ListStreamTarget<String, UUID, Content>(loading: load)
    self.stream = stream
    source = DiffableDataSource(target: stream, provider: .loading { ids in try await load(ids) })
    source.queueing = .latestSnapshot
    try await controller.performFetch()
    follow(controller.changes, logger)
  }

  private func follow(_ changes: FetchChanges<UUID>, _ logger: Logger) {
    following = Task { [weak self] in
      do {
        for try await change in changes {
          for failure in change.failures {
            logger.error("A list cannot be brought up to date", metadata: ["error": "\(failure)"])
          }
          guard let self else { return }
          await self.show(change)
        }
      } catch  where Task.isCancelled || error is CancellationError {
        logger.debug("A list is not followed any more")
      } catch {
        logger.error("A list ended", metadata: ["error": "\(error)"])
      }
      await self?.finish()
    }
  }

  private func show(_ change: FetchChange<UUID>) async {
    await source.apply(change)
    shown = change.position
    told += change.origins
    if told.count > 2 * Self.remembered { told.removeFirst(told.count - Self.remembered) }
    let due = waiting.filter { $0.position <= change.position }
    waiting.removeAll { $0.position <= change.position }
    for (act, _) in due { await tell(act) }
  }

  /// An act whose commit changed this list comes with the change. Of others, such as a drop where things are already, the
  /// list knows nothing: then its readers are told here.
  func settle(_ act: String) async {
    await controller.settle()
    guard let position = controller.position, let shown, shown < position, differs else {
      return await tell(act)
    }
    // What was committed before is still on its way; the act is told of behind it.
    waiting.append((act, position))
  }

  /// Whether readers have yet to see what the database has.
  ///
  /// A commit that changed nothing is never shown, so its position alone says nothing.
  private var differs: Bool { controller.snapshot.map { $0 != source.snapshot() } ?? false }

  private func tell(_ act: String) async {
    guard !told.contains(act) else { return }
    told.append(act)
    await source.acknowledge([act])
  }

  nonisolated func items(at version: ListStreamVersion) -> DiffableSnapshot<String, UUID>? {
    stream.snapshot(at: version)
  }

  nonisolated func send(
    since version: String?, window: ListStreamWindow?, _ write: @Sendable ([UInt8]) async -> Void
  ) async {
    for await event in stream.events(since: version, window: window) { await write(event) }
  }

  nonisolated func range(_ window: ListStreamWindow, withContents: Bool) async throws -> [UInt8]? {
    if let rows = try await stream.range(window, withContents: withContents) { return Array(rows.json) }
    // It has just been made: readers are given the list as soon as it is there.
    var frames = stream.frames(window: ListStreamWindow(count: 0)).makeAsyncIterator()
    _ = await frames.next()
    return try await stream.range(window, withContents: withContents).map { Array($0.json) }
  }

  func finish() {
    following?.cancel()
    stream.finish()
  }
}

import ListSources
public import ListStream
public import LiveFetch
import Snapshots
import Synchronization

/// The list of a controller for any number of remote readers, such as browsers.
///
/// ```swift
/// let stream = photos.stream { PhotoContent($0) }
/// for await event in stream.events(query: request.uri.query) { try await body.write(event) }
/// ```
///
/// The list is read when the first reader comes, and followed until the stream is finished or released. All readers are given
/// the same bytes, which are encoded once. Contents are loaded when rows travel, and not kept, so that readers of a long
/// list can ask for a part of it: those that ask for a window get that, and ask for other rows by ``rows(query:)``.
///
/// While the list may be old, as the store is cut off from its database or the list could not be read again, readers have
/// `ListStreamOptions.failureMessage` of the reason, and keep what they show.
public final class FetchStream<Model: FetchModel, Content: Encodable & Sendable>: Sendable {
  /// Takes the failures of the list: those that its changes have, and those for which it cannot be followed.
  public typealias FailureHandler = @Sendable (FetchError) -> Void

  /// The controller of the list.
  public let controller: FetchController<Model>
  /// The target by which the list becomes frames.
  public let target: ListStreamTarget<FetchSectionID, Model.ID, Content>

  private enum State {
    case idle
    case following(Task<Void, Never>)
    case finished
  }

  private let state = Mutex(State.idle)
  private let content: @Sendable (Model) -> Content
  private let failureHandler: FailureHandler?

  /// Creates a stream. It reads nothing yet.
  /// - Parameters:
  ///   - controller: The controller of the list.
  ///   - options: How the stream behaves.
  ///   - clock: The clock of heartbeats, and of the time until a list that could not be read is tried again.
  ///   - itemName: Returns the name of a row on the wire, unique among rows.
  ///   - failureHandler: Takes the failures of the list.
  ///   - content: Returns the content that readers get for a row.
  public init(
    _ controller: FetchController<Model>, options: ListStreamOptions = ListStreamOptions(),
    clock: any Clock<Duration> = ContinuousClock(), itemName: @escaping @Sendable (Model.ID) -> String,
    failureHandler: FailureHandler? = nil, content: @escaping @Sendable (Model) -> Content
  ) {
    self.controller = controller
    self.content = content
    self.failureHandler = failureHandler
    target = ListStreamTarget(
      options: options, clock: clock,
      loading: { ids in try await controller.objects(for: ids).mapValues(content) },
      sectionName: { $0.text }, itemName: itemName)
    self.clock = clock
  }

  private let clock: any Clock<Duration>

  deinit { finish() }

  // MARK: Readers

  /// The events of one reader, to be written as they come: the bytes of server-sent events, with heartbeats.
  ///
  /// A reader that comes back is given what it missed. The sequence ends when the stream is finished, or the task is cancelled. It
  /// keeps the stream.
  /// - Parameters:
  ///   - version: The version that the reader has, as it came in the query or the header; nil for none.
  ///   - window: The rows that the reader wants of a long list, if it can ask for the others; nil for the whole list.
  public func events(
    since version: String? = nil, window: ListStreamWindow? = nil
  ) -> FetchStreamEvents<Model, Content> {
    start()
    return FetchStreamEvents(stream: self, events: target.events(since: version, window: window))
  }

  /// The events of the reader that sent a request.
  /// - Parameters:
  ///   - query: The query of the request's address: `since` and `window` are read from it.
  ///   - lastEventID: The request's header `Last-Event-ID`, which a browser sends that reconnects by itself.
  public func events(query: String?, lastEventID: String? = nil) -> FetchStreamEvents<Model, Content> {
    let query = ListStreamQuery(query)
    return events(since: lastEventID ?? query.version, window: query.window)
  }

  /// Rows of the list with the version that they are of, for a reader of a long list that needs them. The list is read if it is not
  /// there yet.
  /// - Parameters:
  ///   - window: The positions of the rows, counted across all sections. Those beyond the end are left out.
  ///   - withContents: Whether contents are wanted.
  /// - Returns: The frame, of which `ListStreamFrame.json` is the body of an answer; nil if the stream is finished.
  /// - Throws: `FetchError` where the contents cannot be loaded.
  public func rows(
    _ window: ListStreamWindow, withContents: Bool = true
  ) async throws -> ListStreamFrame? {
    start()
    if let rows = try await target.range(window, withContents: withContents) { return rows }
    // Readers are given the list as soon as it is there.
    var frames = target.frames(window: ListStreamWindow(count: 0)).makeAsyncIterator()
    _ = await frames.next(isolation: nil)
    return try await target.range(window, withContents: withContents)
  }

  /// Rows of the list for the reader that sent a request.
  /// - Parameter query: The query of the request's address: `from` and `count`, and `content=0` for names alone.
  /// - Returns: The body of the answer, `application/json`; nil if the query names no rows, or the stream is finished.
  /// - Throws: `FetchError` where the contents cannot be loaded.
  public func rows(query: String?) async throws -> [UInt8]? {
    let query = ListStreamQuery(query)
    guard let window = query.rows else { return nil }
    return try await rows(window, withContents: query.wantsContents).map { Array($0.json) }
  }

  // MARK: Following

  /// Begins to follow the list, unless that has begun.
  ///
  /// The first reader does so by itself.
  public func start() {
    state.withLock { state in
      guard case .idle = state else { return }
      // Listens from now on: what is acknowledged before the task runs must not be lost.
      let changes = controller.changes.makeAsyncIterator()
      state = .following(
        Task { [controller, target, content, failureHandler, clock] in
          await Self.follow(changes, controller, target, content, failureHandler, clock)
        })
    }
  }

  /// Ends the streams of all readers, and ceases to follow the list.
  public func finish() {
    let task = state.withLock { state -> Task<Void, Never>? in
      defer { state = .finished }
      return if case .following(let task) = state { task } else { nil }
    }
    task?.cancel()
    target.finish()
  }

  private static func follow(
    _ changes: FetchChanges<Model.ID>.Iterator, _ controller: FetchController<Model>,
    _ target: ListStreamTarget<FetchSectionID, Model.ID, Content>,
    _ content: @escaping @Sendable (Model) -> Content, _ report: FailureHandler?, _ clock: any Clock<Duration>
  ) async {
    let source = DiffableDataSource(
      target: target,
      provider: .loading { ids in try await controller.objects(for: ids).mapValues(content) })
    var changes = changes
    // Whether readers know that the list may be old.
    var isOld = false
    while !Task.isCancelled {
      do throws(FetchError) {
        while let change = try await changes.next() {
          if let report { change.failures.forEach(report) }
          await source.apply(change)
          if let failure = change.failures.first(where: { $0.kind != .row }) {
            target.fail(target.options.failureMessage(failure))
            isOld = true
          } else if isOld {
            // Ends the failure also where nothing has changed, so that no frame of a change did.
            target.recover()
            isOld = false
          }
        }
        break
      } catch {
        report?(error)
        target.fail(target.options.failureMessage(error))
        // A mistake in the request does not go away; what the database has may.
        if error.kind == .request { break }
        try? await clock.sleep(for: .seconds(1))
        changes = controller.changes.makeAsyncIterator()
      }
    }
    target.finish()
  }
}

/// The events of one reader of a controller's list, as the bytes of server-sent events.
public struct FetchStreamEvents<Model: FetchModel, Content: Encodable & Sendable>: AsyncSequence, Sendable {
  /// The bytes of one event.
  public typealias Element = [UInt8]
  /// Events end; they do not fail.
  public typealias Failure = Never

  let stream: FetchStream<Model, Content>
  let events: ListStreamEvents<FetchSectionID, Model.ID, Content>

  /// Gives the events, one at a time, as fast as the reader takes them.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// It is followed for as long as somebody reads it.
    let stream: FetchStream<Model, Content>
    var events: ListStreamEvents<FetchSectionID, Model.ID, Content>.AsyncIterator

    /// The next event, or nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
      await events.next(isolation: actor)
    }
  }

  /// Starts reading.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: stream, events: events.makeAsyncIterator())
  }
}

@available(*, unavailable)
extension FetchStreamEvents.AsyncIterator: Sendable {}

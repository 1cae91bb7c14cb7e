internal import Foundation
internal import HashTreeCollections
public import ListSources
public import Snapshots
internal import Synchronization

/// A target that shows a list to any number of remote readers, as frames.
///
/// ```swift
/// let stream = ListStreamTarget<FetchSectionID, UUID, PhotoContent>()
/// let source = DiffableDataSource(target: stream) { id in photos.object(for: id).map(PhotoContent.init) }
/// try await source.follow(photos)
/// ```
///
/// and for each reader, in the web server of your choice:
///
/// ```swift
/// for await event in stream.events(since: request.query["since"]) {
///   try await body.write(event)
/// }
/// ```
///
/// Each frame is encoded once, whatever the number of readers. A reader is no more than a number, the state that it
/// has: it pulls what comes next from a ring of recent frames, and gets the whole list when it fell behind that. So a
/// slow reader costs nothing but its own delay.
///
/// ## Long lists
///
/// A stream that is given `loading` keeps no contents: it loads those of the rows that travel. Then readers that ask for
/// a window (``ListStreamWindow``) get, of a list that is longer than ``ListStreamOptions/maximumWholeList``, the counts
/// of its sections and the rows of the window, and the others by ``range(_:withContents:)`` when they need them.
///
/// Frames are specified in `Documentation/Frames.md`.
public final class ListStreamTarget<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
>: Sendable, ListTarget {
  typealias State = StreamState<SectionID, ItemID>

  /// How the stream behaves.
  public let options: ListStreamOptions

  let encoder: FrameEncoder<SectionID, ItemID>
  let clock: any Clock<Duration>
  let state: Mutex<State>
  private let encodeContent: @Sendable (Content) throws -> [UInt8]
  let load: Loader?

  /// Loads the contents of items, without those that are gone. It may be called by many readers at a time, and what
  /// it gives may be newer than the list.
  public typealias Loader = @Sendable ([ItemID]) async throws -> [ItemID: Content]

  /// Creates a stream with all that it needs.
  ///
  /// - Parameters:
  ///   - options: How it behaves.
  ///   - clock: What heartbeats are counted by.
  ///   - loading: Loads the contents of the rows that travel. Without it the contents of all items are asked of the
  ///     data source's provider at the first snapshot, and kept.
  ///   - sectionName: The name of a section on the wire, unique among sections.
  ///   - itemName: The name of an item on the wire, unique among items.
  ///   - encodeContent: The content of an item as JSON in UTF-8.
  public init(
    options: ListStreamOptions = ListStreamOptions(), clock: any Clock<Duration> = ContinuousClock(),
    loading: Loader? = nil,
    sectionName: @escaping @Sendable (SectionID) -> String, itemName: @escaping @Sendable (ItemID) -> String,
    encodeContent: @escaping @Sendable (Content) throws -> [UInt8]
  ) {
    self.options = options
    self.clock = clock
    self.encodeContent = encodeContent
    load = loading
    encoder = FrameEncoder(epoch: options.epoch, sectionName: sectionName, itemName: itemName)
    state = Mutex(
      State(
        capacity: options.ringCapacity, byteCapacity: options.ringByteCapacity,
        maximumWhole: options.maximumWholeList, maximumWindow: options.maximumRange,
        keepsContents: loading == nil, mutationIDs: options.recentMutationIDs))
  }

  /// Creates a stream whose contents are encoded by Foundation's JSON encoder, with dates in ISO 8601.
  ///
  /// - Parameters:
  ///   - options: How it behaves.
  ///   - clock: What heartbeats are counted by.
  ///   - loading: Loads the contents of the rows that travel, if they are not to be kept.
  ///   - sectionName: The name of a section on the wire, unique among sections.
  ///   - itemName: The name of an item on the wire, unique among items.
  public convenience init(
    options: ListStreamOptions = ListStreamOptions(), clock: any Clock<Duration> = ContinuousClock(),
    loading: Loader? = nil,
    sectionName: @escaping @Sendable (SectionID) -> String, itemName: @escaping @Sendable (ItemID) -> String
  ) where Content: Encodable & Sendable {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self.init(
      options: options, clock: clock, loading: loading, sectionName: sectionName, itemName: itemName,
      encodeContent: { content in Array(try encoder.encode(content)) })
  }

  /// The version that readers are brought to, or `nil` before the first snapshot.
  public var version: ListStreamVersion? {
    state.withLock { $0.sequence }.map { ListStreamVersion(validEpoch: options.epoch, sequence: $0) }
  }

  /// The list as it was at a version, for what readers say of it: “all that I saw, but these”.
  ///
  /// - Parameter version: The version that a reader names.
  /// - Returns: The list; `nil` where the version is of another epoch or so old that a reader could not be led on from
  ///   it, see ``ListStreamOptions/ringCapacity``.
  /// - Complexity: O(1). Lists of the past share what did not change with the present one.
  public func snapshot(at version: ListStreamVersion) -> DiffableSnapshot<SectionID, ItemID>? {
    guard version.epoch == options.epoch else { return nil }
    return state.withLock { $0.snapshot(at: version.sequence) }
  }

  /// The number of readers.
  public var subscriberCount: Int { state.withLock { $0.subscriberCount } }

  // MARK: The target of a data source

  /// Brings all readers to a snapshot frame.
  public nonisolated(nonsending) func reload(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    if load != nil {
      // The reader that needs a content loads it.
      resume(state.withLock { $0.reload(update.snapshot, contents: .init(), mutationIDs: update.origins) })
      return
    }
    do {
      let items = update.snapshot.itemIdentifiers
      let provided = try await update.provider.contents(for: items)
      var contents = TreeDictionary<ItemID, [UInt8]>()
      for (item, content) in provided { contents[item] = try bytes(of: content) }
      let waiters = state.withLock {
        $0.reload(update.snapshot, contents: contents, mutationIDs: update.origins)
      }
      resume(waiters)
    } catch {
      fail(options.failureMessage(error))
      throw error
    }
  }

  /// Sends all readers a change frame.
  public nonisolated(nonsending) func perform(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
    let items = update.itemsToProvide
    if load != nil, update.snapshot.numberOfItems > options.maximumWholeList,
      size(of: update.difference, toProvide: items.count) > options.maximumChange
    {
      // Counts and windows are less to send, and less to perform.
      try await reload(update)
      return
    }
    let provided = try await update.provider.contents(for: items)
    var contents: [(ItemID, [UInt8])] = []
    contents.reserveCapacity(provided.count)
    for item in items {
      if let content = provided[item] { contents.append((item, try bytes(of: content))) }
    }
    publish(update.difference, snapshot: update.snapshot, contents: contents, mutationIDs: update.origins)
  }

  /// Sends all readers the mutationIDs, so that they need not wait for them.
  public nonisolated(nonsending) func acknowledge(_ origins: [String]) async {
    let snapshot = state.withLock { $0.snapshot }
    publish(SnapshotDifference(), snapshot: snapshot, contents: [], mutationIDs: origins)
  }

  private func publish(
    _ difference: SnapshotDifference<SectionID, ItemID>, snapshot: DiffableSnapshot<SectionID, ItemID>,
    contents: [(ItemID, [UInt8])], mutationIDs: [String]
  ) {
    // The data source calls one method at a time, so nobody else takes the next number meanwhile.
    guard let sequence = state.withLock({ $0.sequence }) else { return }
    let frame = encoder.changeFrame(
      difference, in: snapshot, from: sequence, sequence: sequence + 1, mutationIDs: mutationIDs,
      contents: contents)
    let waiters = state.withLock {
      $0.append(
        frame, snapshot: snapshot, deleted: difference.deletedItems.lazy.map(\.id), contents: contents,
        mutationIDs: mutationIDs)
    }
    resume(waiters)
  }

  private func size(of difference: SnapshotDifference<SectionID, ItemID>, toProvide provided: Int) -> Int {
    difference.deletedItems.count + difference.movedItems.count
      + max(difference.insertedItems.count, provided)
  }

  func bytes(of content: Content) throws -> [UInt8] {
    var bytes = try encodeContent(content)
    // A line break would end the event. JSON has them between tokens only.
    for index in bytes.indices where bytes[index] == 0x0A || bytes[index] == 0x0D { bytes[index] = 0x20 }
    return bytes
  }

  // MARK: The source of the list

  /// Sends all readers a failure: the list can't be brought up to date. They keep what they show.
  ///
  /// The next change or snapshot says that the trouble is over; ``recover()`` does if there is none.
  public func fail(_ message: String) {
    let waiters = state.withLock {
      $0.fail(encoder.failureFrame(message, sequence: $0.sequence), message: message)
    }
    resume(waiters)
  }

  /// Sends all readers the end of a failure.
  public func recover() {
    resume(state.withLock { $0.recover(encoder.failureFrame(nil, sequence: $0.sequence)) })
  }

  /// Ends the streams of all readers, when the server stops or the list is no more.
  public func finish() {
    resume(state.withLock { $0.finish() })
  }

  func resume(_ waiters: [State.Waiter]) {
    for waiter in waiters { waiter.resume(returning: .ask) }
  }
}

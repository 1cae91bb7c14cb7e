internal import Synchronization

extension ListStreamTarget {
  /// The frames for one reader: first what it missed, then what comes.
  ///
  /// A reader that has the present version gets nothing at first; one whose version is in the ring gets the changes
  /// since; any other gets a snapshot. The sequence ends when the stream is finished or the task is cancelled.
  ///
  /// - Parameters:
  ///   - version: The version that the reader has, or `nil` for none.
  ///   - window: The rows that the reader wants of a long list, if it can ask for the others; `nil` for the whole list.
  /// - Complexity: O(1) for each change that comes; the first reader that needs a snapshot encodes it for all.
  public func frames(
    since version: ListStreamVersion? = nil, window: ListStreamWindow? = nil
  ) -> ListStreamFrames<SectionID, ItemID, Content> {
    ListStreamFrames(target: self, version: version, window: window)
  }

  /// The frames for one reader as server-sent events, with heartbeats, to be written as they come.
  ///
  /// A reader that missed nothing gets a heartbeat at once, so that it knows.
  ///
  /// - Parameters:
  ///   - version: The version that the reader says it has, as it came in the query or the header; what is not a
  ///     version counts as none.
  ///   - window: The rows that the reader wants of a long list, if it can ask for the others; `nil` for the whole list.
  public func events(
    since version: String? = nil, window: ListStreamWindow? = nil
  ) -> ListStreamEvents<SectionID, ItemID, Content> {
    ListStreamEvents(target: self, version: version.flatMap { ListStreamVersion($0) }, window: window)
  }
}

/// The frames for one reader of a stream.
public struct ListStreamFrames<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content>:
  AsyncSequence, Sendable
{
  /// A frame.
  public typealias Element = ListStreamFrame
  /// Frames end; they do not fail.
  public typealias Failure = Never

  let target: ListStreamTarget<SectionID, ItemID, Content>
  let version: ListStreamVersion?
  let window: ListStreamWindow?

  /// Gives the frames, one at a time, as fast as the reader takes them.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: ListStreamReader<SectionID, ItemID, Content>

    /// The next frame, or `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ListStreamFrame? {
      while true {
        switch await reader.next(wantsHeartbeat: false) {
        case .frame(let frame): return frame
        case .heartbeat: continue
        case .finished: return nil
        }
      }
    }
  }

  /// Starts reading.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: ListStreamReader(target: target, version: version, window: window))
  }
}

@available(*, unavailable)
extension ListStreamFrames.AsyncIterator: Sendable {}

/// The frames for one reader of a stream, as the bytes of server-sent events.
public struct ListStreamEvents<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content>:
  AsyncSequence, Sendable
{
  /// The bytes of one event.
  public typealias Element = [UInt8]
  /// Events end; they do not fail.
  public typealias Failure = Never

  let target: ListStreamTarget<SectionID, ItemID, Content>
  let version: ListStreamVersion?
  let window: ListStreamWindow?

  /// Gives the events, one at a time, as fast as the reader takes them.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let reader: ListStreamReader<SectionID, ItemID, Content>
    let heartbeat: [UInt8]

    /// The next event, or `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
      switch await reader.next(wantsHeartbeat: true) {
      case .frame(let frame): frame.serverSentEvent
      case .heartbeat: heartbeat
      case .finished: nil
      }
    }
  }

  /// Starts reading.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      reader: ListStreamReader(target: target, version: version, window: window),
      heartbeat: ListStreamFrame.alive(every: target.options.heartbeat))
  }
}

@available(*, unavailable)
extension ListStreamEvents.AsyncIterator: Sendable {}

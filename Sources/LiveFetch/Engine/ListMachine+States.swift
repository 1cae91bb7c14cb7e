import LiveStore

// The states of a list, and the answers to its events.
extension ListMachine {
  enum State: Sendable {
    /// The list was never read, and commits are not observed.
    case idle
    /// A read is under way, and events wait for it.
    indirect case reading(Reading)
    /// The list is right as of its position, and follows each commit.
    case live
    /// The last read failed. The next event has the list read again.
    case failed(FetchError)
    /// The store was closed. Nothing follows; a failure from before stays.
    case closed(FetchError?)
  }

  /// A read that is under way.
  struct Reading: Sendable {
    var request: ReadRequest
    let task: Task<Void, any Error>
    /// The origins of events that came when too many waited: reading again is simpler than keeping those.
    var overflow: [String]?
    /// The failure of the read before, which stands until this one has succeeded.
    let failure: FetchError?
    /// Whether the store has said meanwhile that it is back: what the read fails for may be over.
    var isResumed = false

    /// Keeps an event until the read has ended, or its origins alone.
    mutating func hold(_ event: FetchStoreEvent, capacity: Int) {
      if request.waiting.count < capacity {
        request.waiting.append(event)
      } else {
        overflow = (overflow ?? []) + event.origins
      }
    }
  }

  /// A read that is to be started.
  struct ReadRequest: Sendable {
    /// The rows that may have changed since the list was right.
    var touched: TouchedRows<ID>
    /// The reason for the read; nil for a fetch.
    var reset: FetchReset?
    /// The events that wait for the read.
    var waiting: [FetchStoreEvent] = []
  }

  /// The effect of an event outside of the value.
  enum Action: Sendable {
    case none
    case notify(ListEvent<ID>)
    /// Start a read, observing the store from before it, and call ``ListMachine/readStarted(_:_:)`` before any other event.
    indirect case read(ReadRequest)
    /// End the observation, cancel the read that is under way, and notify subscribers that nothing follows.
    case close(Task<Void, any Error>?)
  }

  /// The answer to a fetch of the list.
  enum FetchAction: Sendable {
    /// The list is there.
    indirect case take(FetchUpdate<ID>)
    /// Wait for a read that is under way, then take the list.
    case wait(Task<Void, any Error>)
    /// Start a read as for ``Action/read(_:)``, and wait for it.
    indirect case read(ReadRequest)
    case fail(FetchError)
  }
}

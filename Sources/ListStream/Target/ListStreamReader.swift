internal import HashTreeCollections
internal import Synchronization

/// One reader of a stream: the state it has, and what it waits for.
final class ListStreamReader<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content> {
  typealias State = StreamState<SectionID, ItemID>

  enum Event {
    case frame(ListStreamFrame)
    case heartbeat
    case finished
  }

  private let target: ListStreamTarget<SectionID, ItemID, Content>
  private var cursor: State.Cursor
  /// Whether it said that it has a version and was not answered yet.
  private var awaitsAnswer: Bool

  init(
    target: ListStreamTarget<SectionID, ItemID, Content>, version: ListStreamVersion?,
    window: ListStreamWindow?
  ) {
    self.target = target
    cursor = target.state.withLock {
      $0.subscriberCount += 1
      return $0.cursor(since: version, epoch: target.options.epoch)
    }
    // Windows are for streams that can load the rows outside them.
    cursor.window = target.load == nil ? nil : window
    awaitsAnswer = cursor.sequence != nil
  }

  deinit {
    target.state.withLock { $0.subscriberCount -= 1 }
  }

  nonisolated(nonsending) func next(wantsHeartbeat: Bool) async -> Event {
    while !Task.isCancelled {
      let answer = target.state.withLock { state in state.next(&cursor) }
      switch answer {
      case .frame(let frame):
        awaitsAnswer = false
        return .frame(frame)
      case .finished:
        return .finished
      case .encode(let material):
        guard let frame = await encode(material) else { continue }
        cursor.sequence = material.sequence
        awaitsAnswer = false
        return .frame(frame)
      case .wait:
        if awaitsAnswer, wantsHeartbeat {
          awaitsAnswer = false
          return .heartbeat
        }
        if await wait(wantsHeartbeat: wantsHeartbeat) == .heartbeat { return .heartbeat }
      }
    }
    return .finished
  }

  /// Makes a snapshot frame for this reader and all who need the same, or returns `nil` if contents can't be loaded:
  /// then readers are notified, and it is tried again after a while.
  private nonisolated(nonsending) func encode(_ material: State.Material) async -> ListStreamFrame? {
    do {
      let frame = try await target.snapshotFrame(material)
      let isOver = cursor.hasTrouble
      cursor.hasTrouble = false
      target.resume(target.state.withLock { $0.takeSnapshotFrame(frame, window: material.window) })
      if isOver { target.recover() }
      return frame
    } catch {
      target.resume(target.state.withLock { $0.abandonSnapshotFrame(window: material.window) })
      if Task.isCancelled { return nil }
      cursor.hasTrouble = true
      target.fail(target.options.failureMessage(error))
      try? await target.clock.sleep(for: .seconds(1))
      return nil
    }
  }

  private nonisolated(nonsending) func wait(wantsHeartbeat: Bool) async -> StreamWaiters.Wake {
    if wantsHeartbeat { target.beat() }
    let target = target
    let cursor = cursor
    let ticket = target.state.withLock { $0.waiters.ticket() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: #isolation) { (waiter: State.Waiter) in
        // Asked under the lock: a cancellation from now on finds the ticket.
        let back = target.state.withLock { state in
          Task.isCancelled
            ? waiter : state.wait(waiter, ticket: ticket, cursor: cursor, wantsHeartbeat: wantsHeartbeat)
        }
        back?.resume(returning: .ask)
      }
    } onCancel: {
      target.state.withLock { $0.waiters.remove(ticket) }?.resume(returning: .ask)
    }
  }
}

extension ListStreamTarget {
  /// Starts the beat of all readers, if it does not beat already. It stops when nobody waits for it.
  func beat() {
    guard state.withLock({ $0.waiters.startBeating() }) else { return }
    // A reader hears from us when it waited through a whole beat, so at the latest after two.
    let interval = options.heartbeat / 2
    let clock = clock
    Task { [weak self] in
      while true {
        try? await clock.sleep(for: interval)
        guard let waiters = self?.state.withLock({ $0.waiters.tick() }) else { return }
        for waiter in waiters { waiter.resume(returning: .heartbeat) }
      }
    }
  }
}

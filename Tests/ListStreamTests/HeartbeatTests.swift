import ListSources
import ListStream
import Snapshots
import Synchronization
import Testing

/// A clock that goes when it is told to.
final class HandClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration = .zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct State {
    var now = Instant()
    var sleepers: [(until: Instant, waiter: CheckedContinuation<Void, Never>)] = []
    var expecting: CheckedContinuation<Void, Never>?
    var isOver = false
  }

  private let state = Mutex(State())
  var now: Instant { state.withLock { $0.now } }
  let minimumResolution: Duration = .zero

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    await withCheckedContinuation { waiter in
      let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
        if deadline <= state.now { return waiter }
        state.sleepers.append((deadline, waiter))
        defer { state.expecting = nil }
        return state.expecting
      }
      ready?.resume()
    }
  }

  /// Waits until somebody sleeps, and answers whether anybody still will.
  func someoneSleeps() async -> Bool {
    await withCheckedContinuation { waiter in
      let isReady = state.withLock { state in
        if !state.sleepers.isEmpty || state.isOver { return true }
        state.expecting = waiter
        return false
      }
      if isReady { waiter.resume() }
    }
    return !state.withLock { $0.isOver }
  }

  /// Says that nobody will sleep any more.
  func end() {
    state.withLock { state in
      state.isOver = true
      defer { state.expecting = nil }
      return state.expecting
    }?.resume()
    advance(by: .seconds(1_000_000))
  }

  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.until <= state.now }
      state.sleepers.removeAll { $0.until <= state.now }
      return due
    }
    for sleeper in due { sleeper.waiter.resume() }
  }
}

@Suite("Heartbeat")
struct HeartbeatTests {
  @Test("A stream that has nothing to say beats within its time, and goes on beating")
  func beats() async throws {
    let clock = HandClock()
    let list = StreamedList(ListStreamOptions(epoch: "e", heartbeat: .seconds(15)), clock: clock)
    try await list.show([("", [1])])
    let target = list.target
    let reading = Task {
      var events = target.events().makeAsyncIterator()
      var beats = 0
      _ = await events.next()
      while beats < 3, let event = await events.next() {
        if event == ListStreamFrame.alive(every: .seconds(15)) { beats += 1 }
      }
      clock.end()
      return beats
    }
    var steps = 0
    while await clock.someoneSleeps() {
      clock.advance(by: .milliseconds(7500))
      steps += 1
    }
    // A reader hears from us after two half times at the latest, plus the beat in which it asked.
    #expect(await reading.value == 3)
    #expect(steps >= 3 && steps <= 9)
  }

  @Test("A heartbeat says after how many seconds the next one comes at the latest")
  func saysHowOften() {
    for (interval, said) in [
      (.seconds(5), 5), (.milliseconds(7500), 8), (.seconds(60), 60), (.milliseconds(20), 2), (.zero, 2),
    ] as [(Duration, Int)] {
      let text = String(decoding: ListStreamFrame.alive(every: interval), as: UTF8.self)
      #expect(text == "event: alive\ndata: \(said)\n\n")
    }
  }

  @Test("Streams of frames have no heartbeats, so nothing sleeps for them")
  func framesDoNotBeat() async throws {
    let clock = HandClock()
    let list = StreamedList(ListStreamOptions(epoch: "e"), clock: clock)
    try await list.show([("", [1])])
    var frames = list.target.frames(since: ListStreamVersion("e.0")).makeAsyncIterator()
    let target = list.target
    let reading = Task {
      var frames = target.frames(since: ListStreamVersion("e.0")).makeAsyncIterator()
      return await frames.next()?.kind
    }
    try await list.show([("", [2])])
    #expect(await frames.next()?.kind == .change)
    #expect(await reading.value == .change)
  }
}

internal import Snapshots

/// The recent changes of a stream: frames that follow one another, and the list that each starts from.
struct FrameRing<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// How many frames are kept.
  let capacity: Int
  /// How many bytes of frames are kept. The last frame is kept whatever its size.
  let byteCapacity: Int
  /// The state that the first frame starts from.
  private(set) var start = 0

  /// The frames. Each starts from the state where the one before it ended.
  private var frames: [ListStreamFrame] = []
  /// The lists that the frames start from. They share most of what they are made of.
  private var past: [DiffableSnapshot<SectionID, ItemID>] = []
  private var bytes = 0

  init(capacity: Int, byteCapacity: Int) {
    self.capacity = max(1, capacity)
    self.byteCapacity = max(1, byteCapacity)
  }

  /// The state that the last frame leads to.
  var end: Int { start + frames.count }

  /// Whether frames lead from a state to the present one.
  func leads(from sequence: Int) -> Bool { (start...end).contains(sequence) }

  /// Forgets all frames: what comes next starts from a state to which none of them leads.
  mutating func restart(at sequence: Int) {
    frames = []
    past = []
    bytes = 0
    start = sequence
  }

  /// Adds a frame, and forgets the oldest ones for which there is no room any more.
  mutating func append(_ frame: ListStreamFrame, from snapshot: DiffableSnapshot<SectionID, ItemID>) {
    frames.append(frame)
    past.append(snapshot)
    bytes += frame.serverSentEvent.count
    var excess = 0
    while frames.count - excess > capacity || (bytes > byteCapacity && frames.count - excess > 1) {
      bytes -= frames[excess].serverSentEvent.count
      excess += 1
    }
    frames.removeFirst(excess)
    past.removeFirst(excess)
    start += excess
  }

  /// The frame that starts from a state, if there is one.
  func frame(from sequence: Int) -> ListStreamFrame? {
    (start..<end).contains(sequence) ? frames[sequence - start] : nil
  }

  /// The list that a frame starts from, if there is one.
  func snapshot(at sequence: Int) -> DiffableSnapshot<SectionID, ItemID>? {
    (start..<end).contains(sequence) ? past[sequence - start] : nil
  }

  /// Whether the frames from a state on have so many bytes at most.
  ///
  /// - Complexity: O(*k*) for the *k* frames that fit.
  func fits(from sequence: Int, bytes limit: Int) -> Bool {
    guard leads(from: sequence) else { return false }
    var bytes = 0
    for frame in frames[(sequence - start)...] {
      bytes += frame.serverSentEvent.count
      if bytes > limit { return false }
    }
    return true
  }
}

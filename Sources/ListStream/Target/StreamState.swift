internal import HashTreeCollections
internal import Snapshots

/// The state of a stream, without locks and tasks: the list, the recent frames, and the waiting readers.
struct StreamState<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The state that a reader has reached.
  struct Cursor: Sendable {
    /// The state it is at, or `nil` if it needs a snapshot.
    var sequence: Int?
    /// The last failure it was told of.
    var failure = 0
    /// The rows of a long list that it wants, or `nil` for the whole.
    var window: ListStreamWindow?
    /// Whether it could not load what it needs for a snapshot.
    var hasTrouble = false
  }

  /// The answer to a reader that asks for the next frame.
  enum Answer {
    /// A frame.
    case frame(ListStreamFrame)
    /// Nothing yet; it has to wait.
    case wait
    /// A snapshot, which the reader has to encode for itself and for all others who need the same now.
    case encode(Material)
    /// The stream is over.
    case finished
  }

  /// The parts of a snapshot frame.
  struct Material: Sendable {
    var snapshot: DiffableSnapshot<SectionID, ItemID>
    var contents: TreeDictionary<ItemID, [UInt8]>
    var sequence: Int
    var acts: [String]
    /// The rows to send; `nil` for the whole list.
    var window: ListStreamWindow?
    /// The positions of these rows.
    var positions: Range<Int>
  }

  /// The reason for which a waiting reader is resumed.
  enum Wake: Sendable {
    case ask
    case heartbeat
  }

  typealias Waiter = CheckedContinuation<Wake, Never>

  let capacity: Int
  let byteCapacity: Int
  /// The longest list that readers with a window get whole.
  let longestWhole: Int
  let largestWindow: Int
  /// Whether contents are kept here, or loaded by those who need them.
  let keepsContents: Bool
  private(set) var snapshot = DiffableSnapshot<SectionID, ItemID>()
  /// The encoded contents of the items.
  private(set) var contents = TreeDictionary<ItemID, [UInt8]>()
  /// The present state, or `nil` before the first.
  private(set) var sequence: Int?
  private(set) var isFinished = false

  /// Recent changes; each starts from where the one before it ended.
  private var ring: [ListStreamFrame] = []
  /// The lists that the frames of the ring start from. They share most of what they are made of.
  private var past: [DiffableSnapshot<SectionID, ItemID>] = []
  /// The state that the first frame of the ring starts from.
  private var ringStart = 0
  private var ringBytes = 0
  private var acts: [String] = []

  /// A snapshot frame that, with the changes in the ring, leads to the present state.
  private var cached: ListStreamFrame?
  private var isEncoding = false
  /// The same for windows of long lists.
  private var cachedWindows: [ListStreamWindow: ListStreamFrame] = [:]

  private var failure: (frame: ListStreamFrame, message: String)?
  private var failureCount = 0
  private var recovery: ListStreamFrame?

  private var waiters: [Int: (waiter: Waiter, beat: Int?)] = [:]
  private var lastTicket = 0
  private var beat = 0
  var isBeating = false
  var subscriberCount = 0

  /// - Parameter acts: The newest acts of before, which the first list has.
  init(
    capacity: Int, byteCapacity: Int, longestWhole: Int, largestWindow: Int, keepsContents: Bool,
    acts: [String] = []
  ) {
    self.capacity = max(1, capacity)
    self.acts = acts.suffix(self.capacity)
    self.byteCapacity = max(1, byteCapacity)
    self.longestWhole = longestWhole
    self.largestWindow = largestWindow
    self.keepsContents = keepsContents
  }

  // MARK: Writing

  /// Takes a reload. Readers get a snapshot.
  mutating func reload(
    _ snapshot: DiffableSnapshot<SectionID, ItemID>, contents: TreeDictionary<ItemID, [UInt8]>, acts: [String]
  ) -> [Waiter] {
    let next = (sequence ?? -1) + 1
    sequence = next
    self.snapshot = snapshot
    self.contents = contents
    ring = []
    past = []
    ringStart = next
    ringBytes = 0
    cached = nil
    cachedWindows = [:]
    remember(acts)
    clearFailure()
    return wakeAll()
  }

  /// Takes a change. The frame starts from the present state and leads to the next.
  mutating func append(
    _ frame: ListStreamFrame, snapshot: DiffableSnapshot<SectionID, ItemID>, deleted: some Sequence<ItemID>,
    contents changed: [(ItemID, [UInt8])], acts: [String]
  ) -> [Waiter] {
    guard let sequence else { return [] }
    self.sequence = sequence + 1
    past.append(self.snapshot)
    self.snapshot = snapshot
    if keepsContents {
      for item in deleted { contents.removeValue(forKey: item) }
      for (item, bytes) in changed { contents[item] = bytes }
    }
    ring.append(frame)
    ringBytes += frame.serverSentEvent.count
    trim()
    remember(acts)
    clearFailure()
    return wakeAll()
  }

  mutating func fail(_ frame: ListStreamFrame, message: String) -> [Waiter] {
    if failure?.message == message { return [] }
    failure = (frame, message)
    recovery = nil
    failureCount += 1
    return wakeAll()
  }

  mutating func recover(_ frame: ListStreamFrame) -> [Waiter] {
    guard failure != nil else { return [] }
    failure = nil
    recovery = frame
    failureCount += 1
    return wakeAll()
  }

  mutating func finish() -> [Waiter] {
    isFinished = true
    return wakeAll()
  }

  private mutating func clearFailure() {
    // The frame that comes now says by itself that the trouble is over.
    failure = nil
    recovery = nil
  }

  private mutating func trim() {
    var excess = 0
    while ring.count - excess > capacity || (ringBytes > byteCapacity && ring.count - excess > 1) {
      ringBytes -= ring[excess].serverSentEvent.count
      excess += 1
    }
    guard excess > 0 else { return }
    ring.removeFirst(excess)
    past.removeFirst(excess)
    ringStart += excess
    if let version = cached?.version, version.sequence < ringStart { cached = nil }
    cachedWindows = cachedWindows.filter { ($0.value.version?.sequence ?? 0) >= ringStart }
  }

  private mutating func remember(_ acts: [String]) {
    self.acts += acts
    if self.acts.count > 2 * capacity { self.acts.removeFirst(self.acts.count - capacity) }
  }

  // MARK: Reading

  /// Where a reader starts that says which version it has.
  func cursor(since version: ListStreamVersion?, epoch: String) -> Cursor {
    guard let version, version.epoch == epoch, let sequence,
      (ringStart...sequence).contains(version.sequence)
    else { return Cursor() }
    return Cursor(sequence: version.sequence)
  }

  /// The list as it was in a state, if a reader could be led on from there.
  func snapshot(at sequence: Int) -> DiffableSnapshot<SectionID, ItemID>? {
    if sequence == self.sequence { return snapshot }
    return isInRing(sequence) ? past[sequence - ringStart] : nil
  }

  /// Returns the next answer for a reader. If it is a frame, the cursor is behind it.
  mutating func next(_ cursor: inout Cursor) -> Answer {
    if isFinished { return .finished }
    guard let sequence else { return failureAnswer(&cursor) ?? .wait }
    if let own = cursor.sequence {
      if own == sequence { return failureAnswer(&cursor) ?? .wait }
      if own >= ringStart, own < sequence {
        cursor.sequence = own + 1
        return .frame(ring[own - ringStart])
      }
    }
    // It has nothing, or fell behind the ring. If it can't have the list either, it is told why.
    if cursor.hasTrouble, let answer = failureAnswer(&cursor) { return answer }
    let window = window(of: cursor)
    let ready = window.map { cachedWindows[$0] } ?? cached
    if let ready, let version = ready.version, isWorthwhile(ready) {
      cursor.sequence = version.sequence
      return .frame(ready)
    }
    var material = Material(
      snapshot: snapshot, contents: contents, sequence: sequence, acts: acts.suffix(capacity),
      positions: 0..<snapshot.numberOfItems)
    if let window {
      material.window = window
      material.positions = window.positions(in: snapshot.numberOfItems, limit: largestWindow)
      return .encode(material)
    }
    // The whole list, once for all who need it.
    if isEncoding { return .wait }
    isEncoding = true
    return .encode(material)
  }

  /// The window that a reader is given; `nil` for the whole list.
  private func window(of cursor: Cursor) -> ListStreamWindow? {
    snapshot.numberOfItems > longestWhole ? cursor.window : nil
  }

  /// Takes a snapshot frame that a reader encoded.
  mutating func takeSnapshotFrame(_ frame: ListStreamFrame, window: ListStreamWindow?) -> [Waiter] {
    // If a reload came in between, or the ring turned over, the frame leads nowhere any more.
    let leadsHere = frame.version.map { isInRing($0.sequence) } ?? false
    if let window {
      if cachedWindows.count >= 16 { cachedWindows = [:] }
      if leadsHere { cachedWindows[window] = frame }
      return []
    }
    isEncoding = false
    if leadsHere { cached = frame }
    return wakeAll()
  }

  /// A reader that was to encode a snapshot frame could not.
  mutating func abandonSnapshotFrame(window: ListStreamWindow?) -> [Waiter] {
    if window != nil { return [] }
    isEncoding = false
    return wakeAll()
  }

  private func isInRing(_ sequence: Int) -> Bool {
    guard let now = self.sequence else { return false }
    return (ringStart...now).contains(sequence)
  }

  /// Whether an older snapshot and the changes since are less to send than a new snapshot would be.
  private func isWorthwhile(_ frame: ListStreamFrame) -> Bool {
    guard let version = frame.version, version.sequence >= ringStart else { return false }
    var bytes = 0
    for change in ring[(version.sequence - ringStart)...] {
      bytes += change.serverSentEvent.count
      if bytes > frame.serverSentEvent.count / 4 + 1024 { return false }
    }
    return true
  }

  private func failureAnswer(_ cursor: inout Cursor) -> Answer? {
    guard cursor.failure != failureCount else { return nil }
    let isNew = cursor.failure == 0
    cursor.failure = failureCount
    if let failure { return .frame(failure.frame) }
    // A reader that got no failure needs no recovery.
    if let recovery, !isNew { return .frame(recovery) }
    return nil
  }

  // MARK: Waiting

  /// A number for a reader that is about to wait.
  mutating func ticket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  /// Lets a reader wait, unless there is something for it by now: then it is given back.
  mutating func wait(_ waiter: Waiter, ticket: Int, cursor: Cursor, wantsHeartbeat: Bool) -> Waiter? {
    if hasNews(for: cursor) { return waiter }
    waiters[ticket] = (waiter, wantsHeartbeat ? beat : nil)
    return nil
  }

  private func hasNews(for cursor: Cursor) -> Bool {
    if isFinished || (cursor.failure != failureCount && (failure != nil || recovery != nil)) { return true }
    guard let sequence else { return false }
    if let own = cursor.sequence, (ringStart...sequence).contains(own) { return own != sequence }
    return !isEncoding || window(of: cursor) != nil
  }

  /// Takes back a reader that waits, because its task was cancelled.
  mutating func cancel(_ ticket: Int) -> Waiter? {
    waiters.removeValue(forKey: ticket)?.waiter
  }

  /// One beat: those who have waited since before the last one. `nil` if nobody waits for a heartbeat any more.
  mutating func tick() -> [Waiter]? {
    let due = waiters.filter { $0.value.beat.map { $0 < beat } ?? false }
    beat += 1
    for ticket in due.keys { waiters[ticket] = nil }
    if due.isEmpty, !waiters.values.contains(where: { $0.beat != nil }) {
      isBeating = false
      return nil
    }
    return due.values.map(\.waiter)
  }

  private mutating func wakeAll() -> [Waiter] {
    let all = waiters.values.map(\.waiter)
    waiters = [:]
    return all
  }
}

internal import HashTreeCollections
internal import Snapshots

/// The state of a stream, without locks and tasks: the list, the recent frames, and the waiting readers.
struct StreamState<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The state that a reader has reached.
  struct Cursor: Sendable {
    /// The state it is at, or `nil` if it needs a snapshot.
    var sequence: Int?
    /// The last failure that it has received.
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
    var mutationIDs: [String]
    /// The rows to send; `nil` for the whole list.
    var window: ListStreamWindow?
    /// The positions of these rows.
    var positions: Range<Int>
  }

  typealias Waiter = StreamWaiters.Waiter

  /// The longest list of which each snapshot is encoded as the list is: it takes milliseconds.
  private static var maximumEncodedAnew: Int { 10_000 }

  /// The longest list that readers with a window get whole.
  let maximumWhole: Int
  let maximumWindow: Int
  /// Whether contents are kept here, or loaded by those who need them.
  let keepsContents: Bool
  private(set) var snapshot = DiffableSnapshot<SectionID, ItemID>()
  /// The encoded contents of the items.
  private(set) var contents = TreeDictionary<ItemID, [UInt8]>()
  /// The present state, or `nil` before the first.
  private(set) var sequence: Int?
  private(set) var isFinished = false

  private var ring: FrameRing<SectionID, ItemID>
  private var mutationIDs: [String]

  /// A snapshot frame that, with the changes in the ring, leads to the present state.
  private var cached: ListStreamFrame?
  private var isEncoding = false
  /// The same for windows of long lists.
  private var cachedWindows: [ListStreamWindow: ListStreamFrame] = [:]

  private var failure = StreamFailure()
  var waiters = StreamWaiters()
  var subscriberCount = 0

  /// - Parameter mutationIDs: The newest mutationIDs of before, which the first list has.
  init(
    capacity: Int, byteCapacity: Int, maximumWhole: Int, maximumWindow: Int, keepsContents: Bool,
    mutationIDs: [String] = []
  ) {
    ring = FrameRing(capacity: capacity, byteCapacity: byteCapacity)
    self.mutationIDs = mutationIDs.suffix(ring.capacity)
    self.maximumWhole = maximumWhole
    self.maximumWindow = maximumWindow
    self.keepsContents = keepsContents
  }

  // MARK: Writing

  /// Takes a reload. Readers get a snapshot.
  mutating func reload(
    _ snapshot: DiffableSnapshot<SectionID, ItemID>, contents: TreeDictionary<ItemID, [UInt8]>,
    mutationIDs: [String]
  ) -> [Waiter] {
    let next = (sequence ?? -1) + 1
    sequence = next
    self.snapshot = snapshot
    self.contents = contents
    ring.restart(at: next)
    cached = nil
    cachedWindows = [:]
    remember(mutationIDs)
    failure.clear()
    return waiters.removeAll()
  }

  /// Takes a change. The frame starts from the present state and leads to the next.
  mutating func append(
    _ frame: ListStreamFrame, snapshot: DiffableSnapshot<SectionID, ItemID>, deleted: some Sequence<ItemID>,
    contents changed: [(ItemID, [UInt8])], mutationIDs: [String]
  ) -> [Waiter] {
    guard let sequence else { return [] }
    self.sequence = sequence + 1
    ring.append(frame, from: self.snapshot)
    self.snapshot = snapshot
    if keepsContents {
      for item in deleted { contents.removeValue(forKey: item) }
      for (item, bytes) in changed { contents[item] = bytes }
    }
    if let version = cached?.version, !ring.leads(from: version.sequence) { cached = nil }
    cachedWindows = cachedWindows.filter { ring.leads(from: $0.value.version?.sequence ?? 0) }
    remember(mutationIDs)
    failure.clear()
    return waiters.removeAll()
  }

  mutating func fail(_ frame: ListStreamFrame, message: String) -> [Waiter] {
    failure.fail(frame, message: message) ? waiters.removeAll() : []
  }

  mutating func recover(_ frame: ListStreamFrame) -> [Waiter] {
    failure.recover(frame) ? waiters.removeAll() : []
  }

  mutating func finish() -> [Waiter] {
    isFinished = true
    return waiters.removeAll()
  }

  private mutating func remember(_ mutationIDs: [String]) {
    self.mutationIDs += mutationIDs
    if self.mutationIDs.count > 2 * ring.capacity {
      self.mutationIDs.removeFirst(self.mutationIDs.count - ring.capacity)
    }
  }

  // MARK: Reading

  /// Where a reader starts that says which version it has.
  func cursor(since version: ListStreamVersion?, epoch: String) -> Cursor {
    guard let version, version.epoch == epoch, isReached(from: version.sequence) else { return Cursor() }
    return Cursor(sequence: version.sequence)
  }

  /// The list as it was in a state, if a reader could be led on from there.
  func snapshot(at sequence: Int) -> DiffableSnapshot<SectionID, ItemID>? {
    sequence == self.sequence ? snapshot : ring.snapshot(at: sequence)
  }

  /// Returns the next answer for a reader. If it is a frame, the cursor is behind it.
  mutating func next(_ cursor: inout Cursor) -> Answer {
    if isFinished { return .finished }
    guard let sequence else { return failureAnswer(&cursor) ?? .wait }
    if let own = cursor.sequence {
      if own == sequence { return failureAnswer(&cursor) ?? .wait }
      if let frame = ring.frame(from: own) {
        cursor.sequence = own + 1
        return .frame(frame)
      }
    }
    // It has nothing, or fell behind the ring. If it can't have the list either, it receives the reason.
    if cursor.hasTrouble, let answer = failureAnswer(&cursor) { return answer }
    let window = window(of: cursor)
    let ready = window.map { cachedWindows[$0] } ?? cached
    if let ready, let version = ready.version, isWorthwhile(ready, window: window) {
      cursor.sequence = version.sequence
      return .frame(ready)
    }
    var material = Material(
      snapshot: snapshot, contents: contents, sequence: sequence,
      mutationIDs: mutationIDs.suffix(ring.capacity),
      positions: 0..<snapshot.numberOfItems)
    if let window {
      material.window = window
      material.positions = window.positions(in: snapshot.numberOfItems, limit: maximumWindow)
      return .encode(material)
    }
    // The whole list, once for all who need it.
    if isEncoding { return .wait }
    isEncoding = true
    return .encode(material)
  }

  /// The window that a reader is given; `nil` for the whole list.
  private func window(of cursor: Cursor) -> ListStreamWindow? {
    snapshot.numberOfItems > maximumWhole ? cursor.window : nil
  }

  /// Takes a snapshot frame that a reader encoded.
  mutating func takeSnapshotFrame(_ frame: ListStreamFrame, window: ListStreamWindow?) -> [Waiter] {
    // If a reload came in between, or the ring turned over, the frame leads nowhere any more.
    let leadsHere = frame.version.map { isReached(from: $0.sequence) } ?? false
    if let window {
      if cachedWindows.count >= 16 { cachedWindows = [:] }
      if leadsHere { cachedWindows[window] = frame }
      return []
    }
    isEncoding = false
    if leadsHere { cached = frame }
    return waiters.removeAll()
  }

  /// A reader that was to encode a snapshot frame could not.
  mutating func abandonSnapshotFrame(window: ListStreamWindow?) -> [Waiter] {
    if window != nil { return [] }
    isEncoding = false
    return waiters.removeAll()
  }

  /// Whether a reader at a state can be led on to the present one.
  private func isReached(from sequence: Int) -> Bool { self.sequence != nil && ring.leads(from: sequence) }

  /// Whether a snapshot frame is of the present state, or of a list that is so long that an older one and the changes since are
  /// less work than a new one. What an older one shows is seen before the changes come.
  private func isWorthwhile(_ frame: ListStreamFrame, window: ListStreamWindow?) -> Bool {
    guard let version = frame.version else { return false }
    if version.sequence == sequence { return true }
    return window == nil && snapshot.numberOfItems > Self.maximumEncodedAnew
      && ring.fits(from: version.sequence, bytes: frame.serverSentEvent.count / 4 + 1024)
  }

  private func failureAnswer(_ cursor: inout Cursor) -> Answer? {
    failure.frame(after: &cursor.failure).map { .frame($0) }
  }

  // MARK: Waiting

  /// Lets a reader wait, unless there is something for it by now: then it is given back.
  mutating func wait(_ waiter: Waiter, ticket: Int, cursor: Cursor, wantsHeartbeat: Bool) -> Waiter? {
    if hasPendingChange(for: cursor) { return waiter }
    waiters.add(waiter, ticket: ticket, wantsHeartbeat: wantsHeartbeat)
    return nil
  }

  private func hasPendingChange(for cursor: Cursor) -> Bool {
    if isFinished || failure.hasChanged(after: cursor.failure) { return true }
    guard let sequence else { return false }
    if let own = cursor.sequence, ring.leads(from: own) { return own != sequence }
    return !isEncoding || window(of: cursor) != nil
  }
}

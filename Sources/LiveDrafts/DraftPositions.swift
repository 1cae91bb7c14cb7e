import LiveStore

/// The positions that a draft gives to what it notifies, and to what is read through it.
///
/// A commit of the store keeps its distance to the commits before it: its position is the store's, moved on by as much as edits have
/// taken up so far. While nothing was edited, positions are the store's own.
///
/// ```
///  store   7     8           9
///  draft   7     8  9  10    12      an edit comes behind all that was given out before; the next commit behind it
///                   ▲  ▲      ▲
///                 edits    shift = 3
/// ```
///
/// A read is as of the store's position, moved in the same way, unless there was an edit while it was under way: then it is as
/// of before that. What it has seen beyond its position it will be notified of again, and rows are values: the list ends as it
/// would have.
struct DraftPositions: Sendable {
  /// The store's last commit that was notified.
  private(set) var notified: UInt64 = 0
  /// How far positions are beyond the store's.
  private(set) var shift: UInt64 = 0
  /// The last position of a notification.
  private(set) var last: UInt64 = 0
  private var wasEdit = false
  /// The last position that was given to anything.
  private var given: UInt64 = 0
  private var reads: [Int: Read] = [:]
  private var nextRead = 0

  private struct Read: Sendable {
    var shift: UInt64
    var last: UInt64
    var notified: UInt64
    /// The first position that belongs to an edit after the read began.
    var firstEdit: UInt64?
    var hasPending: Bool
  }

  /// Notes a commit of the store.
  /// - Returns: Its position.
  mutating func commit(at store: UInt64) -> FetchPosition {
    var position = store + shift
    // Commits of several tables may be notified out of order, and a commit in several notifications.
    if position < last || position == last && wasEdit {
      position = last + 1
      shift = position - store
    }
    notified = max(notified, store)
    if notified + shift < position { shift = position - notified }
    (last, wasEdit) = (position, false)
    given = max(given, position)
    return FetchPosition(position)
  }

  /// Notes an edit.
  /// - Returns: Its position, behind all that was given out before.
  mutating func edit() -> FetchPosition {
    let position = max(last, given, notified + shift) + 1
    shift = position - notified
    (last, wasEdit) = (position, true)
    given = position
    for read in reads.keys where reads[read]?.firstEdit == nil { reads[read]?.firstEdit = position }
    return FetchPosition(position)
  }

  /// Notes that a read begins.
  /// - Parameter hasPending: Whether rows are merged into it.
  /// - Returns: A number to end it by.
  mutating func beginRead(hasPending: Bool) -> Int {
    nextRead += 1
    reads[nextRead] = Read(shift: shift, last: last, notified: notified, hasPending: hasPending)
    return nextRead
  }

  /// Notes that a read has ended.
  /// - Parameter store: The store's position that it is as of; nil when it has failed.
  /// - Returns: The position that it is as of.
  mutating func endRead(_ number: Int, at store: UInt64?) -> FetchPosition {
    guard let read = reads.removeValue(forKey: number), let store else { return FetchPosition(last) }
    // With rows merged in, all that was notified since the read began may be missing in those.
    var position = read.hasPending ? read.last : store + read.shift
    // The store read what was before commits that it had notified already: those have to be taken again.
    if store < read.notified { position = min(position, store) }
    if let first = read.firstEdit { position = min(position, first - 1) }
    given = max(given, position)
    return FetchPosition(position)
  }
}

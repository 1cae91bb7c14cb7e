package import LiveStore
import Synchronization

/// A note of how a save finds a row (as its draft expects it, or as others have left it without the draft's having been told), and of how it
/// leaves the row.
///
/// It is no part of what a change is: all are equal.
package struct RowWitness: Sendable, Hashable {
  /// The row that a save has found.
  package enum Found: Sendable {
    case expected
    /// Another row; nil where there is none.
    case other([String: FetchValue]?)
  }

  /// The row that a save has left.
  package enum Left: Sendable {
    /// The store has noted nothing.
    case unknown
    /// The row; nil where there is none any more.
    case known([String: FetchValue]?)
  }

  private final class Note: Sendable {
    let expected: [String: FetchValue]?
    let found = Mutex(Found.expected)
    let left = Mutex(Left.unknown)
    init(_ expected: [String: FetchValue]?) { self.expected = expected }
  }

  private let note: Note

  /// - Parameter row: The row as the draft takes it to be; nil where it takes it to be missing.
  package init(expecting row: [String: FetchValue]?) { note = Note(row) }

  /// The row as it was found last, within the transaction of the save.
  package var found: Found { note.found.withLock { $0 } }

  /// The row as the save has left it, at the end of its transaction.
  package var left: Left { note.left.withLock { $0 } }

  func leave(_ row: FetchRow?) {
    let values = row?.storedValues
    note.left.withLock { $0 = .known(values) }
  }

  func see(_ row: FetchRow?) {
    let found: Found
    switch (row, note.expected) {
    case (nil, nil): found = .expected
    case (nil, _?): found = .other(nil)
    case (let row?, let expected):
      // All values at once: each by itself would be looked for among the names of all.
      let values = row.storedValues
      let isExpected = expected?.allSatisfy { column, value in values[column]?.isStored(like: value) ?? true }
      found = isExpected == true ? .expected : .other(values)
    }
    note.found.withLock { $0 = found }
  }

  package static func == (_: Self, _: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// A set of a table's columns, by their numbers.
///
/// Bit *n* stands for column *n*. Bit 63 stands for every column from number 63 on: so a set of the columns of any table is
/// one word, and in a table of more than 64 columns the last ones are no longer distinguished. Whoever asks for one of them
/// is answered for all of them.
public struct ColumnSet: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt64

  /// Creates a set from its bits.
  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Creates the set of one column, or of all from number 63 on.
  /// - Parameter column: The column's number in its table.
  @inlinable
  public init(column: Int) { rawValue = 1 << UInt64(min(column, 63)) }

  /// All columns.
  @inlinable public static var all: Self { Self(rawValue: .max) }

  /// Returns whether a column is in the set. From number 63 on: whether any of those columns may be.
  /// - Parameter column: The column's number in its table.
  @inlinable
  public func mayContain(column: Int) -> Bool { contains(Self(column: column)) }
}

/// The effect that one or several commits had on a row of a table.
///
/// Each case is a statement about the row before and after. A store that is not certain of it says ``unknown``, which is
/// always true.
public enum RowChange: Hashable, Sendable {
  /// The row was not there, and is.
  case inserted
  /// The row was there, and is no more.
  case deleted
  /// The row was there and is; at most these columns differ. After a deletion and an insertion that is all of them.
  case updated(ColumnSet)
  /// The row was neither there before nor is it after: it was inserted and deleted again.
  case insertedAndDeleted
  /// The row may be another or none, before and after.
  case unknown

  /// Returns the effect of this change and a later one together.
  ///
  /// Two changes that cannot follow one another, such as two insertions, are ``unknown`` together: one of them was taken
  /// back without a word, as by a savepoint.
  @inlinable
  public func merged(with later: RowChange) -> RowChange {
    switch (self, later) {
    case (.updated(let a), .updated(let b)): .updated(a.union(b))
    case (.inserted, .updated), (.insertedAndDeleted, .inserted): .inserted
    case (.updated, .deleted), (.deleted, .insertedAndDeleted): .deleted
    case (.deleted, .inserted): .updated(.all)
    case (.inserted, .deleted), (.insertedAndDeleted, .insertedAndDeleted): .insertedAndDeleted
    default: .unknown
    }
  }

  /// Returns the change as far as it agrees with whether the row is there now.
  package func agreeing(withPresence isThere: Bool) -> RowChange {
    switch self {
    case .inserted, .updated: isThere ? self : .unknown
    case .deleted, .insertedAndDeleted: isThere ? .unknown : self
    case .unknown: .unknown
    }
  }

  /// The change with nothing said of columns: for where their numbers are no longer those of the table.
  @usableFromInline
  var ofAnyColumns: RowChange {
    if case .updated = self { .updated(.all) } else { self }
  }
}

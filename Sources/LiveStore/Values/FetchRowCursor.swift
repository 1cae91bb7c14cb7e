/// The rows of a read, one after another.
///
/// A cursor is used by one thread, within the call that hands it over.
public protocol FetchRowCursor: AnyObject {
  /// Goes to the next row.
  /// - Returns: The row's columns, valid until the next call; nil when there is no further row.
  func next() throws -> FetchRawRow?
}

/// The kinds of stored values.
public enum FetchValueKind: UInt8, Sendable {
  /// A whole number.
  case integer = 1
  /// A floating-point number.
  case real = 2
  /// Text.
  case text = 3
  /// Bytes.
  case blob = 4
  /// No value.
  case null = 5
}

/// A stored value where the database has it, without a copy. A store of one's own makes it by ``FetchRowBuffer``.
public struct FetchRawValue {
  /// The kind of the value.
  public var kind: FetchValueKind
  /// The number of a value that is a whole number.
  public var integer: Int64
  /// The number of a value that is a floating-point number.
  public var real: Double
  /// The bytes of a value that is bytes, or text in UTF-8. They are valid for as long as the row is.
  @usableFromInline package var bytes: UnsafeRawBufferPointer

  /// Describes a value where a cursor of this package has it. Only what goes with its kind is looked at.
  ///
  /// A number is never a NaN, and bytes stay where they are until the cursor goes to its next row.
  @inlinable
  package init(
    kind: FetchValueKind, integer: Int64 = 0, real: Double = 0,
    bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    self.kind = kind
    self.integer = integer
    self.real = real
    self.bytes = bytes
  }

  /// No value.
  @inlinable public static var null: Self { Self(kind: .null) }

  /// Calls a closure with the bytes of a value that is bytes, or text in UTF-8; with none for other values.
  /// - Parameter body: What is done with the bytes, which are not copied.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  @inlinable
  public func withBytes<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
    try body(bytes.bytes)
  }
}

/// The columns of a row where the database has them.
public struct FetchRawRow {
  @usableFromInline let columns: UnsafeBufferPointer<FetchRawValue>

  /// Hands over columns, in the order of the plan's, which are valid for as long as the row is.
  @inlinable
  package init(_ columns: UnsafeBufferPointer<FetchRawValue>) { self.columns = columns }

  /// The value of a column.
  @inlinable
  public subscript(column: Int) -> FetchRawValue { columns[column] }

  /// A copy of the value of a column.
  public func value(_ column: Int) -> FetchValue { FetchValue(columns[column]) }
}

@available(*, unavailable)
extension FetchRawRow: Sendable {}
@available(*, unavailable)
extension FetchRawValue: Sendable {}

extension FetchValue {
  /// A copy of a value.
  public init(_ raw: FetchRawValue) {
    self =
      switch raw.kind {
      case .null: .null
      case .integer: .integer(raw.integer)
      case .real: .real(raw.real)
      case .text: .text(String(decoding: raw.bytes, as: UTF8.self))
      case .blob: .blob(Array(raw.bytes))
      }
  }
}

/// Rows of copied values, as a cursor: for a store that has them in memory, or gets them one by one.
public final class ArrayCursor: FetchRowCursor {
  private let nextRow: () throws -> [FetchValue]?
  private var columnCount = 0
  private var buffer = FetchRowBuffer(columnCount: 0)

  /// Creates a cursor over rows, each with its values in the order of the plan's columns.
  public init(_ rows: [[FetchValue]]) {
    var rows = rows.makeIterator()
    nextRow = { rows.next() }
  }

  /// Creates a cursor over rows that a closure gives, one for each call.
  /// - Parameter next: Gives the next row, with its values in the order of the plan's columns; nil when there is no further
  ///   one.
  public init(next: @escaping () throws -> [FetchValue]?) { nextRow = next }

  /// Returns the next row, which is valid until the next call.
  /// - Throws: What the closure throws that gives the rows.
  public func next() throws -> FetchRawRow? {
    guard let row = try nextRow() else { return nil }
    if columnCount == row.count {
      buffer.clear()
    } else {
      columnCount = row.count
      buffer = FetchRowBuffer(columnCount: columnCount)
    }
    for (column, value) in row.enumerated() { buffer.set(value, column: column) }
    return buffer.row
  }
}

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

/// A stored value where the database has it, without a copy.
public struct FetchRawValue {
  /// The kind of the value.
  public var kind: FetchValueKind
  /// The number of a value that is a whole number.
  public var integer: Int64
  /// The number of a value that is a floating-point number.
  public var real: Double
  /// The bytes of a value that is bytes, or text in UTF-8. They are valid for as long as the row is.
  @usableFromInline package var bytes: UnsafeRawBufferPointer

  /// Describes a value where a store's cursor has it. Only what goes with its kind is looked at.
  /// - Parameters:
  ///   - kind: The kind of the value.
  ///   - integer: The number of a value that is a whole number.
  ///   - real: The number of a value that is a floating-point number; never a NaN.
  ///   - bytes: The bytes of a value that is bytes, or text. They must stay where they are until the cursor goes to its next row.
  @inlinable
  public init(
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

  /// Hands over columns.
  /// - Parameter columns: The values, in the order of the plan's columns, valid for as long as the row is.
  @inlinable
  public init(_ columns: UnsafeBufferPointer<FetchRawValue>) { self.columns = columns }

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
  // What was handed out last: it must outlive the call that asked for it.
  private var columns = UnsafeMutableBufferPointer<FetchRawValue>(start: nil, count: 0)
  private var held: [UnsafeMutableRawBufferPointer] = []

  /// Creates a cursor over rows, each with its values in the order of the plan's columns.
  public init(_ rows: [[FetchValue]]) {
    var rows = rows.makeIterator()
    nextRow = { rows.next() }
  }

  /// Creates a cursor over rows that a closure gives, one for each call.
  /// - Parameter next: Gives the next row, with its values in the order of the plan's columns; nil when there is no further
  ///   one.
  public init(next: @escaping () throws -> [FetchValue]?) { nextRow = next }

  deinit {
    free()
    columns.deallocate()
  }

  private func free() {
    for buffer in held { buffer.deallocate() }
    held.removeAll(keepingCapacity: true)
  }

  /// Returns the next row, which is valid until the next call.
  /// - Throws: What the closure throws that gives the rows.
  public func next() throws -> FetchRawRow? {
    free()
    guard let row = try nextRow() else { return nil }
    if columns.count != row.count {
      columns.deallocate()
      columns = .allocate(capacity: row.count)
      columns.initialize(repeating: .null)
    }
    for (column, value) in row.enumerated() { columns[column] = raw(value) }
    return FetchRawRow(UnsafeBufferPointer(columns))
  }

  private func raw(_ value: FetchValue) -> FetchRawValue {
    switch value {
    case .null: .null
    case .integer(let number): FetchRawValue(kind: .integer, integer: number)
    case .real(let number): FetchRawValue(kind: .real, real: number)
    case .text(let text): FetchRawValue(kind: .text, bytes: hold(Array(text.utf8)))
    case .blob(let blob): FetchRawValue(kind: .blob, bytes: hold(blob))
    }
  }

  private func hold(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    buffer.copyBytes(from: bytes)
    held.append(buffer)
    return UnsafeRawBufferPointer(buffer)
  }
}

/// The rows of a read, one after another.
///
/// A cursor is used by one thread, within the call that hands it over.
public protocol FetchRowCursor: AnyObject {
  /// Goes to the next row.
  /// - Returns: false when there is none.
  func next() throws -> Bool

  /// The kind of value in a column of the row.
  func kind(_ column: Int) -> FetchValueKind

  /// The whole number in a column that holds one.
  func integer(_ column: Int) -> Int64

  /// The number in a column that holds one.
  func real(_ column: Int) -> Double

  /// The bytes, or the UTF-8 text, in a column that holds such. They are valid until the next row.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer
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

extension FetchRowCursor {
  /// The stored value in a column of the row.
  public func value(_ column: Int) -> FetchValue {
    switch kind(column) {
    case .null: .null
    case .integer: .integer(integer(column))
    case .real: .real(real(column))
    case .text: .text(String(decoding: bytes(column), as: UTF8.self))
    case .blob: .blob(Array(bytes(column)))
    }
  }
}

/// Rows that are in memory already, as a cursor.
package final class ArrayCursor: FetchRowCursor {
  private let rows: [[FetchValue]]
  private var position = -1
  // The bytes handed out last: they must outlive the call that asked for them.
  private var held: [UnsafeMutableRawBufferPointer] = []

  package init(_ rows: [[FetchValue]]) { self.rows = rows }

  deinit { free() }

  private func free() {
    for buffer in held { buffer.deallocate() }
    held = []
  }

  package func next() -> Bool {
    free()
    position += 1
    return position < rows.count
  }

  package func kind(_ column: Int) -> FetchValueKind {
    switch rows[position][column] {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  package func integer(_ column: Int) -> Int64 {
    if case .integer(let value) = rows[position][column] { value } else { 0 }
  }

  package func real(_ column: Int) -> Double {
    switch rows[position][column] {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: 0
    }
  }

  package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let bytes: [UInt8] =
      switch rows[position][column] {
      case .text(let text): Array(text.utf8)
      case .blob(let blob): blob
      default: []
      }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    buffer.copyBytes(from: bytes)
    held.append(buffer)
    return UnsafeRawBufferPointer(buffer)
  }
}

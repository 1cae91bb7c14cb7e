/// Memory that a cursor fills with the values of one row after another.
///
/// A store whose rows do not come as arrays of ``FetchValue`` fills a buffer for each row and hands out its ``row``. Text and
/// bytes are copied into memory that the buffer keeps from row to row, so that a row costs no allocation:
///
/// ```swift
/// final class LineCursor: FetchRowCursor {
///   private var lines: ArraySlice<String>
///   private let buffer = FetchRowBuffer(columnCount: 2)
///   private var number: Int64 = 0
///
///   init(_ lines: [String]) { self.lines = lines[...] }
///
///   func next() throws -> FetchRawRow? {
///     guard let line = lines.popFirst() else { return nil }
///     number += 1
///     buffer.clear()
///     buffer.setInteger(number, column: 0)
///     buffer.setText(line, column: 1)
///     return buffer.row
///   }
/// }
/// ```
///
/// A buffer is used by one thread, as its cursor is.
public final class FetchRowBuffer {
  private let columns: UnsafeMutableBufferPointer<FetchRawValue>
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var usedCount = 0

  /// Creates a buffer for rows without values.
  /// - Parameter columnCount: The number of columns of each row.
  public init(columnCount: Int) {
    columns = .allocate(capacity: columnCount)
    columns.initialize(repeating: .null)
  }

  deinit {
    columns.deallocate()
    memory.deallocate()
  }

  /// The row as it is now, valid until the buffer is changed.
  public var row: FetchRawRow { FetchRawRow(UnsafeBufferPointer(columns)) }

  /// Begins another row, whose columns have no values yet.
  /// - Complexity: O(*c*) for *c* columns.
  public func clear() {
    columns.update(repeating: .null)
    usedCount = 0
  }

  /// Sets a column to a whole number.
  public func setInteger(_ number: Int64, column: Int) {
    columns[column] = FetchRawValue(kind: .integer, integer: number)
  }

  /// Sets a column to a floating-point number. A NaN is no value, as it is for SQLite.
  public func setReal(_ number: Double, column: Int) {
    columns[column] = number.isNaN ? .null : FetchRawValue(kind: .real, real: number)
  }

  /// Sets a column to a text.
  public func setText(_ text: String, column: Int) {
    var text = text
    text.withUTF8 { set(.text, UnsafeRawBufferPointer($0).bytes, column) }
  }

  /// Sets a column to a text in UTF-8, which is copied. What is not UTF-8 is read as U+FFFD.
  public func setText(_ utf8: RawSpan, column: Int) { set(.text, utf8, column) }

  /// Sets a column to bytes, which are copied.
  public func setBlob(_ bytes: RawSpan, column: Int) { set(.blob, bytes, column) }

  /// Sets a column to a value.
  public func set(_ value: FetchValue, column: Int) {
    switch value {
    case .null: columns[column] = .null
    case .integer(let number): setInteger(number, column: column)
    case .real(let number): setReal(number, column: column)
    case .text(let text): setText(text, column: column)
    case .blob(let bytes): bytes.withUnsafeBytes { set(.blob, $0.bytes, column) }
    }
  }

  private func set(_ kind: FetchValueKind, _ bytes: RawSpan, _ column: Int) {
    let count = bytes.byteCount
    if count > memory.count - usedCount { makeRoom(for: count) }
    let target = UnsafeMutableRawBufferPointer(rebasing: memory[usedCount..<usedCount + count])
    bytes.withUnsafeBytes { target.copyMemory(from: $0) }
    usedCount += count
    columns[column] = FetchRawValue(kind: kind, bytes: UnsafeRawBufferPointer(target))
  }

  /// Moves the row's bytes to where there is more room. Each value that lies there is told.
  private func makeRoom(for count: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(usedCount + count, 2 * memory.count, 256), alignment: 1)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<usedCount]))
    for column in columns.indices {
      guard let start = columns[column].bytes.baseAddress, let old = memory.baseAddress else { continue }
      let offset = start - UnsafeRawPointer(old)
      columns[column].bytes = UnsafeRawBufferPointer(
        rebasing: larger[offset..<offset + columns[column].bytes.count])
    }
    memory.deallocate()
    memory = larger
  }
}

@available(*, unavailable)
extension FetchRowBuffer: Sendable {}

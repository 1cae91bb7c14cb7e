import LiveFetch
import LiveListsTestSupport
import Testing
import _TestTools

@Suite("Rows of copied values")
struct ArrayCursorTests {
  @Test("A closure gives rows one by one, of any number of columns, and its error ends the reading")
  func closure() throws {
    struct Broken: Error {}
    let rows: [[FetchValue]] = [[.integer(1), .text("é")], [], [.blob([7, 0]), .real(0.5), .null]]
    var number = 0
    let cursor = ArrayCursor {
      defer { number += 1 }
      if number == rows.count { throw Broken() }
      return rows[number]
    }
    for row in rows {
      let read = try #require(try cursor.next())
      #expect(row.indices.map { read.value($0) } == row)
    }
    #expect(throws: Broken.self) { try cursor.next() }
  }

  @Test("The bytes of a value are had without a copy and without a pointer")
  func bytes() throws {
    let cursor = ArrayCursor([[.text("é"), .blob([0, 255]), .integer(5), .null]])
    let row = try #require(try cursor.next())
    func bytes(_ column: Int) -> [UInt8] {
      row[column].withBytes { span in
        span.byteOffsets.map { span.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
      }
    }
    #expect(bytes(0) == Array("é".utf8) && bytes(1) == [0, 255] && bytes(2).isEmpty && bytes(3).isEmpty)
    if try cursor.next() != nil { Issue.record("There is no second row.") }
  }

  @Test(
    "A buffer gives what was put into it, however much it must grow within a row",
    arguments: 0..<20 as Range<UInt64>)
  func buffer(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    func randomValue() -> FetchValue {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: .null
      case 1: .integer(Int64.random(in: .min ... .max, using: &random))
      case 2: .real(Double.random(in: -1...1, using: &random))
      case 3: .text(String(repeating: "é", count: Int.random(in: 0..<400, using: &random)))
      default: .blob((0..<Int.random(in: 0..<800, using: &random)).map { UInt8(truncatingIfNeeded: $0) })
      }
    }
    let buffer = FetchRowBuffer(columnCount: 7)
    for _ in 0..<50 {
      let row = (0..<7).map { _ in randomValue() }
      buffer.clear()
      // Columns that are set twice have the last value.
      for column in [2, 5] { buffer.set(randomValue(), column: column) }
      for (column, value) in row.enumerated() { buffer.set(value, column: column) }
      #expect((0..<7).map { buffer.row.value($0) } == row)
    }
    buffer.clear()
    #expect((0..<7).allSatisfy { buffer.row.value($0) == .null })
  }

  @Test("A buffer takes bytes without a pointer, and a NaN as no value")
  func bufferOfSpans() {
    let buffer = FetchRowBuffer(columnCount: 3)
    let bytes: [UInt8] = [0x61, 0xFF, 0x62]
    bytes.withUnsafeBytes { bytes in
      buffer.setText(bytes.bytes, column: 0)
      buffer.setBlob(bytes.bytes, column: 1)
    }
    buffer.setReal(.nan, column: 2)
    #expect((0..<3).map { buffer.row.value($0) } == [.text("a\u{FFFD}b"), .blob(bytes), .null])
  }
}

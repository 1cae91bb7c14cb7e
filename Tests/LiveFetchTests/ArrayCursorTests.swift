import LiveFetch
import Testing
import LiveListsTestSupport

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
}

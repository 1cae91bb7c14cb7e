import ContactSheetLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads passwords strictly as UTF-8. With bytes replaced, two of them could become the same one, and nobody could type it.
enum PasswordText {
  /// Reads a line of standard input, without its end.
  ///
  /// - Returns: The line; `nil` at the end of the input.
  /// - Throws: `ContactSheetError.Code.badRequest` where it is no text.
  static func readLine() throws -> String? {
    var line: [UInt8] = []
    // Byte by byte: what follows the line is the answer to the next question.
    while line.count < maximumLength {
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0, line.isEmpty { return nil }
      if count <= 0 || byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return try decode(line)
  }

  /// Returns the first line of a file.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it is no text.
  static func firstLine(of bytes: some Collection<UInt8>) throws -> String {
    String(try decode(bytes.prefix { $0 != UInt8(ascii: "\n") }).prefix { !$0.isNewline })
  }

  /// Returns the value of a variable of the environment; `nil` where it is empty, or there is none.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it is no text.
  static func variable(_ name: String) throws -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return try decode(UnsafeBufferPointer(start: value, count: strlen(value)).map(UInt8.init(bitPattern:)))
  }

  /// The number of bytes of a line that are read at most, more than a password may have.
  static let maximumLength = 64 << 10

  private static func decode(_ bytes: some Collection<UInt8>) throws -> String {
    // Some editors begin a file with a byte order mark.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : Array(bytes)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ContactSheetError(
        .badRequest,
        "The password is not UTF-8, in which browsers send passwords. Set the encoding of the terminal or the file to UTF-8."
      )
    }
    return text
  }
}

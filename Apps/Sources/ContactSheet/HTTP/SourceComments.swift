/// Comments of scripts and style sheets, which browsers need not be sent: a quarter of what the modules of a page weigh.
enum SourceComments {
  /// Empties the lines that are comments and nothing else. The lines stay, so that the numbers that browsers name in errors are
  /// those of the source.
  ///
  /// Not read as a language: a line of a template literal that looks like a comment would be emptied, too. A test compares what
  /// all files mean before and after.
  ///
  /// - Parameters:
  ///   - bytes: The file, as UTF-8.
  ///   - contentType: Its type; what is neither JavaScript nor CSS stays as it is.
  /// - Complexity: O(*n*).
  static func removed(from bytes: [UInt8], contentType: String) -> [UInt8] {
    let isScript = contentType.beginsExactly(with: "text/javascript")
    guard isScript || contentType.beginsExactly(with: "text/css") else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isInBlock = false
    for (number, line) in bytes.split(separator: newline, omittingEmptySubsequences: false).enumerated() {
      if number > 0 { result.append(newline) }
      let text = line.drop { $0 == space }
      if !isInBlock, isScript, text.starts(with: "//".utf8) { continue }
      guard isInBlock || text.starts(with: "/*".utf8) else {
        result += line
        continue
      }
      let close = text.firstRange(of: end)
      isInBlock = close == nil
      // Code may follow a comment on its line.
      if let close { result += text[close.upperBound...] }
    }
    return result
  }

  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let end = Array("*/".utf8)
}

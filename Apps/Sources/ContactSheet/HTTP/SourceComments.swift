import ContactSheetLibrary
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
    for line in bytes.lines {
      if line.lowerBound > 0 { result.append(newline) }
      var text = line.lowerBound
      while text < line.upperBound, bytes[text] == space { text += 1 }
      func begins(with second: UInt8) -> Bool {
        text + 1 < line.upperBound && bytes[text] == slash && bytes[text + 1] == second
      }
      if !isInBlock, isScript, begins(with: slash) { continue }
      guard isInBlock || begins(with: star) else {
        result += bytes[line]
        continue
      }
      let close = bytes.position(of: star, slash, in: text..<line.upperBound)
      isInBlock = close == nil
      // Code may follow a comment on its line.
      if let close { result += bytes[(close + 2)..<line.upperBound] }
    }
    return result
  }

  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")
}

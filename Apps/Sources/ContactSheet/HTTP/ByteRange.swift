import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird

/// The part of a file that a request asks for.
enum ByteRange: Equatable {
  /// All of it: no range was asked for, or none that we serve.
  case whole
  case part(ClosedRange<Int>)
  /// The file has no such part.
  case beyond

  /// Reads the header `Range`. Several ranges at once are answered with the whole file, which is allowed.
  ///
  /// - Parameters:
  ///   - text: The header's value.
  ///   - size: The file's size.
  init(_ text: String?, size: Int) {
    self = .whole
    guard let text, text.asciiLowercased.beginsExactly(with: "bytes=") else { return }
    let range = Substring(text.utf8.dropFirst(6)).trimmingCharacters(in: .whitespaces)
    guard !range.containsByte(of: ","), let dash = range.firstByte(of: "-") else { return }
    let (first, last) = (range[..<dash], range[range.utf8.index(after: dash)...])
    guard (first + last).utf8.allSatisfy({ (48...57).contains($0) }) else { return }
    if first.isEmpty {
      // The last so many bytes.
      guard !last.isEmpty else { return }
      let count = Int(last) ?? .max
      self = count == 0 || size == 0 ? .beyond : .part(max(0, size - count)...(size - 1))
      return
    }
    let start = Int(first) ?? .max
    guard start < size else {
      self = .beyond
      return
    }
    let end = last.isEmpty ? size - 1 : min(Int(last) ?? .max, size - 1)
    if end >= start { self = .part(start...end) }
  }
}

extension Request {
  /// The part of a file that is asked for. A part of another version is of no use: then all of it.
  func range(size: Int, tag: String) -> ByteRange {
    if let version = headers[.ifRange], !version.isExactly(tag) { return .whole }
    return ByteRange(headers[.range], size: size)
  }
}

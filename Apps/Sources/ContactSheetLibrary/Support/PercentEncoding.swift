import Foundation

/// Percent-encoding that leaves only what no part of a URL or header gives a meaning to.
package enum PercentEncoding {
  private static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

  package static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "photo"
  }

  /// The text of a part of a query or form, where a plus sign stands for a space; `nil` where it is not encoded rightly.
  package static func decodedField(_ text: some StringProtocol) -> String? {
    let plus = UInt8(ascii: "+")
    return String(decoding: text.utf8.map { $0 == plus ? 0x20 : $0 }, as: UTF8.self).removingPercentEncoding
  }
}

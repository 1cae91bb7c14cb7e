import Foundation

/// Percent-encoding that leaves only what no part of a URL or header gives a meaning to.
enum PercentEncoding {
  private static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "photo"
  }
}

import Foundation

/// The query of an address by which a reader asks for a list, or for some of its rows (`Documentation/Frames.md`, 4).
public struct ListStreamQuery: Hashable, Sendable {
  /// The version that the reader says it has (`since`); nil where it has none.
  public var version: String?
  /// The rows that the reader wants of a long list (`window`); nil for the whole list.
  public var window: ListStreamWindow?
  /// The rows that are asked for by themselves (`from` and `count`).
  public var rows: ListStreamWindow?
  /// Whether contents are wanted: not with `content=0`.
  public var wantsContents = true

  /// Reads a query such as `since=k3v9x2.41&window=0,60`. Fields that are wrong count as missing; of several of one name the first
  /// counts.
  public init(_ query: String?) {
    var fields: [String: String] = [:]
    // By scalars: a sign with an accent behind it is another character, and the same sign to everybody else who reads addresses.
    for field in (query ?? "").unicodeScalars.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = String(parts[1]).removingPercentEncoding else { continue }
      fields[String(parts[0])] = fields[String(parts[0])] ?? value
    }
    version = fields["since"]
    window = fields["window"].flatMap { ListStreamWindow($0) }
    if let from = fields["from"], let count = fields["count"] { rows = ListStreamWindow("\(from),\(count)") }
    wantsContents = fields["content"] != "0"
  }
}

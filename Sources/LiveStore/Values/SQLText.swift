/// A piece of SQL and the values bound to its `?`, in order.
///
/// No value ever becomes part of the text.
public struct SQLText: Sendable, Hashable {
  /// The text, with a `?` for each bound value.
  public var sql: String
  /// The bound values, in order.
  public var values: [FetchValue]

  /// Creates a piece of SQL.
  public init(_ sql: String = "", _ values: [FetchValue] = []) {
    self.sql = sql
    self.values = values
  }

  /// A name in double quotes.
  public static func quoted(_ name: String) -> String {
    // By bytes: a quote and a combining mark after it are one character of Swift's.
    let quote = UInt8(ascii: "\"")
    if !name.utf8.contains(quote) { return "\"" + name + "\"" }
    return "\"" + String(decoding: name.utf8.flatMap { $0 == quote ? [$0, $0] : [$0] }, as: UTF8.self) + "\""
  }

  /// The collation that follows every text that is compared or ordered by: by bytes, however its column was declared.
  ///
  /// An index of the same collation serves as before; one of another does not.
  public static let binary = "COLLATE BINARY"

  /// A text in single quotes, for what is no value of a row: the name of a time zone.
  static func literal(_ text: String) -> String {
    "'" + String(decoding: text.utf8.flatMap { $0 == 0x27 ? [$0, $0] : [$0] }, as: UTF8.self) + "'"
  }

  mutating func append(_ sql: String) { self.sql += sql }

  mutating func bind(_ value: FetchValue) {
    sql += "?"
    values.append(value)
  }
}

/// The names of the functions that a store's connections provide beside SQL's own.
public enum SQLFunction {
  /// ``TextFolding/fold(_:)``.
  public static let fold = "livelists_fold"
  /// The section name that ``FetchSectionKey`` gives a stored value: `(kind, column type, value)`, and
  /// a time zone's identifier where it is of days in one.
  public static let section = "livelists_section"
}

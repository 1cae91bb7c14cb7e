/// The identifiers that rows' keys make, where several may make one.
///
/// Swift takes texts for equal that differ in their bytes (“é” as one character of Unicode, or as two), and a database does
/// not. A UUID is read from text in upper and lower case, and written in one of them. A list has one row for an identifier, and
/// finds the row's object by the key that the identifier makes: the first row in the list's order whose key that is.
struct KeyTwins<ID: FetchIdentifier>: Sendable {
  private var seen: Set<ID> = []
  private var shared: Set<ID> = []

  /// Whether a key may make the identifier of another one. It is not so for most.
  @inline(__always)
  static func canHave(_ key: FetchRawValue) -> Bool {
    key.kind == .text && (ID.self != String.self || key.bytes.contains { $0 >= 128 })
  }

  /// Whether a key may make the identifier of another one. It is not so for most.
  static func canHave(_ key: FetchValue) -> Bool {
    guard case .text(let text) = key else { return false }
    return ID.self != String.self || text.utf8.contains { $0 >= 128 }
  }

  /// Takes in a key.
  /// - Returns: Why its row cannot be listed, if so: the rest of a sentence.
  mutating func refuse(_ id: ID, _ key: FetchValue, _ type: FetchColumnType) -> String? {
    if id.fetchValue(as: type) != key {
      shared.insert(id)
      return "has a primary key that is read as \(id), which is stored in another form"
    }
    guard !seen.insert(id).inserted else { return nil }
    shared.insert(id)
    return "has a primary key that Swift takes for that of a row before it: they differ in their bytes alone"
  }

  /// Whether several keys made an identifier.
  func contains(_ id: ID) -> Bool { shared.contains(id) }
}

import Foundation
public import LiveStore
import Snapshots

/// The identifiers that rows' keys make, where several may make one.
///
/// Swift takes texts for equal that differ in their bytes (“é” as one character of Unicode, or as two), and a database does
/// not. A UUID is read from text in upper and lower case, and written in one of them. A list has one row for an identifier, and
/// finds the row's object by the key that the identifier makes: the first row in the list's order whose key that is.
struct KeyTwins<ID: FetchIdentifier>: Sendable {
  private var first: [ID: FetchValue] = [:]
  private var shared: Set<ID> = []
  /// Whether there is a key that may make the identifier of another one.
  private(set) var isPossible = false

  /// Returns whether a key may make the identifier of another one. It is not so for most.
  @inline(__always)
  static func canHave(_ key: FetchRawValue) -> Bool {
    key.kind == .text && (ID.self != String.self || key.bytes.contains(where: mayBeWrittenOtherwise))
  }

  /// Returns whether a key may make the identifier of another one. It is not so for most.
  static func canHave(_ key: FetchValue) -> Bool {
    guard case .text(let text) = key else { return false }
    return ID.self != String.self || text.utf8.contains(where: mayBeWrittenOtherwise)
  }

  /// Returns whether Unicode has other bytes for a character with this one. In ASCII it has for three: the Kelvin sign
  /// is a “K”, the Greek question mark a semicolon, and the Greek varia a grave accent.
  @inline(__always)
  private static func mayBeWrittenOtherwise(_ byte: UInt8) -> Bool {
    byte >= 128 || byte == UInt8(ascii: "K") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "`")
  }

  /// The reasons why a row cannot be listed.
  enum Refusal: Equatable {
    /// The key is stored in another form than its identifier would be.
    case otherForm(ID)
    /// The key makes the identifier of a row before it.
    case twin

    /// The rest of a sentence that begins with the row.
    var text: String {
      switch self {
      case .otherForm(let id): "has a primary key that is read as \(id), which is stored in another form"
      case .twin:
        "has a primary key that Swift takes for that of a row before it: they differ in their bytes alone"
      }
    }
  }

  /// Takes in a key. One that is there already, byte for byte, is not refused here.
  /// - Returns: Why its row cannot be listed, if so.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func refuse(_ id: ID, _ key: FetchValue, _ type: FetchColumnType) -> Refusal? {
    enter(id, key, type)
  }

  // Only keys that are text get as far as this: integers need no code of their own for it.
  @_specialize(where ID == UUID)
  @_specialize(where ID == String)
  private mutating func enter(_ id: ID, _ key: FetchValue, _ type: FetchColumnType) -> Refusal? {
    isPossible = true
    if id.fetchValue(as: type) != key {
      share(id)
      return .otherForm(id)
    }
    guard let known = first[id] else {
      first[id] = key
      return nil
    }
    if known == key { return nil }
    share(id)
    return .twin
  }

  /// Notes that several keys made an identifier, which is rare.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func share(_ id: ID) { shared.insert(id) }

  /// Returns whether several keys made an identifier.
  func contains(_ id: ID) -> Bool { !shared.isEmpty && isShared(id) }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private func isShared(_ id: ID) -> Bool { shared.contains(id) }

  mutating func formUnion(_ other: Self) { isPossible = isPossible || other.isPossible }

  /// The identifiers that are in two lists and made of different keys: they stand for another row in each.
  /// - Complexity: O(*n* log *n*) for lists of *n* rows.
  static func replaced(
    in old: DiffableSnapshot<FetchSectionID, ID>, by new: DiffableSnapshot<FetchSectionID, ID>
  ) -> [ID] {
    new.items.filter { id in
      guard let key = id.fetchValue(as: ID.fetchColumnType), canHave(key),
        let path = old.indexPath(ofItem: id),
        let former = old.itemIdentifier(at: path)
      else { return false }
      return !former.hasSameKey(as: id)
    }
  }
}

extension FetchIdentifier {
  /// Whether the key of another row may make this identifier, too.
  @usableFromInline
  var mayHaveTwin: Bool {
    fetchValue(as: .text).map(KeyTwins<Self>.canHave) ?? false
  }

  /// Returns whether two identifiers that Swift takes for equal are made of the same key: of text with the same bytes.
  @inlinable
  func hasSameKey(as other: Self) -> Bool {
    guard case .text = Self.fetchColumnType else { return true }
    return fetchValue(as: Self.fetchColumnType) == other.fetchValue(as: Self.fetchColumnType)
  }
}

/// Returns whether two sections' texts have the same bytes. Swift takes more for equal.
@inline(never)
func isSameText(_ a: FetchSectionID, _ b: FetchSectionID) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

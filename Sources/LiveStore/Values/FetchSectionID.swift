/// The identifier of a section: the value that its rows have in common, and a text that stands for it.
///
/// ```swift
/// let request = FetchDescriptor<Photo>().sectioned(by: \.kind).ordered(by: .ascending(\.rank))
/// for section in controller.snapshot?.sectionIdentifiers ?? [] {
///   switch try section.value(as: Photo.Kind.self) {
///   case .picture: print("Pictures")
///   case .film: print("Films")
///   }
/// }
/// ```
///
/// Two identifiers are equal when their texts are. The text is made of the stored value alone, so it is the same from every store,
/// in every process and in frames:
///
/// | column | text | for example |
/// |---|---|---|
/// | text, and a date or a UUID that is stored as text | the text | `Fjord` |
/// | whole numbers | decimal digits | `-7` |
/// | truth values | `0` or `1` | `1` |
/// | floating-point numbers | whole ones below 2^63 as whole numbers, others as the shortest text that is read back as the same | `0.5`, `3` |
/// | bytes | hexadecimal digits in lower case | `00ff` |
/// | a UUID of 16 bytes | as `UUID.uuidString` | `E621E1F8-C36C-495A-93FC-0C247A3E6E5F` |
/// | dates in microseconds or seconds | that number | `1709942400000000` |
/// | no value | empty | |
///
/// Different values of a column have different texts, but for no value and the empty text (or no bytes): their rows are in one section, whose
/// ``text`` is empty. Texts that differ in Unicode's normal form alone are equal here as they are in Swift; a list that has both is
/// refused.
///
/// A list without sections has one, whose identifier is the empty text.
public struct FetchSectionID: Sendable {
  /// The text that stands for the value: unique among the sections of a list, and the section's id in frames.
  public let text: String
  /// How the value is stored; nil where that is not known, as of an identifier that came as text.
  @usableFromInline let type: FetchColumnType?

  @inlinable
  init(text: String, type: FetchColumnType?) {
    self.text = text
    self.type = type
  }

  /// Creates the identifier of the section of a value.
  ///
  /// ```swift
  /// let films = try snapshot.itemIdentifiers(inSection: FetchSectionID(Photo.Kind.film))
  /// ```
  /// - Parameters:
  ///   - value: The value. One that no column of the type can hold makes an identifier that no section has.
  ///   - type: How the column stores its values, where its declaration says so; nil for the way of the value's type.
  public init<Value: FetchColumnValue>(_ value: Value, stored type: FetchColumnType? = nil) {
    let type = type ?? Value.fetchColumnType
    if let stored = value.fetchValue(as: type) {
      self = FetchSectionKind.value.identifier(of: stored, type)
    } else {
      self.init(text: "\(value)", type: type)
    }
  }

  /// Whether the section is that of rows without a value, or with an empty one; also the one section of a list without sections.
  @inlinable
  public var isEmpty: Bool { text.isEmpty }
}

extension FetchSectionID: Hashable {
  /// Whether two identifiers have the same text.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.text == rhs.text }

  /// Feeds the text into `hasher`.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension FetchSectionID: LosslessStringConvertible, ExpressibleByStringLiteral {
  /// Creates the identifier with a text, such as one that came in a request.
  ///
  /// Its value is read as the type that is asked for is stored unless a column says otherwise.
  @inlinable
  public init(_ description: String) { self.init(text: description, type: nil) }

  /// Creates the identifier with a text.
  @inlinable
  public init(stringLiteral value: String) { self.init(value) }

  /// The text.
  public var description: String { text }
}

extension FetchSectionKind {
  /// The identifier of the section of a stored value.
  /// - Parameters:
  ///   - value: The content of the column.
  ///   - type: How the column stores its values.
  ///   - zone: The time zone whose days are meant; nil for UTC.
  public func identifier(
    of value: FetchValue, _ type: FetchColumnType, in zone: SectionZone? = nil
  ) -> FetchSectionID {
    // Folded texts, initials and months are texts, whatever they were made of.
    FetchSectionID(text: name(of: value, type, in: zone), type: self == .value ? type : .text)
  }
}

extension FetchSectionID {
  /// The identifier of the section of a value whose column is not known, as in a query in SQL.
  package init(ofValue value: FetchValue) {
    let type: FetchColumnType =
      switch value {
      case .integer: .integer
      case .real: .real
      case .blob: .blob
      case .null, .text: .text
      }
    self = FetchSectionKind.value.identifier(of: value, type)
  }
}

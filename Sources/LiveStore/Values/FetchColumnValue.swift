/// A Swift type whose values stand in a column.
///
/// Integers, floating-point numbers, `Bool`, `String`, `UUID`, `Date`, `Data`, ``Rank`` and optionals of them
/// are column values; an enumeration with such a raw value becomes one by declaring the conformance.
public protocol FetchColumnValue: Sendable {
  /// How a column stores such values unless its declaration says otherwise.
  static var fetchColumnType: FetchColumnType { get }

  /// The stored form of this value in a column of a type.
  /// - Parameter type: How the column stores its values.
  /// - Returns: The stored form, or nil when a column of that type cannot hold this value.
  func fetchValue(as type: FetchColumnType) -> FetchValue?

  /// Creates a value from its stored form.
  /// - Parameters:
  ///   - fetchValue: What the column holds.
  ///   - type: How the column stores its values.
  /// - Returns: nil when the stored form is not one of this type's.
  init?(fetchValue: FetchValue, as type: FetchColumnType)
}

/// A column value that identifies a row: the type of a model's `id`.
///
/// `Int`, `Int64`, `String` and `UUID` are identifiers. A type of your own that wraps one of them becomes one by
/// `RawRepresentable` and this conformance.
public protocol FetchIdentifier: FetchColumnValue, Hashable {
  /// Creates an identifier from its stored form, where the database has it.
  ///
  /// The default makes a ``FetchValue`` first. A list of a million rows is read without that.
  /// - Parameters:
  ///   - fetchRaw: What the column holds.
  ///   - type: How the column stores its values.
  /// - Returns: nil when the stored form is not one of this type's.
  init?(fetchRaw: FetchRawValue, as type: FetchColumnType)
}

extension FetchIdentifier {
  /// Creates an identifier from its stored form.
  public init?(fetchRaw: FetchRawValue, as type: FetchColumnType) {
    // Put right, it would be another row's.
    guard fetchRaw.isValid else { return nil }
    self.init(fetchValue: FetchValue(fetchRaw), as: type)
  }
}

extension FetchIdentifier where Self: RawRepresentable, RawValue: FetchIdentifier {
  /// Creates an identifier from its stored raw value; nil when no case has it.
  public init?(fetchRaw: FetchRawValue, as type: FetchColumnType) {
    guard let raw = RawValue(fetchRaw: fetchRaw, as: type) else { return nil }
    self.init(rawValue: raw)
  }
}

extension FetchColumnValue where Self: RawRepresentable, RawValue: FetchColumnValue {
  /// The raw value's way of being stored.
  public static var fetchColumnType: FetchColumnType { RawValue.fetchColumnType }

  /// The stored form of the raw value.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? { rawValue.fetchValue(as: type) }

  /// Creates a value from its stored raw value; nil when no case has it.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    guard let raw = RawValue(fetchValue: fetchValue, as: type) else { return nil }
    self.init(rawValue: raw)
  }
}

extension Optional: FetchColumnValue where Wrapped: FetchColumnValue {
  /// The wrapped type's way of being stored.
  public static var fetchColumnType: FetchColumnType { Wrapped.fetchColumnType }

  /// `nil` is stored as ``FetchValue/null``.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? {
    guard let self else { return .null }
    return self.fetchValue(as: type)
  }

  /// Creates a value; ``FetchValue/null`` becomes nil.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    if fetchValue.isNull {
      self = .none
    } else if let wrapped = Wrapped(fetchValue: fetchValue, as: type) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }
}

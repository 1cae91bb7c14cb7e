/// A column of a model's table: its name, the property it fills, and how it stores its values.
public struct FetchColumn<Model>: Sendable {
  /// The column's name in the database.
  public let name: String
  /// How the column stores its values.
  public let type: FetchColumnType
  /// Whether the property is an optional.
  public let isOptional: Bool
  /// The property; nil where it is found by decoding.
  let keyPath: (any PartialKeyPath<Model> & Sendable)?
  /// The reason why no request can read the column, if so.
  package var validationError: FetchDescriptorError?
  /// Returns the stored form of a model's property; nil where the column cannot hold it. A column that was found by decoding has none.
  package var storedValue: (@Sendable (Model) -> FetchValue?)?

  /// Names the column of a property.
  /// - Parameters:
  ///   - name: The column's name in the database.
  ///   - keyPath: The property that it fills.
  ///   - stored: How it stores its values; by default as its type says.
  /// - Returns: The column.
  public static func column<Value: FetchColumnValue>(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable, stored: FetchColumnType? = nil
  ) -> Self {
    let type = stored ?? Value.fetchColumnType
    return Self(
      name: name, type: type, isOptional: Value.self is any OptionalColumnValue.Type, keyPath: keyPath,
      storedValue: { $0[keyPath: keyPath].fetchValue(as: type) })
  }
}

private protocol OptionalColumnValue {}
extension Optional: OptionalColumnValue {}

/// A model's table: its name, its primary key and its columns, each named once with its property.
///
/// ```swift
/// static let fetchTable = FetchTable<Photo>(
///   "photo", id: .column("id", \.id),
///   columns: [.column("albumID", \.albumID), .column("title", \.title), .column("rank", \.rank)])
/// ```
///
/// Columns that no request filters, sorts or sections by need not be named.
public struct FetchTable<Model>: Sendable {
  /// The table's name in the database.
  public let name: String
  /// The primary key.
  public let id: FetchColumn<Model>
  /// All columns, the primary key first.
  public let columns: [FetchColumn<Model>]
  /// The reason why no request can read the table, if so.
  package let validationError: FetchDescriptorError?
  /// Finds the position of the column that fills a property.
  private let find: @Sendable (PartialKeyPath<Model>) -> Int?

  /// Describes a table.
  /// - Parameters:
  ///   - name: The table's name in the database.
  ///   - id: The primary key: one column whose values no two rows share.
  ///   - columns: The other columns.
  public init(_ name: String, id: FetchColumn<Model>, columns: [FetchColumn<Model>]) {
    self.name = name
    self.id = id
    self.columns = [id] + columns
    var positions: [AnyHashableKeyPath: Int] = [:]
    for (position, column) in self.columns.enumerated() {
      if let path = column.keyPath { positions[AnyHashableKeyPath(path: path)] = position }
    }
    validationError = nil
    find = { [positions] in positions[AnyHashableKeyPath(path: $0)] }
  }

  /// Describes a table whose columns were found.
  init(
    _ name: String, columns: [FetchColumn<Model>], validationError: FetchDescriptorError? = nil,
    find: @escaping @Sendable (PartialKeyPath<Model>) -> Int?
  ) {
    self.name = name
    self.columns = columns
    self.validationError = validationError
    self.find = find
    id = columns[0]
  }

  /// The position of the column that fills a property, or nil when none was named.
  func position(of keyPath: AnyKeyPath) -> Int? {
    guard let path = keyPath as? PartialKeyPath<Model> else { return nil }
    return find(path)
  }

  /// The columns that have no property named in a list.
  func names(of keyPaths: [PartialKeyPath<Model>]) -> Set<String> {
    Set(keyPaths.compactMap { position(of: $0).map { columns[$0].name } })
  }
}

/// A key path as a dictionary's key.
///
/// `@unchecked`: key paths are immutable; those of a table were required to be `Sendable` when its columns were
/// named, and a path that is merely looked up never leaves the call.
private struct AnyHashableKeyPath: Hashable, @unchecked Sendable {
  let path: AnyKeyPath
}

import Synchronization

/// A property that a type is decoded from, as a table may have a column for it.
public struct DecodedColumn: Sendable {
  /// The name by which the property is decoded.
  public let name: String
  /// Whether the property is an optional.
  public let isOptional: Bool
  /// The type of its values; nil where these are no column values, such as arrays: no request can name it.
  public let valueType: (any FetchColumnValue.Type)?
}

/// The form in which a column is stored that was found by decoding.
public enum DecodedColumnForm: Sendable {
  /// As a column of a type.
  case stored(FetchColumnType)
  /// In a form that columns of lists do not have: a request that names the column is refused with this reason.
  case refused(FetchDescriptorError)
}

extension FetchTable where Model: Identifiable & Decodable & Sendable, Model.ID: FetchColumnValue {
  /// Describes a table by the names by which a type's properties are decoded.
  ///
  /// ```swift
  /// struct ToDo: Codable, FetchModel {
  ///   var id: Int64
  ///   var title: String
  ///   var isDone: Bool
  ///   static let fetchTable = FetchTable<ToDo>(decoding: "toDo")
  ///   init(fetchRow row: FetchRow) throws { self = try row.decode() }
  /// }
  /// ```
  ///
  /// Values of the type are decoded from probes to find out which name fills which stored property. What cannot be found out safely
  /// is left out or refused: properties that are computed (but `id`, which may be another one), those whose decoded value is changed, types that are classes, and
  /// enumerations that are not `CaseIterable`. Name the columns of such a type by ``init(_:id:columns:)``. Requests for a table
  /// that could not be described at all throw a ``FetchDescriptorError`` with the reason.
  /// - Parameters:
  ///   - name: The table's name in the database.
  ///   - form: Returns the form in which a column is stored; by default that of its type.
  /// - Complexity: O(*n*²) for *n* properties. Keep the table in a static property.
  public init(
    decoding name: String,
    form: (DecodedColumn, any FetchColumnValue.Type) -> DecodedColumnForm = { .stored($1.fetchColumnType) }
  ) {
    do {
      let probe = try ColumnProbe<Model>()
      guard let id = probe.position(readBy: \.id) else {
        throw ProbeError.noValue("id", "a stored property")
      }
      // The primary key comes first, then those that can be columns, as they are decoded.
      let positions =
        [id] + probe.properties.indices.filter { $0 != id && probe.properties[$0].type != nil }
      let columns = positions.map { Self.column(probe.properties[$0], form) }
      self.init(name, columns: columns) { keyPath in
        probe.position(of: keyPath).flatMap { positions.firstIndex(of: $0) }
      }
    } catch {
      let column = FetchColumn<Model>(
        name: "id", type: Model.ID.fetchColumnType, isOptional: false, keyPath: nil)
      self.init(name, columns: [column], validationError: .unknownTable("\(Model.self)", "\(error)")) { _ in
        nil
      }
    }
  }

  private static func column(
    _ property: ProbedProperty, _ form: (DecodedColumn, any FetchColumnValue.Type) -> DecodedColumnForm
  ) -> FetchColumn<Model> {
    let type = property.type ?? String.self
    var column = FetchColumn<Model>(
      name: property.name, type: type.fetchColumnType, isOptional: property.isOptional, keyPath: nil)
    switch form(DecodedColumn(property), type) {
    case .stored(let form):
      column = FetchColumn(
        name: property.name, type: form, isOptional: property.isOptional, keyPath: nil)
    case .refused(let error): column.validationError = error
    }
    return column
  }

  /// The properties that the type is decoded from, also those that cannot be columns of requests.
  /// - Throws: ``FetchDescriptorError`` where they cannot be found.
  package static func decodedColumns() throws(FetchDescriptorError) -> [DecodedColumn] {
    do {
      return try ColumnProbe<Model>().properties.map { DecodedColumn($0) }
    } catch {
      throw .unknownTable("\(Model.self)", "\(error)")
    }
  }
}

extension DecodedColumn {
  fileprivate init(_ property: ProbedProperty) {
    self.init(name: property.name, isOptional: property.isOptional, valueType: property.type)
  }
}

/// The tables of types that have no static property for theirs, each described once.
package enum DescribedTables {
  private static let tables = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// The table of a type, described if it was not yet.
  package static func table<Model>(
    of type: Model.Type, _ describe: () -> FetchTable<Model>
  ) -> FetchTable<Model> {
    if let known = tables.withLock({ $0[ObjectIdentifier(type)] as? FetchTable<Model> }) { return known }
    // Described without the lock: two tasks that come at once both do, alike.
    let table = describe()
    tables.withLock { $0[ObjectIdentifier(type)] = table }
    return table
  }
}

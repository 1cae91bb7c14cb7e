/// A value that a `FetchController` lists: one row of a table.
///
/// ```swift
/// struct Photo: FetchModel {
///   var id: UUID
///   var albumID: UUID
///   var title: String
///
///   static let fetchTable = FetchTable<Photo>(
///     "photo", id: .column("id", \.id),
///     columns: [.column("albumID", \.albumID), .column("title", \.title)])
///
///   init(fetchRow row: FetchRow) throws {
///     id = try row["id"]
///     albumID = try row["albumID"]
///     title = try row["title"]
///   }
/// }
/// ```
///
/// A type that is a GRDB record already needs only the table: `LiveFetchSQLite` provides the initializer.
public protocol FetchModel: Identifiable, Sendable where ID: FetchIdentifier {
  /// The table and its columns.
  static var fetchTable: FetchTable<Self> { get }

  /// Creates a value from a row.
  /// - Parameter row: All columns of the row.
  /// - Throws: ``FetchError/row(_:)``, or what a column's conversion throws.
  init(fetchRow row: FetchRow) throws
}

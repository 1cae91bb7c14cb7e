/// An error of a live list.
///
/// A failure never takes the last good snapshot away. One that is delivered with a `FetchChange` leaves the
/// list alive: it reads again at the next occasion.
public struct FetchError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Kind: Sendable, Hashable {
    /// The request has a mistake.
    case request
    /// The database failed.
    case database
    /// A row cannot be part of the list, or cannot be read.
    case row
    /// Two rows have one identifier.
    case duplicateIdentifier
    /// The rows of a section do not follow one another.
    case outOfOrderSection
    /// The list would have more sections than a snapshot can have.
    case tooManySections
    /// The table cannot be watched, so that a list of its rows would not stay right.
    case unwatchable
    /// The store is cut off from its database for now. Lists stay, may be old, and catch up later.
    case interrupted
    /// The store was closed.
    case closed
  }

  /// The kind of failure.
  public let kind: Kind
  /// A description of the error.
  public let description: String
  /// The row that is at fault, if one is.
  public let row: RowDecodingFailure?
  /// The error of the database or of a conversion, if there is one.
  public let underlying: (any Error)?

  package init(
    _ kind: Kind, _ description: String, row: RowDecodingFailure? = nil, underlying: (any Error)? = nil
  ) {
    self.kind = kind
    self.description = description
    self.row = row
    self.underlying = underlying
  }

  /// A mistake in a request.
  public static func request(_ error: FetchDescriptorError) -> Self {
    Self(.request, error.description, underlying: error)
  }

  /// A failure of the database.
  public static func database(_ error: any Error) -> Self {
    if let error = error as? FetchError { return error }
    return Self(.database, "The database failed: \(error)", underlying: error)
  }

  /// A row that cannot be read.
  public static func row(_ row: RowDecodingFailure) -> Self { Self(.row, row.message, row: row) }

  /// Two rows with one identifier.
  public static func duplicateIdentifier(_ id: String) -> Self {
    Self(
      .duplicateIdentifier,
      "Two rows have the identifier \(id). Make the table's key unique, or write the query so that it returns each row once, by `DISTINCT` or "
        + "`GROUP BY`."
    )
  }

  /// A section whose rows do not follow one another.
  /// - Parameter name: The text of the section's identifier.
  public static func outOfOrderSection(name: String) -> Self {
    let hint =
      name.isEmpty
      ? "Rows without a value and rows with an empty text are in one section: sort them side by side."
      : "Sort by the section's property first, or leave out `order: .bySortKeys`."
    return Self(
      .outOfOrderSection,
      "The rows of section “\(name)” do not follow one another in the order of the sort keys. \(hint)")
  }

  /// The error for a table that cannot be watched.
  /// - Parameters:
  ///   - table: The table's name.
  ///   - reason: The rest of a sentence that begins with the table: why, and what to do instead.
  public static func unwatchable(_ table: String, _ reason: String) -> Self {
    Self(.unwatchable, "The table “\(table)” \(reason).")
  }

  /// A store that is cut off from its database for now.
  /// - Parameter error: Why.
  public static func interrupted(_ error: any Error) -> Self {
    Self(
      .interrupted,
      "The store cannot follow the database at present, so lists may be old until it can. It tries again by itself: \(error)",
      underlying: error)
  }

  /// The store was closed.
  public static let closed = Self(
    .closed, "The store was closed. Open a new one, and close a store only after its lists.")
}

/// A row that cannot be part of a list: a value of another type than its column has, or one that a model does
/// not take.
public struct RowDecodingFailure: Sendable, Hashable {
  /// The primary key, if it could be read: as SQL would write it, but one of sixteen bytes as the UUID that it mostly is.
  public var id: String?
  /// The column at fault, if it is known.
  public var column: String?
  /// A description of the mistake.
  public var message: String

  /// Describes a bad row.
  public init(id: String?, column: String?, message: String) {
    self.id = id
    self.column = column
    self.message = message
  }
}

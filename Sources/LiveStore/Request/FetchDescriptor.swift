public import Foundation

/// The description of a list: which rows of a model's table, in which order, in which sections.
///
/// ```swift
/// let request = FetchDescriptor<Photo>()
///   .filter(#Predicate { $0.albumID == albumID })
///   .ordered(by: .ascending(\.rank))
/// ```
///
/// A request is checked as it is built. The first mistake is kept in ``validationError``, and whatever uses the request
/// throws it; ``validated()`` throws it at once.
public struct FetchDescriptor<Model: FetchModel>: Sendable {
  /// The first mistake made in building the request, if any.
  public private(set) var validationError: FetchDescriptorError?

  var filters: [FetchExpression] = []
  var sortKeys: [OrderComponent] = []
  var section: (column: Int, kind: FetchSectionKind, zone: SectionZone?, order: FetchSectionOrder)?
  var limitCount: Int?
  var offsetCount = 0
  var hidden: Set<Int> = []
  var raw: FetchPlan.RawQuery?

  /// A request for all rows of the model's table. It still needs an order.
  public init() {}

  /// Throws the first mistake made in building the request.
  /// - Returns: The request itself.
  /// - Throws: ``validationError``, or ``FetchDescriptorError/Kind/noSortKeys``.
  @discardableResult
  public func validated() throws(FetchDescriptorError) -> Self {
    if let validationError { throw validationError }
    if sortKeys.isEmpty, raw == nil { throw .noSortKeys }
    return self
  }

  /// A request in SQL: for joins, aggregates and whatever else a filter and sort keys cannot say.
  ///
  /// ```swift
  /// FetchDescriptor<Photo>.sql(
  ///   """
  ///   SELECT photo.id, album.title FROM photo JOIN album ON album.id = photo.albumID
  ///   WHERE album.owner = ? ORDER BY album.title, photo.rank, photo.id
  ///   """, [.integer(owner)], reading: ["photo", "album"], isSectioned: true)
  /// ```
  ///
  /// Such a list is read anew whenever a row of one of its tables is touched, and compared. Filters, sort keys,
  /// sections and limits of the request do not apply.
  /// - Parameters:
  ///   - query: The query. Its first column is the primary key of a model's row, its second the section's value where
  ///     there are sections; its rows come in the order of the list.
  ///   - values: The values of its `?` or `$1`, `$2`, …, in order: one for each, or the request is refused.
  ///   - tables: The tables that it reads. The model's own is always among them. Changes of a table that is missing here
  ///     reach the list with the next change of another.
  ///   - isSectioned: Whether the second column is the section's value.
  public static func sql(
    _ query: String, _ values: [FetchValue] = [], reading tables: [String], isSectioned: Bool = false
  ) -> Self {
    var request = Self()
    var all = tables
    if !all.contains(Model.fetchTable.name) { all.append(Model.fetchTable.name) }
    request.raw = FetchPlan.RawQuery(query: SQLText(query, values), tables: all, isSectioned: isSectioned)
    return request
  }

  /// Keeps the rows for which a predicate holds, among those of earlier filters.
  ///
  /// A predicate may compare (`==`, `!=`, `<`, `<=`, `>`, `>=`), combine (`&&`, `||`, `!`, `??`, `?:`, `?.`), look whether an
  /// array, a set or a range contains a value, and search in text: `contains`, `starts(with:)`, `isEmpty`,
  /// `localizedStandardContains`. What does not depend on the row is computed before. Arithmetic with properties, and all else, is refused
  /// with its name: it is for ``sql(_:_:reading:isSectioned:)``.
  ///
  /// Text is compared by its bytes; `localizedStandardContains` searches without case and diacritics. Two properties are compared
  /// as they are stored, whatever their columns were declared as: 7 is not '7'. With a constant, a comparison for which the
  /// database would turn the one into the other is refused.
  /// - Parameter predicate: The predicate, over properties that the table has columns for.
  public func filter(_ predicate: Predicate<Model>) -> Self {
    changed { (request) throws(FetchDescriptorError) in
      if let validationError = Model.fetchTable.validationError { throw validationError }
      request.filters.append(try Model.fetchTable.compile(predicate))
    }
  }

  /// Orders the rows, by the first key first. Rows that agree in all keys are ordered by their primary key.
  /// - Parameter keys: The sort keys, which replace earlier ones.
  public func ordered(by keys: FetchSortKey<Model>...) -> Self { ordered(by: keys) }

  /// Orders the rows, by the first key first. Rows that agree in all keys are ordered by their primary key.
  /// - Parameter keys: The sort keys, which replace earlier ones.
  public func ordered(by keys: [FetchSortKey<Model>]) -> Self {
    changed { (request) throws(FetchDescriptorError) in
      request.sortKeys = []
      for key in keys {
        let position = try Self.position(of: key.keyPath)
        let column = Model.fetchTable.columns[position]
        if key.isFolded, column.type != .text {
          throw .wrongColumn("A folded order", column.name, needed: "text")
        }
        request.sortKeys.append(
          OrderComponent(
            column: position, name: column.name, type: column.type, source: key.isFolded ? .folded : .value,
            isDescending: key.isDescending, nullsFirst: key.nulls == .first))
      }
      if keys.isEmpty { throw .noSortKeys }
    }
  }

  /// Divides the rows into sections.
  /// - Parameters:
  ///   - key: What a section's rows have in common.
  ///   - order: How sections are ordered among themselves.
  public func sectioned(by key: FetchSectionKey<Model>, order: FetchSectionOrder = .automatic) -> Self {
    changed { (request) throws(FetchDescriptorError) in
      let position = try Self.position(of: key.keyPath)
      let column = Model.fetchTable.columns[position]
      switch key.kind {
      case .folded, .initial:
        if column.type != .text {
          throw .wrongColumn("A division by folded text or by initials", column.name, needed: "text")
        }
      case .year, .month, .day:
        if !column.type.isDate {
          throw .wrongColumn("A division by years, months or days", column.name, needed: "dates")
        }
      case .value: break
      }
      request.section = (position, key.kind, key.zone, order)
    }
  }

  /// Divides the rows into a section for each value of a property: a number, a date, a case of an enumeration, or whatever stands in a
  /// column. ``FetchSectionID/value(as:)`` gives the value of a section.
  public func sectioned<Value: FetchColumnValue>(
    by keyPath: any KeyPath<Model, Value> & Sendable, order: FetchSectionOrder = .automatic
  ) -> Self {
    sectioned(by: .value(keyPath), order: order)
  }

  /// Keeps the first rows of the list, and keeps to that number while rows come and go.
  ///
  /// Rows that cannot be listed count, as they do for SQL's `LIMIT`.
  public func limit(_ count: Int) -> Self {
    changed { (request) throws(FetchDescriptorError) in
      if count < 0 { throw .negativeLimit("limit", count) }
      request.limitCount = count
    }
  }

  /// Leaves out the first rows of the list.
  public func offset(_ count: Int) -> Self {
    changed { (request) throws(FetchDescriptorError) in
      if count < 0 { throw .negativeLimit("offset", count) }
      request.offsetCount = count
    }
  }

  /// Declares properties that the list does not show: a change of these alone is passed over in silence.
  /// - Parameter keyPaths: Properties that are neither filtered, sorted nor sectioned by.
  public func ignoringChanges(to keyPaths: PartialKeyPath<Model>...) -> Self {
    changed { (request) throws(FetchDescriptorError) in
      for keyPath in keyPaths { request.hidden.insert(try Self.position(of: keyPath)) }
    }
  }

  private static func position(of keyPath: PartialKeyPath<Model>) throws(FetchDescriptorError) -> Int {
    if let validationError = Model.fetchTable.validationError { throw validationError }
    guard let position = Model.fetchTable.position(of: keyPath) else { throw .unknownColumn(keyPath) }
    return position
  }

  private func changed(_ change: (inout Self) throws(FetchDescriptorError) -> Void) -> Self {
    var request = self
    do {
      try change(&request)
    } catch {
      if request.validationError == nil { request.validationError = error }
    }
    return request
  }
}

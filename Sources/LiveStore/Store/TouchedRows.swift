/// The rows that one or several commits touched, and the effect on each.
///
/// This is the one form in which that travels, from a store's events to the changes of a list. Rows are
/// named by their primary keys, as stored values in a store's events and as identifiers in lists.
///
/// ## Columns
/// ``RowChange/updated(_:)`` numbers the columns of the *table*, whose names are ``columns``; the columns of a request's plan or
/// of a model are found among them by name. Rows of other columns are merged as well: their numbers mean something else
/// then, and all columns of such a row are taken for changed.
///
/// ## Cost
/// Merging appends. A row that several commits touched may be stored several times until somebody looks, but never more
/// than about twice as many rows are stored as there are.
public struct TouchedRows<ID: Hashable & Sendable>: Sendable {
  /// A touched row.
  public struct Row: Sendable {
    /// The row's primary key.
    public var id: ID
    /// The effect on the row.
    public var change: RowChange

    /// Creates a touched row.
    @inlinable
    public init(id: ID, change: RowChange) {
      self.id = id
      self.change = change
    }
  }

  /// Whether any row may have been touched. Then none is named.
  public private(set) var isAll = false
  /// The names of the table's columns, as ``ColumnSet`` numbers them; empty where they are not known.
  public private(set) var columns: [String] = []
  @usableFromInline var stored: [Row] = []
  /// How many of the first stored rows are known to be of different keys.
  @usableFromInline var distinctCount = 0

  /// Creates a set of no rows.
  /// - Parameter columns: The names of the table's columns.
  public init(columns: [String] = []) { self.columns = columns }

  /// Creates a set of rows of which nothing else is known. A key may be there several times.
  @inlinable
  public init(_ ids: some Sequence<ID>) {
    stored = ids.map { Row(id: $0, change: .unknown) }
    distinctCount = min(stored.count, 1)
  }

  /// Any row: it is not known which ones were touched.
  public static var all: Self {
    var all = Self()
    all.isAll = true
    return all
  }

  /// Whether no row was touched.
  @inlinable public var isEmpty: Bool { !isAll && stored.isEmpty }

  /// The touched rows, each once, in the order in which they were first touched; none where ``isAll``.
  /// - Complexity: O(*k*) for *k* rows that were touched by several commits, otherwise O(1).
  public var rows: [Row] {
    var copy = self
    copy.removeRepetitions()
    return copy.stored
  }

  /// Returns the effect on a row; nil when it was not touched.
  /// - Complexity: O(*k*) for *k* rows.
  public func change(of id: ID) -> RowChange? {
    if isAll { return .unknown }
    return stored.reduce(nil) { known, row in
      row.id == id ? known?.merged(with: row.change) ?? row.change : known
    }
  }

  /// Returns the names of the columns that may differ in a row that was there before and after; nil where any may, or where
  /// the row came, left, or may have.
  /// - Complexity: O(*k*) for *k* rows.
  public func changedColumns(of id: ID) -> Set<String>? {
    switch change(of: id) {
    case nil: return []
    case .updated(let set) where set != .all && !columns.isEmpty:
      return Set(columns.indices.filter { set.mayContain(column: $0) }.map { columns[$0] })
    default: return nil
    }
  }

  // MARK: Editing

  /// Adds a change of a row, behind all others.
  @inlinable
  public mutating func append(_ id: ID, _ change: RowChange) {
    if isAll { return }
    stored.append(Row(id: id, change: change))
    if stored.count == 1 { distinctCount = 1 }
  }

  /// Adds a row that is not among them.
  @inlinable
  package mutating func append(new id: ID, _ change: RowChange) {
    if distinctCount == stored.count { distinctCount += 1 }
    stored.append(Row(id: id, change: change))
  }

  @inlinable
  package mutating func reserveCapacity(_ count: Int) { stored.reserveCapacity(count) }

  /// Adds what later commits touched.
  /// - Complexity: O(*k*) for *k* later rows, amortized; O(1) where there were none before.
  @inlinable
  public mutating func merge(_ later: Self) {
    if isAll || later.isEmpty { return }
    if isEmpty || later.isAll {
      self = later
      return
    }
    if columns == later.columns { stored += later.stored } else { append(ofOtherColumns: later) }
    if stored.count > 2 * distinctCount + 1_024 { removeRepetitions() }
  }

  // Rare: a table's columns have changed, or nothing is known of them on one side.
  @usableFromInline
  mutating func append(ofOtherColumns later: Self) {
    if later.columns.isEmpty {
      stored += later.stored.map { Row(id: $0.id, change: $0.change.ofAnyColumns) }
    } else {
      for row in stored.indices { stored[row].change = stored[row].change.ofAnyColumns }
      columns = later.columns
      stored += later.stored
    }
  }

  /// Forgets all rows.
  package mutating func forget() { self = Self(columns: columns) }

  /// Forgets a row.
  /// - Complexity: O(*k*) for *k* rows.
  package mutating func forget(_ id: ID) {
    removeRepetitions()
    stored.removeAll { $0.id == id }
    distinctCount = stored.count
  }

  /// Merges the changes of each row into one.
  /// - Complexity: O(*k*) for *k* rows; O(1) where each is known to be there once.
  @inlinable
  package mutating func removeRepetitions() {
    guard distinctCount < stored.count else { return }
    var distinct: [Row] = []
    var positions: [ID: Int] = Dictionary(minimumCapacity: stored.count)
    distinct.reserveCapacity(stored.count)
    for row in stored {
      if let position = positions[row.id] {
        distinct[position].change = distinct[position].change.merged(with: row.change)
      } else {
        positions[row.id] = distinct.count
        distinct.append(row)
      }
    }
    stored = distinct
    distinctCount = distinct.count
  }

  /// The rows as they are stored; some may be there several times.
  @inlinable
  package var storedRows: [Row] {
    @inline(__always) get { stored }
  }
}

extension TouchedRows: ExpressibleByArrayLiteral {
  /// Creates a set of rows of which nothing else is known.
  public init(arrayLiteral ids: ID...) { self.init(ids) }
}

/// A request in terms of the database alone: what a store and the engine work by.
///
/// Two requests with equal plans are one list; their controllers share an index.
public struct FetchPlan: Hashable, Sendable {
  /// A column that the plan reads.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// How it stores its values.
    public var type: FetchColumnType

    /// Creates a column.
    public init(name: String, type: FetchColumnType) {
      self.name = name
      self.type = type
    }
  }

  /// The table's name.
  public let table: String
  /// The columns read for each row, the primary key first.
  public let columns: [Column]
  /// The columns whose change alone is not reported.
  public let ignoredColumns: Set<String>
  /// The most rows that the list has.
  public let limit: Int?
  /// The rows left out at the start.
  public let offset: Int

  /// The filter that every row of the list meets, over the columns by their position in ``columns``.
  public let filter: FetchExpression
  /// The order of the rows, before the primary key.
  public let order: [OrderComponent]
  /// How the list is divided into sections, if it is.
  public let section: Section?
  /// SQL of the request's own, instead of filter, order and sections.
  public let raw: RawQuery?

  /// A query whose rows are a list as they come: the first column is the primary key, the second the section.
  public struct RawQuery: Hashable, Sendable {
    /// The query and its bound values.
    public var query: SQLText
    /// The tables that it reads, the model's own among them.
    public var tables: [String]
    /// Whether the second column is the section's value.
    public var isSectioned: Bool
  }

  /// Creates a plan.
  public init(
    table: String, columns: [Column], ignoredColumns: Set<String> = [], filter: FetchExpression,
    order: [OrderComponent], section: Section? = nil, limit: Int? = nil, offset: Int = 0,
    raw: RawQuery? = nil
  ) {
    self.raw = raw
    self.table = table
    self.columns = columns
    self.ignoredColumns = ignoredColumns
    self.filter = filter
    self.order = order
    self.section = section
    self.limit = limit
    self.offset = offset
  }

  /// The sections of a list.
  public struct Section: Hashable, Sendable {
    /// The position of the section's column among ``FetchPlan/columns``.
    public var column: Int
    /// The way in which the section's name is made of the value.
    public var kind: FetchSectionKind
    /// The time zone whose days are meant; nil for UTC.
    public var zone: SectionZone?
    /// Whether the order itself keeps the rows of a section together.
    public var isKeptTogether: Bool
  }

  /// The equalities that every row of the list meets: by them a store finds quickly that a change is not for it.
  public var requiredEqualities: [(column: String, value: FetchValue)] { filter.requiredEqualities }

  /// The section's column as a part of a key, where the order has it not: no value may divide a list that could not
  /// order it.
  package var sectionPart: OrderPart? {
    guard let section, !order.contains(where: { $0.column == section.column }) else { return nil }
    return OrderPart(
      column: section.column, type: columns[section.column].type,
      source: section.kind == .value ? .value : .section(section.kind, section.zone), isDescending: false,
      nullsFirst: true)
  }

  /// The tables whose changes concern the list.
  public var tables: [String] { raw?.tables ?? [table] }

  /// Whether the list has sections.
  public var isSectioned: Bool { section != nil || raw?.isSectioned == true }
}

extension FetchDescriptor {
  /// The plan of the request.
  /// - Throws: The request's ``validationError``.
  public func plan() throws(FetchDescriptorError) -> FetchPlan {
    if let validationError { throw validationError }
    let table = Model.fetchTable
    if let validationError = table.validationError { throw validationError }
    if let raw {
      return FetchPlan(
        table: table.name, columns: [.init(name: table.id.name, type: table.id.type)], filter: .yes,
        order: [],
        raw: raw)
    }
    try validated()
    // Columns are renumbered in the order in which the plan needs them.
    var columns = [0]
    func ordinal(_ column: Int) -> Int {
      if let known = columns.firstIndex(of: column) { return known }
      columns.append(column)
      return columns.count - 1
    }
    let filter = FetchExpression.all(filters).simplified.mapColumns(ordinal)
    var order = sortKeys
    var planSection: FetchPlan.Section?
    if let section {
      let column = table.columns[section.column]
      let first = sortKeys[0]
      let follows = first.column == section.column && section.kind.follows(folded: first.source == .folded)
      let isPrefix =
        section.order == .ascending || section.order == .descending
        || (section.order == .automatic && !follows)
      if isPrefix {
        let isDescending = section.order == .descending
        order.insert(
          OrderComponent(
            column: section.column, name: column.name, type: column.type,
            source: section.kind == .value ? .value : .section(section.kind, section.zone),
            isDescending: isDescending,
            nullsFirst: !isDescending), at: 0)
      }
      planSection = .init(
        column: ordinal(section.column), kind: section.kind, zone: section.zone,
        isKeptTogether: section.order != .bySortKeys)
    }
    for position in order.indices { order[position].column = ordinal(order[position].column) }
    for column in columns {
      if let validationError = table.columns[column].validationError { throw validationError }
    }
    return FetchPlan(
      table: table.name,
      columns: columns.map { .init(name: table.columns[$0].name, type: table.columns[$0].type) },
      ignoredColumns: Set(hidden.filter { !columns.contains($0) }.map { table.columns[$0].name }),
      filter: filter, order: order, section: planSection, limit: limitCount, offset: offsetCount)
  }
}

extension FetchExpression {
  /// Without conjunctions inside of conjunctions.
  var simplified: FetchExpression {
    guard case .all(let operands) = self else { return self }
    var flat: [FetchExpression] = []
    for operand in operands {
      if case .all(let inner) = operand.simplified { flat += inner } else { flat.append(operand) }
    }
    return flat.count == 1 ? flat[0] : .all(flat)
  }

  /// The same expression with its columns renumbered.
  func mapColumns(_ map: (Int) -> Int) -> FetchExpression {
    switch self {
    case .column(let position, let name): .column(map(position), name: name)
    case .constant: self
    case .compare(let comparison, let a, let b): .compare(comparison, a.mapColumns(map), b.mapColumns(map))
    case .all(let operands): .all(operands.map { $0.mapColumns(map) })
    case .any(let operands): .any(operands.map { $0.mapColumns(map) })
    case .not(let operand): .not(operand.mapColumns(map))
    case .among(let operand, let values): .among(operand.mapColumns(map), values)
    case .match(let match, let folded, let a, let b):
      .match(match, folded: folded, a.mapColumns(map), b.mapColumns(map))
    case .coalesce(let a, let b): .coalesce(a.mapColumns(map), b.mapColumns(map))
    case .choose(let test, let a, let b): .choose(test.mapColumns(map), a.mapColumns(map), b.mapColumns(map))
    case .folded(let operand): .folded(operand.mapColumns(map))
    case .isEmpty(let operand): .isEmpty(operand.mapColumns(map))
    }
  }
}

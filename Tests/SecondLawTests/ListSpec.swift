#if SQLite
  import Foundation
  import LiveFetch

  /// A filter, as a value: it is a predicate for the library and a rule for the oracle.
  enum Filter: Hashable, Sendable {
    case everything
    case numberIs(Int64)
    case numberIsNot(Int64)
    case numberIsNil
    case numberBelow(Int64)
    case numberAmong([Int64])
    case numberIsAndName(Int64, String)
    case numberIsOrName(Int64, String)
    case notNumber(Int64)
    case otherFrom(Int64)
    case otherWithin(Int64, Int64)
    case textIs(String)
    case textIsNil
    case nameIs(String)
    case nameBefore(String)
    case nameContains(String)
    case nameStarts(String)
    case realAbove(Double)
    case bytesAre([UInt8])
    case madeIs(Int64)
  }

  struct Sort: Hashable, Sendable {
    var role: Role
    var isDescending = false
    var isFolded = false
    var nullsFirst = true
  }

  struct Sectioning: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case value, folded, initial, year, month, day }
    enum Order: Hashable, Sendable { case automatic, ascending, descending, bySortKeys }
    var role: Role
    var kind = Kind.value
    var order = Order.automatic
    /// The identifier of the time zone whose days are meant; nil for UTC.
    var zone: String?
  }

  extension Sectioning {
    var timeZone: TimeZone { zone.flatMap { TimeZone(identifier: $0) } ?? .gmt }
  }

  /// The description of a list, as a value: a request for the library and a rule for the oracle.
  struct ListSpec: Hashable, Sendable {
    var filter = Filter.everything
    var sorts: [Sort] = []
    var section: Sectioning?
    var limit: Int?
    var offset = 0
    var hidden: [Role] = []
  }

  extension Filter {
    /// The constants that the filter compares a column with.
    var constants: [(role: Role, value: Cell)] {
      func text(_ value: String) -> Cell { .text(Array(value.utf8)) }
      return switch self {
      case .numberIs(let value), .numberIsNot(let value), .notNumber(let value): [(.number, .integer(value))]
      case .numberAmong(let values): values.map { (.number, .integer($0)) }
      case .numberIsAndName(let value, let name), .numberIsOrName(let value, let name):
        [(.number, .integer(value)), (.name, text(name))]
      case .otherFrom(let value): [(.other, .integer(value))]
      case .otherWithin(let low, let high): [(.other, .integer(low)), (.other, .integer(high))]
      case .textIs(let value): [(.text, text(value))]
      case .nameIs(let value), .nameBefore(let value): [(.name, text(value))]
      case .madeIs(let value): [(.made, .integer(value))]
      // Of what a function gives, and of NULL, the column's type says nothing.
      case .everything, .numberIsNil, .numberBelow, .textIsNil, .nameContains, .nameStarts, .realAbove,
        .bytesAre:
        []
      }
    }

    /// The properties that the filter reads.
    var roles: [Role] {
      switch self {
      case .everything: []
      case .numberIs, .numberIsNot, .numberIsNil, .numberBelow, .numberAmong, .notNumber: [.number]
      case .numberIsAndName, .numberIsOrName: [.number, .name]
      case .otherFrom, .otherWithin: [.other]
      case .textIs, .textIsNil: [.text]
      case .nameIs, .nameBefore, .nameContains, .nameStarts: [.name]
      case .realAbove: [.real]
      case .bytesAre: [.bytes]
      case .madeIs: [.made]
      }
    }

    func predicate<Key: LawKey>(_: Key.Type) -> Predicate<Item<Key>>? {
      typealias Row = Item<Key>
      switch self {
      case .everything: return nil
      case .numberIs(let value): return #Predicate<Row> { $0.number == value }
      case .numberIsNot(let value): return #Predicate<Row> { $0.number != value }
      case .numberIsNil: return #Predicate<Row> { $0.number == nil }
      case .numberBelow(let value): return #Predicate<Row> { ($0.number ?? 0) < value }
      case .numberAmong(let values):
        let values = values.map { Optional($0) }
        return #Predicate<Row> { values.contains($0.number) }
      case .numberIsAndName(let value, let name):
        return #Predicate<Row> { $0.number == value && $0.name == name }
      case .numberIsOrName(let value, let name):
        return #Predicate<Row> { $0.number == value || $0.name == name }
      case .notNumber(let value): return #Predicate<Row> { !($0.number == value) }
      case .otherFrom(let value): return #Predicate<Row> { $0.other >= value }
      case .otherWithin(let low, let high):
        let range = low...high
        return #Predicate<Row> { range.contains($0.other) }
      case .textIs(let value): return #Predicate<Row> { $0.text == value }
      case .textIsNil: return #Predicate<Row> { $0.text == nil }
      case .nameIs(let value): return #Predicate<Row> { $0.name == value }
      case .nameBefore(let value): return #Predicate<Row> { $0.name < value }
      case .nameContains(let value): return #Predicate<Row> { $0.name.contains(value) }
      case .nameStarts(let value): return #Predicate<Row> { $0.name.starts(with: value) }
      case .realAbove(let value): return #Predicate<Row> { ($0.real ?? 0) > value }
      case .bytesAre(let value):
        let data = Data(value)
        return #Predicate<Row> { $0.bytes == data }
      case .madeIs(let value): return #Predicate<Row> { $0.made == value }
      }
    }
  }

  extension ListSpec {
    /// The properties that decide about the list.
    var roles: Set<Role> { orderingRoles.union(filter.roles) }

    /// The properties of which a row's position is made: a row in which one of them does not fit its type cannot be
    /// listed. What a filter alone compares, it compares as SQL does.
    var orderingRoles: Set<Role> { Set([.id] + sorts.map(\.role) + (section.map { [$0.role] } ?? [])) }

    func request<Key: LawKey>(_: Key.Type) -> FetchDescriptor<Item<Key>> {
      typealias Row = Item<Key>
      var request = FetchDescriptor<Row>()
      if let predicate = filter.predicate(Key.self) { request = request.filter(predicate) }
      request = request.ordered(by: sorts.map { Self.key($0, Key.self) })
      if let section {
        let order: FetchSectionOrder =
          switch section.order {
          case .automatic: .automatic
          case .ascending: .ascending
          case .descending: .descending
          case .bySortKeys: .bySortKeys
          }
        request = request.sectioned(by: Self.sectionKey(section, Key.self), order: order)
      }
      if let limit { request = request.limit(limit) }
      if offset > 0 { request = request.offset(offset) }
      for role in hidden {
        switch role {
        case .number: request = request.ignoringChanges(to: \.number)
        case .other: request = request.ignoringChanges(to: \.other)
        case .real: request = request.ignoringChanges(to: \.real)
        case .text: request = request.ignoringChanges(to: \.text)
        case .name: request = request.ignoringChanges(to: \.name)
        case .bytes: request = request.ignoringChanges(to: \.bytes)
        case .date: request = request.ignoringChanges(to: \.date)
        case .made: request = request.ignoringChanges(to: \.made)
        case .id: break
        }
      }
      return request
    }

    private static func key<Key: LawKey>(_ sort: Sort, _: Key.Type) -> FetchSortKey<Item<Key>> {
      func key<Value: FetchColumnValue>(_ path: any KeyPath<Item<Key>, Value> & Sendable) -> FetchSortKey<
        Item<Key>
      > {
        let nulls = sort.nullsFirst ? FetchNulls.first : .last
        return sort.isDescending
          ? .descending(path, folded: sort.isFolded, nulls: nulls)
          : .ascending(path, folded: sort.isFolded, nulls: nulls)
      }
      return switch sort.role {
      case .id: key(\.id)
      case .number: key(\.number)
      case .other: key(\.other)
      case .real: key(\.real)
      case .text: key(\.text)
      case .name: key(\.name)
      case .bytes: key(\.bytes)
      case .date: key(\.date)
      case .made: key(\.made)
      }
    }

    private static func sectionKey<Key: LawKey>(_ section: Sectioning, _: Key.Type) -> FetchSectionKey<
      Item<Key>
    > {
      func key<Value: FetchColumnValue>(_ path: any KeyPath<Item<Key>, Value> & Sendable)
        -> FetchSectionKey<Item<Key>>
      {
        switch section.kind {
        case .value: .value(path)
        case .folded: .folded(path)
        case .initial: .initial(path)
        case .year: .year(path, in: section.timeZone)
        case .month: .month(path, in: section.timeZone)
        case .day: .day(path, in: section.timeZone)
        }
      }
      return switch section.role {
      case .id: key(\.id)
      case .number: key(\.number)
      case .other: key(\.other)
      case .real: key(\.real)
      case .text: key(\.text)
      case .name: key(\.name)
      case .bytes: key(\.bytes)
      case .date: key(\.date)
      case .made: key(\.made)
      }
    }
  }
#endif

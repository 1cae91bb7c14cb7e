#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveStore
  import Snapshots
  import _TestTools

  /// A condition, with its own way of being evaluated.
  indirect enum LawCondition: Sendable {
    case less(LawColumn, Int)
    case isNull(LawColumn)
    case contains(String, folded: Bool)
    case among([Int])
    case equals(LawColumn, Int)
    case not(LawCondition)
    case any([LawCondition])
    case all([LawCondition])

    init(_ random: inout SplitMix, depth: Int, canFold: Bool) {
      let column = LawColumn.allCases.randomElement(using: &random) ?? .n
      let pick = Int.random(in: 0..<6, using: &random)
      func part(_ random: inout SplitMix) -> LawCondition {
        LawCondition(&random, depth: depth - 1, canFold: canFold)
      }
      switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &random) {
      case 0, 1: self = .less(column == .f ? .m : column, pick)
      case 2: self = .isNull(column)
      case 3: self = .contains(["a", "A", "e", ""][pick % 4], folded: canFold && pick % 2 == 0)
      case 4: self = .among([pick, (pick + 2) % 6])
      case 5, 6: self = .equals(column, pick)
      case 7: self = .not(part(&random))
      case 8: self = .any([part(&random), part(&random)])
      default: self = .all([part(&random), part(&random)])
      }
    }

    private static func column(_ column: LawColumn) -> FetchExpression {
      .column((LawColumn.allCases.firstIndex(of: column) ?? 0) + 1, name: column.rawValue)
    }

    var expression: FetchExpression {
      switch self {
      case .less(let column, let pick): .compare(.less, Self.column(column), .constant(column.pool[pick]))
      case .isNull(let column): .compare(.equal, Self.column(column), .constant(.null))
      case .contains(let text, let folded):
        .match(.contains, folded: folded, Self.column(.t), .constant(.text(text)))
      case .among(let picks): .among(Self.column(.m), Set(picks.map { LawColumn.m.pool[$0] }))
      case .equals(let column, let pick): .compare(.equal, Self.column(column), .constant(column.pool[pick]))
      case .not(let operand): .not(operand.expression)
      case .any(let operands): .any(operands.map(\.expression))
      case .all(let operands): .all(operands.map(\.expression))
      }
    }

    /// By the three values of SQL; nil is NULL.
    func holds(_ row: LawRow) -> Bool? {
      switch self {
      case .less(let column, let pick):
        let (value, other) = (row[column], column.pool[pick])
        return value.isNull || other.isNull ? nil : lawOrder(value, other) < 0
      case .isNull(let column): return row[column].isNull
      case .contains(let text, let folded):
        guard case .text(let own) = row[.t] else { return nil }
        let (bytes, wanted) =
          folded
          ? (Array(TextFolding.fold(own).utf8), Array(TextFolding.fold(text).utf8))
          : (Array(own.utf8), Array(text.utf8))
        return wanted.isEmpty || bytes.indices.contains { bytes[$0...].starts(with: wanted) }
      case .among(let picks): return picks.contains { LawColumn.m.pool[$0] == row[.m] }
      case .equals(let column, let pick): return lawOrder(row[column], column.pool[pick]) == 0
      case .not(let operand): return operand.holds(row).map { !$0 }
      case .any(let operands):
        let results = operands.map { $0.holds(row) }
        return results.contains(true) ? true : (results.contains(nil) ? nil : false)
      case .all(let operands):
        let results = operands.map { $0.holds(row) }
        return results.contains(false) ? false : (results.contains(nil) ? nil : true)
      }
    }
  }

  /// A row as a query without lists gave it.
  struct LawRow: Sendable {
    var id: FetchValue
    var values: [LawColumn: FetchValue]
    subscript(column: LawColumn) -> FetchValue { values[column] ?? .null }
  }

  /// The order of two stored values of one column, NULL first.
  func lawOrder(_ a: FetchValue, _ b: FetchValue) -> Int {
    func sign<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : (a > b ? 1 : 0) }
    switch (a, b) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.integer(let a), .integer(let b)): return sign(a, b)
    case (.real(let a), .real(let b)): return sign(a, b)
    case (.text(let a), .text(let b)):
      return a.utf8.lexicographicallyPrecedes(b.utf8)
        ? -1 : (b.utf8.lexicographicallyPrecedes(a.utf8) ? 1 : 0)
    case (.blob(let a), .blob(let b)):
      return a.lexicographicallyPrecedes(b) ? -1 : (b.lexicographicallyPrecedes(a) ? 1 : 0)
    default: return 0
    }
  }

  /// A list: a request for the library, and a rule for the law.
  struct LawList: Sendable, CustomStringConvertible {
    struct Sort: Sendable {
      var column: LawColumn
      var isDescending = false
      var isFolded = false
      var nullsLast = false
    }

    struct Section: Sendable {
      var column: LawColumn
      var kind: FetchSectionKind
      var order: FetchSectionOrder
    }

    var sorts: [Sort] = []
    var section: Section?
    var condition: LawCondition?
    var limit: Int?
    var offset = 0

    var description: String {
      "sorted by \(sorts), in sections by \(String(describing: section)), where \(String(describing: condition)), "
        + "limit \(limit ?? -1), offset \(offset)"
    }

    init(_ random: inout SplitMix) {
      func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
      if chance(3) { limit = .random(in: 0...7, using: &random) }
      if chance(6) { offset = .random(in: 1...4, using: &random) }
      // What PostgreSQL has no twin for goes without a limit; with one it is refused.
      let canFold = limit == nil && offset == 0
      sorts = LawColumn.allCases.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).map {
        Sort(
          column: $0, isDescending: chance(2), isFolded: canFold && $0 == .t && chance(2),
          nullsLast: chance(2))
      }
      if chance(2) {
        let column = LawColumn.allCases.randomElement(using: &random) ?? .m
        let kinds: [FetchSectionKind] =
          switch column {
          case .t where canFold: [.value, .folded, .initial]
          case .d where canFold, .s where canFold: [.value, .year, .month, .day]
          default: [.value]
          }
        section = Section(
          column: column, kind: kinds.randomElement(using: &random) ?? .value,
          order: [.automatic, .ascending, .descending].randomElement(using: &random) ?? .automatic)
        if chance(2) {
          sorts.removeAll { $0.column == column }
          sorts.insert(
            Sort(column: column, isDescending: chance(2), isFolded: canFold && column == .t && chance(2)),
            at: 0)
        }
      }
      // No value and no bytes are one section, whose rows are to follow one another.
      if section?.column == .b {
        for sort in sorts.indices where sorts[sort].column == .b {
          sorts[sort].nullsLast = sorts[sort].isDescending
        }
      }
      if !chance(3) { condition = LawCondition(&random, depth: 2, canFold: canFold) }
    }

    func request<Key: LawKey>(_: Key.Type) -> FetchDescriptor<LawItem<Key>> {
      var request = FetchDescriptor<LawItem<Key>>()
        .ordered(
          by: sorts.map {
            FetchSortKey(
              keyPath: LawItem<Key>.path($0.column), isDescending: $0.isDescending, isFolded: $0.isFolded,
              nulls: $0.nullsLast ? .last : .first)
          }
        )
        .offset(offset)
      if let limit { request = request.limit(limit) }
      if let section {
        request = request.sectioned(
          by: FetchSectionKey(keyPath: LawItem<Key>.path(section.column), kind: section.kind),
          order: section.order)
      }
      if let condition { request.filters.append(condition.expression) }
      return request
    }

    /// The list of some rows, the plain way.
    func expected<Key: LawKey>(_ rows: [LawRow], _: Key.Type) throws -> DiffableSnapshot<FetchSectionID, Key>
    {
      let listed = rows.filter { condition?.holds($0) ?? (condition == nil) }.sorted { order($0, $1) < 0 }
        .dropFirst(offset).prefix(limit ?? .max)
      var sections: [(FetchSectionID, [Key])] = section == nil ? [("", [])] : []
      for row in listed {
        let id = FetchSectionID(section.map { name(row[$0.column], $0) } ?? "")
        if sections.last?.0 != id { sections.append((id, [])) }
        if let key = Key(fetchValue: row.id, as: Key.fetchColumnType) {
          sections[sections.count - 1].1.append(key)
        }
      }
      return try DiffableSnapshot(sections: sections)
    }

    private func order(_ a: LawRow, _ b: LawRow) -> Int {
      if let section {
        let first = sorts[0]
        let isByText = section.kind == .folded || section.kind == .initial
        let follows = first.column == section.column && isByText == first.isFolded
        if section.order != .automatic || !follows {
          let (left, right) = (a[section.column], b[section.column])
          let order =
            section.kind == .value || left.isNull || right.isNull
            ? lawOrder(left, right) : lawOrder(.text(name(left, section)), .text(name(right, section)))
          if order != 0 { return section.order == .descending ? -order : order }
        }
      }
      for sort in sorts {
        var (left, right) = (a[sort.column], b[sort.column])
        if left.isNull != right.isNull { return left.isNull == sort.nullsLast ? 1 : -1 }
        if sort.isFolded, case .text(let x) = left, case .text(let y) = right {
          (left, right) = (.text(TextFolding.fold(x)), .text(TextFolding.fold(y)))
        }
        let order = lawOrder(left, right)
        if order != 0 { return sort.isDescending ? -order : order }
      }
      return lawOrder(a.id, b.id)
    }

    /// The text of a section, by Foundation's calendar where it is of a date.
    private func name(_ value: FetchValue, _ section: Section) -> String {
      func ofDate(_ text: String) -> String {
        String(text.prefix(section.kind == .year ? 4 : section.kind == .month ? 7 : 10))
      }
      switch (section.kind, value) {
      case (_, .null): return ""
      case (.folded, .text(let text)): return TextFolding.fold(text)
      case (.initial, .text(let text)): return TextFolding.fold(text).prefix(1).uppercased()
      case (.value, .integer(let number)): return String(number)
      case (.value, .text(let text)): return text
      case (.value, .blob(let bytes)):
        return section.column == .u
          ? UUID(fetchValue: value, as: .uuid)?.uuidString ?? "?"
          : bytes.map { String(format: "%02x", $0) }.joined()
      case (.value, .real(let number)):
        let isWhole = number.rounded() == number && abs(number) < 1e15
        return isWhole ? String(format: "%.0f", number) : String(number)
      case (_, .text(let text)): return ofDate(text)
      case (_, .integer(let microseconds)):
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
          [.year, .month, .day], from: Date(timeIntervalSince1970: Double(microseconds) / 1e6))
        return ofDate(String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0))
      default: return "?"
      }
    }
  }
#endif

#if SQLite
  import Foundation
  import LiveFetch

  /// A list as SQLite's documentation says that it must be, made from all rows of the table in Swift.
  struct Expected<Key: LawKey> {
    var sections: [(name: String, keys: [Key])] = []
    /// Rows that the filter takes and that cannot be listed: the ordinals among all rows.
    var bad: [Int] = []
    /// The list as one whose sections are not together, which is to be refused.
    var isOutOfOrder = false
    /// The row of each listed key.
    var rowOfKey: [Key: Int] = [:]

    var keys: [Key] { sections.flatMap(\.keys) }
  }

  /// The rules: affinity and storage classes (“Datatypes In SQLite”, sections 3 and 4), expressions with NULL, BINARY.
  struct Oracle {
    var table: RawDatabase.Table
    var naming: Naming
    private var ordinals: [Role: Int] = [:]

    init(_ table: RawDatabase.Table, _ naming: Naming) {
      self.table = table
      self.naming = naming
      for (role, name) in naming.columns { ordinals[role] = table.ordinal(name) }
    }

    func cell(_ role: Role, _ row: Int) -> Cell { ordinals[role].map { table.rows[row][$0] } ?? .null }

    /// Returns whether all columns that a list reads are there.
    func has(_ roles: Set<Role>) -> Bool { roles.allSatisfy { ordinals[$0] != nil } }

    func expected<Key: LawKey>(_ spec: ListSpec, _: Key.Type) -> Expected<Key> {
      var result = Expected<Key>()
      let parts = order(spec)
      var rows = table.rows.indices.filter { holds(spec.filter, $0) == true }
      rows.sort { precedes($0, $1, parts) }
      // Rows that cannot be listed count, as they do for SQL's LIMIT.
      rows = Array(rows.dropFirst(spec.offset).prefix(spec.limit ?? .max))
      var good: [(row: Int, key: Key)] = []
      var seen: Set<Key> = []
      for row in rows {
        // Of two keys that Swift takes for one (normal forms) the second in the list's order cannot be listed.
        if spec.orderingRoles.allSatisfy({ isAdmitted($0, row) }),
          spec.roles.allSatisfy({ isValid(cell($0, row)) }), let key = Key.read(cell(.id, row)),
          seen.insert(key).inserted
        {
          good.append((row, key))
        } else {
          result.bad.append(row)
        }
      }
      for (row, key) in good { result.rowOfKey[key] = row }
      guard let section = spec.section else {
        result.sections = [("", good.map(\.key))]
        return result
      }
      for (row, key) in good {
        let name = sectionName(section, row)
        // Of two names that Swift takes for one and SQLite does not neither may be put to the other, nor apart from it.
        if let last = result.sections.indices.last, result.sections[last].name.utf8.elementsEqual(name.utf8) {
          result.sections[last].keys.append(key)
        } else {
          result.sections.append((name, [key]))
        }
      }
      result.isOutOfOrder = Set(result.sections.map(\.name)).count < result.sections.count
      return result
    }

    /// Returns whether a value is no text, or one that Swift can have: a list that reads another does not have the row.
    private func isValid(_ cell: Cell) -> Bool {
      guard case .text(let bytes) = cell else { return true }
      return String(validating: bytes, as: UTF8.self) != nil
    }

    /// Returns whether a column's value is one that the model's property can be compared by.
    private func isAdmitted(_ role: Role, _ row: Int) -> Bool {
      let cell = cell(role, row)
      if role == .id { return true }
      switch (role, cell) {
      case (_, .null), (.number, .integer), (.other, .integer), (.made, .integer), (.real, .real),
        (.bytes, .blob):
        return true
      // A whole number that no floating-point number is does not fit the property.
      case (.real, .integer(let value)): return Double(exactly: value) != nil
      case (.text, .text(let bytes)), (.name, .text(let bytes)):
        return String(validating: bytes, as: UTF8.self) != nil
      case (.date, .integer): return naming.dateType == .date || naming.dateType == .dateSeconds
      case (.date, .real): return naming.dateType == .dateSeconds
      case (.date, .text): return naming.dateType == .dateText
      default: return false
      }
    }

    // MARK: Order

    private struct Part {
      var sort: Sort
      var section: Sectioning?
    }

    private func order(_ spec: ListSpec) -> [Part] {
      var parts = spec.sorts.map { Part(sort: $0) }
      if let section = spec.section {
        let follows = spec.sorts.first?.role == section.role
        switch section.order {
        case .bySortKeys: break
        case .automatic where follows: break
        case .automatic, .ascending:
          parts.insert(Part(sort: Sort(role: section.role), section: section), at: 0)
        case .descending:
          let sort = Sort(role: section.role, isDescending: true, nullsFirst: false)
          parts.insert(Part(sort: sort, section: section), at: 0)
        }
      }
      return parts + [Part(sort: Sort(role: .id))]
    }

    private func precedes(_ a: Int, _ b: Int, _ parts: [Part]) -> Bool {
      for part in parts {
        let (x, y) = (key(part, a), key(part, b))
        if x.isNull != y.isNull { return x.isNull == part.sort.nullsFirst }
        let order = Cell.compare(x, y)
        if order != 0 { return part.sort.isDescending ? order > 0 : order < 0 }
      }
      return false
    }

    private func key(_ part: Part, _ row: Int) -> Cell {
      let cell = cell(part.sort.role, row)
      if let section = part.section, section.kind != .value, !cell.isNull {
        return .text(Array(sectionName(section, row).utf8))
      }
      if part.sort.isFolded {
        if case .text(let bytes) = cell { return .text(Array(folded(bytes).utf8)) }
        return .null
      }
      return cell
    }

    private func folded(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self).folding(
        options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    // MARK: Sections

    private func sectionName(_ section: Sectioning, _ row: Int) -> String {
      let cell = cell(section.role, row)
      switch (section.kind, cell) {
      case (_, .null): return ""
      case (.folded, .text(let bytes)): return folded(bytes)
      case (.initial, .text(let bytes)): return folded(bytes).first.map { String($0).uppercased() } ?? ""
      case (.year, _): return day(cell, 4, section.zone)
      case (.month, _): return day(cell, 7, section.zone)
      case (.day, _): return day(cell, 10, section.zone)
      case (_, .integer(let value)): return "\(value)"
      case (_, .real(let value)): return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
      case (_, .text(let bytes)): return String(decoding: bytes, as: UTF8.self)
      case (_, .blob(let bytes)):
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      }
    }

    /// The first characters of `yyyy-MM-dd`, as the clocks of a zone show it; in UTC without one.
    private func day(_ cell: Cell, _ length: Int, _ zone: String?) -> String {
      let seconds: Double
      switch (naming.dateType, cell) {
      case (.dateText, .text(let bytes)):
        let text = String(decoding: bytes, as: UTF8.self)
        if zone == nil { return String(text.prefix(length)) }
        guard let date = Self.date(of: text) else { return "?" }
        seconds = date.timeIntervalSince1970
      case (.date, .integer(let value)): seconds = (Double(value) / 1_000_000).rounded(.down)
      case (_, .integer(let value)): seconds = Double(value)
      case (_, .real(let value)): seconds = value
      default: return "?"
      }
      var style = Date.ISO8601FormatStyle.iso8601.year().month().day()
      if let zone = zone.flatMap({ TimeZone(identifier: $0) }) { style.timeZone = zone }
      func day(_ seconds: Double) -> String {
        String(Date(timeIntervalSince1970: seconds).formatted(style).prefix(length))
      }
      guard zone == Self.zoneOverMidnight else { return day(seconds) }
      // A day has begun for good when a clock has shown it: there, for a minute, an hour before it is shown again.
      return (0...120).map { day(seconds - 60 * Double($0)) }.max() ?? "?"
    }

    /// The zone whose clocks went back over midnight, from 00:01 to 23:01, each autumn until 2010.
    static let zoneOverMidnight = "America/St_Johns"

    /// A date that a column has as text.
    static func date(of text: String) -> Date? {
      let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space).year().month().day().time(
        includingFractionalSeconds: true)
      return try? style.parse(text)
    }
  }
#endif

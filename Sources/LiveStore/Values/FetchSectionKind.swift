/// How a section's name comes from a column's value.
public enum FetchSectionKind: Int, Hashable, Sendable, CaseIterable {
  case value = 0
  case folded = 1
  case initial = 2
  case year = 3
  case month = 4
  case day = 5

  /// The section's name. A NULL has the empty name.
  /// - Parameters:
  ///   - value: What the column holds.
  ///   - type: How the column stores its values.
  ///   - zone: Whose days are meant; nil for those of UTC.
  public func name(of value: FetchValue, _ type: FetchColumnType, in zone: SectionZone? = nil) -> String {
    switch (self, value) {
    case (_, .null): return ""
    case (.folded, .text(let text)): return TextFolding.fold(text)
    case (.initial, .text(let text)): return Self.initial(ofFolded: TextFolding.fold(text))
    case (.year, _), (.month, _), (.day, _):
      guard let days = zone.map({ Self.days(value, type, in: $0) }) ?? Self.days(value, type) else {
        return Self.plain(value, type)
      }
      let date = CalendarDate(daysSince1970: days)
      let year = CalendarDate.digits(date.year, 4)
      if self == .year { return year }
      let month = "\(year)-\(CalendarDate.digits(date.month, 2))"
      return self == .month ? month : "\(month)-\(CalendarDate.digits(date.day, 2))"
    default: return Self.plain(value, type)
    }
  }

  /// The name of the section of an initial.
  ///
  /// Rows are in the order of the folded text's bytes, and those that begin with the same bytes follow one another: so a
  /// section is of the first scalar, not of a whole character. It is named in upper case where that leads back to it. The
  /// dotless “ı” would be called “I” as “i” is, between which there are others.
  static func initial(ofFolded text: String) -> String {
    guard let first = text.unicodeScalars.first else { return "" }
    let initial = String(first)
    let title = initial.uppercased()
    return TextFolding.fold(title).utf8.elementsEqual(initial.utf8) ? title : initial
  }

  /// The whole days since 1970 of a stored date.
  static func days(_ value: FetchValue, _ type: FetchColumnType) -> Int64? {
    switch (type, value) {
    case (.date, .integer(let microseconds)): microseconds.flooredDivision(by: 86_400_000_000).quotient
    case (.dateText, .text(let text)):
      CalendarDate.milliseconds(text).map { $0.flooredDivision(by: 86_400_000).quotient }
    case (.dateSeconds, .real(let seconds)): Int64(exactly: (seconds / 86_400).rounded(.down))
    case (.dateSeconds, .integer(let seconds)): seconds.flooredDivision(by: 86_400).quotient
    default: nil
    }
  }

  /// The days since 1970 of a stored date in a time zone.
  private static func days(_ value: FetchValue, _ type: FetchColumnType, in zone: SectionZone) -> Int64? {
    let seconds: Int64? =
      switch (type, value) {
      case (.date, .integer(let microseconds)): microseconds.flooredDivision(by: 1_000_000).quotient
      case (.dateText, .text(let text)):
        CalendarDate.milliseconds(text).map { $0.flooredDivision(by: 1_000).quotient }
      case (.dateSeconds, .real(let seconds)): Int64(exactly: seconds.rounded(.down))
      case (.dateSeconds, .integer(let seconds)): seconds
      default: nil
      }
    return seconds.map { zone.day(of: $0) }
  }

  /// The value as text: numbers in plain decimal, bytes in hexadecimal.
  private static func plain(_ value: FetchValue, _ type: FetchColumnType) -> String {
    switch value {
    case .null: ""
    case .integer(let number): String(number)
    case .real(let number): Int64(exactly: number).map { String($0) } ?? String(number)
    case .text(let text): text
    case .blob(let bytes): type == .uuid ? uuidText(bytes) : hexadecimal(bytes)
    }
  }

  /// Whether rows in the order of a column are in runs of this kind's names.
  func follows(folded: Bool) -> Bool {
    switch self {
    case .value, .year, .month, .day: !folded
    case .folded, .initial: folded
    }
  }
}

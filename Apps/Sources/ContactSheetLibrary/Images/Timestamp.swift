package import Foundation

/// A moment, in whole microseconds since 1970 in UTC: exact in the database, and compared as an integer.
package struct Timestamp: Sendable, Hashable, Comparable, Codable, RawRepresentable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  package var microseconds: Int64

  /// Creates a moment from microseconds since 1970.
  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// Microseconds since 1970, as the database stores the moment.
  package var rawValue: Int64 { microseconds }

  /// Creates a moment from what the database stores.
  package init(rawValue: Int64) { microseconds = rawValue }

  /// Creates a moment from a date; dates beyond the range of a 64-bit count are cut to it.
  package init(_ date: Date) {
    let value = (date.timeIntervalSince1970 * 1_000_000).rounded()
    microseconds = Int64(exactly: value) ?? (value < 0 ? .min : .max)
  }

  /// The moment as Foundation's date.
  package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

  /// Orders moments by time.
  package static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.microseconds < rhs.microseconds }

  /// Takes a moment from its microseconds.
  package init(from decoder: any Decoder) throws {
    microseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Writes the microseconds.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }

  /// The moment in ISO 8601, to the second, in UTC: `2024-05-06T07:08:09Z`.
  package var iso8601: String {
    let seconds = floorDivide(microseconds, 1_000_000)
    let (year, month, day) = Calendar8601.civil(fromDays: Int(floorDivide(seconds, 86_400)))
    let rest = Int(seconds - floorDivide(seconds, 86_400) * 86_400)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
  }
}

extension Timestamp {
  /// The day as people would search for it: `2024-05-06 6 May 2024`.
  package var searchText: String {
    let day = iso8601.prefix { $0 != "T" }
    let parts = day.split(separator: "-").map(String.init)
    guard parts.count == 3, let month = Int(parts[1]), let date = Int(parts[2]) else { return String(day) }
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December",
    ]
    return "\(day) \(date) \(months[(month + 11) % 12]) \(parts[0])"
  }

  /// Reads the date that EXIF writes, `2024:05:06 07:08:09`, with EXIF's offset (`+02:00`) where there is one.
  ///
  /// A camera without an offset tells local time only; it is taken as UTC, so that the same file gives the
  /// same date on every machine.
  ///
  /// - Returns: `nil` where the text is no date, as with the zeros that some cameras write.
  package init?(exif text: String, offset: String = "") {
    let numbers = text.split(whereSeparator: { ":- T".contains($0) }).map { Int($0) }
    guard numbers.count >= 6, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      let hour = numbers[3], let minute = numbers[4], let second = numbers[5],
      (1...9999).contains(year), (1...12).contains(month),
      (1...Calendar8601.daysIn(month: month, year: year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = Calendar8601.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    self.init(microseconds: Int64(seconds - Self.seconds(ofOffset: offset)) * 1_000_000)
  }

  /// The date in ISO 8601 with the parts of its second, where it has any: `init(iso8601:)` makes the same date of it.
  package var exactISO8601: String {
    let fraction = microseconds - floorDivide(microseconds, 1_000_000) * 1_000_000
    guard fraction != 0 else { return iso8601 }
    let digits = padded(Int(fraction), 6)
    let last = digits.lastIndex { $0 != "0" } ?? digits.startIndex
    return "\(iso8601.dropLast()).\(digits[...last])Z"
  }

  /// Reads what `iso8601` writes, `2024-05-06T07:08:09Z`; also with an offset, and with parts of a second.
  package init?(iso8601 text: String) {
    var rest = text[...]
    var offset = ""
    if rest.hasSuffix("Z") || rest.hasSuffix("z") {
      rest = rest.dropLast()
    } else if let sign = rest.lastIndex(where: { $0 == "+" || $0 == "-" }),
      rest.distance(from: rest.startIndex, to: sign) > 10
    {
      offset = String(rest[sign...])
      rest = rest[..<sign]
      guard offset.utf8.filter({ (48...57).contains($0) }).count == 4 else { return nil }
    }
    var microseconds: Int64 = 0
    if let dot = rest.firstIndex(of: ".") {
      let digits = rest[rest.index(after: dot)...].prefix(6)
      guard !digits.utf8.isEmpty, let value = OutsideNumber.exact(digits, in: 0...999_999).map(Int64.init)
      else {
        return nil
      }
      microseconds = (0..<(6 - digits.count)).reduce(value) { value, _ in value * 10 }
      rest = rest[..<dot]
    }
    guard rest.count == 19, rest.dropFirst(10).first.map({ "T t".contains($0) }) == true,
      let whole = Timestamp(exif: String(rest.prefix(10)) + " " + rest.suffix(8), offset: offset)
    else { return nil }
    self.init(microseconds: whole.microseconds + microseconds)
  }

  /// Seconds east of UTC of `+02:00`, `-0330` or `Z`; 0 for anything else.
  static func seconds(ofOffset text: String) -> Int {
    guard let sign = text.first, sign == "+" || sign == "-" else { return 0 }
    let digits = text.dropFirst().filter { $0.isASCII && $0.isNumber }
    guard digits.count == 4, let value = Int(digits), value / 100 <= 14, value % 100 < 60 else { return 0 }
    return (sign == "-" ? -1 : 1) * (value / 100 * 3600 + value % 100 * 60)
  }
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}

private func padded(_ value: Int, _ width: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}

/// The proleptic Gregorian calendar in integers: no locale, no time zone, no formatter.
enum Calendar8601 {
  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01. Years are counted from March, so that the leap day is a year's last.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date of a number of days since 1970-01-01.
  static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}

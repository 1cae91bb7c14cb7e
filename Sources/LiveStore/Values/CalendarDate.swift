/// Days and months of the Gregorian calendar in UTC, without a formatter and without a locale.
struct CalendarDate {
  var year: Int64
  var month: Int64
  var day: Int64

  /// The calendar day that holds a moment.
  /// - Parameter days: Whole days since 1 January 1970; negative before.
  init(daysSince1970 days: Int64) {
    // The year is counted from 1 March, so that the leap day is the last day of a year. 719,468 days lie
    // between 1 March of year 0 and 1 January 1970; an era is 400 years, 146,097 days.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Whole days since 1 January 1970.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// `yyyy-MM-dd HH:mm:ss.SSS`; nil outside of the years 0 to 9999, where the text would no longer sort.
  static func text(milliseconds: Double) -> String? {
    guard let whole = Int64(exactly: milliseconds) else { return nil }
    let (days, rest) = whole.flooredDivision(by: 86_400_000)
    let date = CalendarDate(daysSince1970: days)
    guard (0...9_999).contains(date.year) else { return nil }
    let time =
      "\(digits(rest / 3_600_000, 2)):\(digits(rest / 60_000 % 60, 2)):\(digits(rest / 1_000 % 60, 2))"
    return
      "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2)) \(time).\(digits(rest % 1_000, 3))"
  }

  /// The milliseconds since 1970 that `yyyy-MM-dd[ HH:mm[:ss[.SSS]]]` (or with a T, or a final Z) names.
  static func milliseconds(_ text: String) -> Int64? {
    var fields: [Int64] = []
    var current: Int64?
    var length = 0
    var scale: Int64 = 100
    var fraction: Int64 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = Int64(byte - UInt8(ascii: "0"))
        if fields.count == 6 {
          fraction += digit * scale
          scale /= 10
        } else {
          length += 1
          guard length <= 4 else { return nil }
          current = (current ?? 0) * 10 + digit
        }
      default:
        guard let field = current ?? (fields.count == 6 ? 0 : nil) else { return nil }
        if fields.count < 6 { fields.append(field) }
        current = nil
        length = 0
      }
    }
    if let current { fields.append(current) }
    guard fields.count >= 3, fields.count <= 6 else { return nil }
    while fields.count < 6 { fields.append(0) }
    guard (1...12).contains(fields[1]), (1...31).contains(fields[2]) else { return nil }
    let day = days(year: fields[0], month: fields[1], day: fields[2])
    return ((day * 24 + fields[3]) * 60 + fields[4]) * 60_000 + fields[5] * 1_000 + fraction
  }

  /// The number with leading zeros.
  static func digits(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return text.count >= width ? text : String(repeating: "0", count: width - text.count) + text
  }
}

extension Int64 {
  /// The quotient rounded down and the rest, which is never negative.
  func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

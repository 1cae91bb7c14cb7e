public import Foundation

/// Where rows without a value come in an order.
public enum FetchNulls: Sendable, Hashable {
  /// Before all others.
  case first
  /// After all others.
  case last
}

/// One of the values by which a request orders its rows.
///
/// Foundation's `SortDescriptor` is not used: it orders text differently on each platform.
public struct FetchSortKey<Model: FetchModel>: Sendable {
  let keyPath: any PartialKeyPath<Model> & Sendable
  let isDescending: Bool
  let isFolded: Bool
  let nulls: FetchNulls

  /// Orders by a property, the smallest first.
  /// - Parameters:
  ///   - keyPath: The property. Text is ordered by its UTF-8 bytes.
  ///   - folded: Whether text is compared without case and diacritics.
  ///   - nulls: Where rows without a value come.
  public static func ascending<Value: FetchColumnValue>(
    _ keyPath: any KeyPath<Model, Value> & Sendable, folded: Bool = false, nulls: FetchNulls = .first
  ) -> Self {
    Self(keyPath: keyPath, isDescending: false, isFolded: folded, nulls: nulls)
  }

  /// Orders by a property, the largest first.
  /// - Parameters:
  ///   - keyPath: The property. Text is ordered by its UTF-8 bytes.
  ///   - folded: Whether text is compared without case and diacritics.
  ///   - nulls: Where rows without a value come.
  public static func descending<Value: FetchColumnValue>(
    _ keyPath: any KeyPath<Model, Value> & Sendable, folded: Bool = false, nulls: FetchNulls = .last
  ) -> Self {
    Self(keyPath: keyPath, isDescending: true, isFolded: folded, nulls: nulls)
  }
}

/// The value by which a request divides its rows into sections.
///
/// Snapshots name a section by a ``FetchSectionID``, which has the value that its rows have in common, and the text that stands for it in
/// frames: a number in plain decimal, a UUID in upper case, a date's year, month or day. A row without a value is in the section with the
/// empty text.
///
/// Years, months and days are those of UTC, or of a time zone that is given. That is part of the request: where it follows
/// the user's own zone, the app gives the list another request when that changes. A day begins when a clock in the zone first
/// shows its date. Where the clock goes back over midnight, what it shows again belongs to the day that has begun: so the
/// rows of a day follow one another.
public struct FetchSectionKey<Model: FetchModel>: Sendable {
  let keyPath: any PartialKeyPath<Model> & Sendable
  let kind: FetchSectionKind
  /// The time zone whose days are meant; nil for UTC.
  var zone: SectionZone?

  /// A section for each value of a property, in the order of the values: numbers by size, dates by time, text by its bytes.
  public static func value<Value: FetchColumnValue>(_ keyPath: any KeyPath<Model, Value> & Sendable) -> Self {
    Self(keyPath: keyPath, kind: .value)
  }

  /// A section for each text without case and diacritics.
  public static func folded<Text: FetchColumnValue>(_ keyPath: any KeyPath<Model, Text> & Sendable) -> Self {
    Self(keyPath: keyPath, kind: .folded)
  }

  /// A section for each first letter, without diacritics, in upper case.
  ///
  /// Letters that share an upper case and are apart in a folded order, such as “i” and the dotless “ı”, have sections of
  /// their own: the rarer is named as it is.
  public static func initial<Text: FetchColumnValue>(_ keyPath: any KeyPath<Model, Text> & Sendable) -> Self {
    Self(keyPath: keyPath, kind: .initial)
  }

  /// A section for each year of a date, named like `2024`.
  /// - Parameters:
  ///   - keyPath: The date.
  ///   - timeZone: The time zone in which a day begins, by default UTC. Dates without a zone, which are stored as if they
  ///     were in UTC, keep their day only by that default.
  public static func year<Date: FetchColumnValue>(
    _ keyPath: any KeyPath<Model, Date> & Sendable, in timeZone: TimeZone = .gmt
  ) -> Self {
    Self(keyPath: keyPath, kind: .year, zone: .days(in: timeZone))
  }

  /// A section for each month of a date, named like `2024-03`.
  /// - Parameters:
  ///   - keyPath: The date.
  ///   - timeZone: The time zone in which a day begins, by default UTC. Dates without a zone, which are stored as if they
  ///     were in UTC, keep their day only by that default.
  public static func month<Date: FetchColumnValue>(
    _ keyPath: any KeyPath<Model, Date> & Sendable, in timeZone: TimeZone = .gmt
  ) -> Self {
    Self(keyPath: keyPath, kind: .month, zone: .days(in: timeZone))
  }

  /// A section for each day of a date, named like `2024-03-09`.
  /// - Parameters:
  ///   - keyPath: The date.
  ///   - timeZone: The time zone in which a day begins, by default UTC. Dates without a zone, which are stored as if they
  ///     were in UTC, keep their day only by that default.
  public static func day<Date: FetchColumnValue>(
    _ keyPath: any KeyPath<Model, Date> & Sendable, in timeZone: TimeZone = .gmt
  ) -> Self {
    Self(keyPath: keyPath, kind: .day, zone: .days(in: timeZone))
  }
}

/// How sections are ordered among themselves.
public enum FetchSectionOrder: Sendable, Hashable {
  /// As the sort keys do when the first of them is of the section's own property; else ascending.
  case automatic
  /// The smallest first, whatever the sort keys say.
  case ascending
  /// The largest first, whatever the sort keys say.
  case descending
  /// In the order in which the sort keys bring them. Rows of one section must then follow one another; where
  /// they do not, the fetch fails with ``FetchError/outOfOrderSection(name:)``.
  case bySortKeys
}

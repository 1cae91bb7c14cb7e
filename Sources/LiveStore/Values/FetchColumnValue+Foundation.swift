public import Foundation

extension String: FetchIdentifier {
  /// Stored as text.
  public static var fetchColumnType: FetchColumnType { .text }

  /// The text as it is.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? {
    switch type {
    case .text, .uuidText, .dateText: .text(self)
    default: nil
    }
  }

  /// Creates text; nil when the column holds something else.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    guard case .text(let value) = fetchValue else { return nil }
    self = value
  }
}

extension UUID: FetchIdentifier {
  /// Stored as 16 bytes.
  public static var fetchColumnType: FetchColumnType { .uuid }

  /// The 16 bytes, or the upper-case text where the column stores text.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? {
    switch type {
    case .uuid, .blob: .blob(withUnsafeBytes(of: uuid) { Array($0) })
    case .uuidText, .text: .text(uuidString)
    default: nil
    }
  }

  /// Creates a UUID from 16 bytes or from its text.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    switch fetchValue {
    case .blob(let bytes):
      guard bytes.count == 16 else { return nil }
      self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case .text(let text):
      guard let value = UUID(uuidString: text) else { return nil }
      self = value
    default: return nil
    }
  }

  /// Creates a UUID from 16 bytes or from its text.
  public init?(fetchRaw: FetchRawValue, as type: FetchColumnType) {
    guard fetchRaw.kind == .blob else {
      self.init(fetchValue: FetchValue(fetchRaw), as: type)
      return
    }
    guard fetchRaw.bytes.count == 16 else { return nil }
    self.init(uuid: fetchRaw.bytes.loadUnaligned(as: uuid_t.self))
  }
}

extension Data: FetchColumnValue {
  /// Stored as bytes.
  public static var fetchColumnType: FetchColumnType { .blob }

  /// The bytes.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? {
    type == .blob ? .blob(Array(self)) : nil
  }

  /// Creates data from bytes.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    guard case .blob(let bytes) = fetchValue else { return nil }
    self.init(bytes)
  }
}

extension Date: FetchColumnValue {
  /// Stored as whole microseconds since 1970.
  public static var fetchColumnType: FetchColumnType { .date }

  /// The date in the column's form; finer fractions than the form has are rounded to the nearest.
  /// - Returns: nil for a date so far off that the form cannot hold it.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? {
    let seconds = timeIntervalSince1970
    switch type {
    case .date: return Int64(exactly: (seconds * 1_000_000).rounded()).map { .integer($0) }
    case .dateSeconds: return .real(seconds)
    case .dateText: return CalendarDate.text(milliseconds: (seconds * 1_000).rounded()).map { .text($0) }
    default: return nil
    }
  }

  /// Creates a date from the column's form.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    switch (type, fetchValue) {
    case (.dateSeconds, .real(let seconds)): self.init(timeIntervalSince1970: seconds)
    case (.dateSeconds, .integer(let seconds)): self.init(timeIntervalSince1970: Double(seconds))
    case (_, .integer(let microseconds)):
      self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    case (_, .text(let text)):
      guard let milliseconds = CalendarDate.milliseconds(text) else { return nil }
      self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    default: return nil
    }
  }
}

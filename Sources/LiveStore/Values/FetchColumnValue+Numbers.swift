extension FetchColumnValue where Self: FixedWidthInteger {
  /// Stored as a whole number.
  public static var fetchColumnType: FetchColumnType { .integer }

  /// The number, or nil when 64 bits do not hold it.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? {
    switch type {
    case .integer: Int64(exactly: self).map { .integer($0) }
    case .real: Double(exactly: self).map { .real($0) }
    default: nil
    }
  }

  /// Creates a number; nil when the column holds something else, or a number out of this type's range.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    guard case .integer(let value) = fetchValue else { return nil }
    self.init(exactly: value)
  }
}

extension FetchIdentifier where Self: FixedWidthInteger {
  /// Creates a number; nil when the column holds something else, or a number out of this type's range.
  public init?(fetchRaw: FetchRawValue, as type: FetchColumnType) {
    guard fetchRaw.kind == .integer else { return nil }
    self.init(exactly: fetchRaw.integer)
  }
}

extension Int: FetchIdentifier {}
extension Int64: FetchIdentifier {}
extension Int32: FetchIdentifier {}
extension Int16: FetchColumnValue {}
extension Int8: FetchColumnValue {}
extension UInt: FetchColumnValue {}
extension UInt64: FetchColumnValue {}
extension UInt32: FetchIdentifier {}
extension UInt16: FetchColumnValue {}
extension UInt8: FetchColumnValue {}

extension FetchColumnValue where Self: BinaryFloatingPoint {
  /// Stored as a floating-point number.
  public static var fetchColumnType: FetchColumnType { .real }

  /// The number; a NaN is stored as ``FetchValue/null``, as databases do.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? {
    switch type {
    case .real: isNaN ? .null : .real(Double(self))
    case .integer: Int64(exactly: self).map { .integer($0) }
    default: nil
    }
  }

  /// Creates a number from a stored one.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    switch fetchValue {
    case .real(let value): self.init(value)
    case .integer(let value): self.init(value)
    default: return nil
    }
  }
}

extension Double: FetchColumnValue {}
extension Float: FetchColumnValue {}

extension Bool: FetchColumnValue {
  /// Stored as 0 or 1.
  public static var fetchColumnType: FetchColumnType { .integer }

  /// 1 for true, 0 for false.
  public func fetchValue(as type: FetchColumnType) -> FetchValue? {
    type == .integer ? .integer(self ? 1 : 0) : nil
  }

  /// Creates a truth value; every number but 0 is true.
  public init?(fetchValue: FetchValue, as type: FetchColumnType) {
    guard case .integer(let value) = fetchValue else { return nil }
    self = value != 0
  }
}

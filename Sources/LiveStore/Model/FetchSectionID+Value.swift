import Foundation

extension FetchSectionID {
  /// The value that the section's rows have in common.
  ///
  /// ```swift
  /// list.headerTitle = { (try? $0.value(as: Kind?.self))?.title ?? "Without a kind" }
  /// ```
  ///
  /// Sections by initial, year, month or day have their texts for values; that of a day is read as a `Date`, too, which is the
  /// beginning of that day in UTC.
  /// - Parameter type: The type of the property, or another that is stored alike. An optional type is nil in the section of rows
  ///   without a value; others are empty there, if they can be.
  /// - Returns: The value.
  /// - Throws: ``FetchError/row(_:)`` when the section's value is not of the type: an enumeration has no such case, or a type that
  ///   is not optional is asked for in the section of rows without a value.
  public func value<Value: FetchColumnValue>(as type: Value.Type = Value.self) throws(FetchError) -> Value {
    let form = self.type ?? Value.fetchColumnType
    let candidates = isEmpty ? [.null, .text(""), .blob([])] : [storedValue(as: form)].compactMap(\.self)
    for stored in candidates {
      if let value = Value(fetchValue: stored, as: form) { return value }
    }
    throw .row(
      RowDecodingFailure(id: nil, column: nil, message: "The section “\(text)” is that of no \(Value.self)."))
  }

  /// The value in the form that a column of a type has it in; nil if the text stands for none.
  private func storedValue(as type: FetchColumnType) -> FetchValue? {
    switch type {
    case .text, .uuidText, .dateText: .text(text)
    case .integer, .date: Int64(text).map { .integer($0) }
    case .real, .dateSeconds: Double(text).map { .real($0) }
    case .blob: bytes(fromHexadecimal: text).map { .blob($0) }
    case .uuid: UUID(uuidString: text)?.fetchValue(as: .uuid)
    }
  }
}

/// The bytes that hexadecimal digits stand for; nil where there is another character, or half a byte.
private func bytes(fromHexadecimal text: String) -> [UInt8]? {
  let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
  guard digits.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  for start in stride(from: 0, to: digits.count, by: 2) {
    guard let high = digits[start], let low = digits[start + 1] else { return nil }
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}

import Foundation

extension FetchDescriptorError {
  /// A column whose dates are stored in another form than it is declared with; nil where the value is of no such form.
  package static func storedForm(_ column: FetchPlan.Column, _ value: FetchValue) -> Self? {
    column.cure(value).map { cure in
      Self(
        kind: .storedForm,
        description:
          "In all rows the column “\(column.name)” has \(column.type.isDate ? "dates" : "UUIDs") in another form than "
          + "\(column.type), such as \(value): \(cure).")
    }
  }

  /// Keys that are all stored in another form than the identifiers made of them.
  package static func keyForm(_ column: FetchPlan.Column, _ value: FetchValue, _ type: Any.Type) -> Self {
    Self(
      kind: .storedForm,
      description:
        "In all rows the column “\(column.name)” has keys in another form than \(type) writes them, such as \(value), so that "
        + "no row is found by its identifier: store them as it writes them (`UPDATE … SET \(column.name) = "
        + "upper(\(column.name))` where UUIDs are text), or let `id` be a `String`.")
  }
}

extension FetchPlan.Column {
  /// Returns how the column is to be declared, for a date or a UUID in another form than it is declared with; nil where
  /// the form is the declared one.
  func cure(_ value: FetchValue) -> String? {
    guard !type.admits(value) else { return nil }
    return type.isDate ? dateCure(value) : uuidCure(value)
  }

  private func uuidCure(_ value: FetchValue) -> String? {
    switch (type, value) {
    case (.uuid, .text(let text)):
      UUID(uuidString: text).map { uuid in
        uuid.uuidString == text
          ? Self.declaration(.uuidText)
          : "store them in upper case (`UPDATE … SET \(name) = upper(\(name))`) and \(Self.declaration(.uuidText)), or "
            + "let the property be a `String`"
      }
    case (.uuidText, .blob(let bytes)) where bytes.count == 16: Self.declaration(.uuid)
    default: nil
    }
  }

  private func dateCure(_ value: FetchValue) -> String? {
    switch value {
    case .text(let text):
      return CalendarDate.milliseconds(text).map { _ in Self.declaration(.dateText) }
    case .real(let number):
      // An infinite time says nothing of the form.
      return number.isFinite ? Self.cure(number.magnitude, isWhole: false) : nil
    case .integer(let number):
      return Self.cure(Double(number.magnitude), isWhole: true)
    case .blob, .null: return nil
    }
  }

  private static func declaration(_ type: FetchColumnType) -> String { "declare it with `stored: .\(type)`" }

  /// The same day is a thousand times as far from 1970 in the next finer unit. From 1973 to 5138, the numbers of one are none of
  /// another's.
  private static func cure(_ magnitude: Double, isWhole: Bool) -> String {
    switch magnitude {
    case 1e8..<1e11: "\(declaration(.dateSeconds)) if these are seconds since 1970"
    case 1e11..<1e14:
      "these may be milliseconds, which is no form of a column of dates: let the property be a number"
    case 1e14..<1e17 where isWhole: "\(declaration(.date)) if these are microseconds since 1970"
    default: "say how its dates are stored, with `stored:`, or let the property be a number"
    }
  }
}

extension RowDecodingFailure {
  /// A row with text that is no valid UTF-8 in a column that a list reads.
  package init(_ id: FetchValue, invalidText value: FetchValue, in column: FetchPlan.Column?) {
    self.init(
      id: id.keyDescription, column: column?.name,
      message: "The row \(id.keyDescription) has text that is no valid UTF-8, \(value)"
        + (column.map { ", in the column “\($0.name)”." } ?? ", for the name of its section."))
  }

  /// A row that has a value in a column which the column's type does not admit.
  package init(_ id: FetchValue, _ value: FetchValue, in column: FetchPlan.Column) {
    var message =
      "The row \(id.keyDescription) has \(value) in the column “\(column.name)”, which stores \(column.type)."
    message += " Mend the row, or give the property the type that is stored."
    if let cure = column.cure(value) { message += " If other rows do as well, \(cure)." }
    self.init(id: id.keyDescription, column: column.name, message: message)
  }
}

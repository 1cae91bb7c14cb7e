/// Whole numbers in text that comes from outside: queries, forms, headers, files.
///
/// Only ASCII digits count, after a minus at most; `Int`'s initializer takes a plus, too. Whoever calculates with such a
/// number has it within bounds first: an overflow ends the program.
package enum OutsideNumber {
  /// Reads a number and clamps it to a range, however long it is.
  ///
  /// - Returns: `nil` where the text is not a number.
  package static func clamped(_ text: some StringProtocol, to range: ClosedRange<Int>) -> Int? {
    let isNegative = text.beginsExactly(with: "-")
    let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    var value = 0
    for digit in digits {
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = product.subtractingReportingOverflow(Int(digit) - 48)
      // Below zero, since that side reaches further by one.
      guard !overflows, !overflowsToo else { return isNegative ? range.lowerBound : range.upperBound }
      value = sum
    }
    if !isNegative { value = value == .min ? .max : -value }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// Reads a number of a range.
  ///
  /// - Returns: `nil` where the text is not a number, or one beyond the range.
  package static func exact(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    // A clamped number that is not at an end was not clamped; one at an end may have been.
    let wider = max(range.lowerBound, .min + 1) - 1...min(range.upperBound, .max - 1) + 1
    return clamped(text, to: wider).flatMap { range.contains($0) ? $0 : nil }
  }
}

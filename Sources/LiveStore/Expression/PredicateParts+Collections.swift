public import Foundation

extension PredicateExpressions.SequenceContains: PredicatePart {
  /// `values.contains($0.column)`.
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    guard case .constant(let captured) = try compiler.compile(sequence),
      let values = captured as? any Sequence
    else {
      throw FetchDescriptorError.unsupportedExpression("contains on a collection that is a column")
    }
    let operand = try compiler.compile(element)
    let expression = try compiler.resolve(operand, as: nil)
    var stored: Set<FetchValue> = []
    for value in values {
      stored.insert(try PredicateCompiler.stored(value, as: operand.type).normalized)
    }
    return .expression(.among(expression, stored), .integer)
  }
}

extension PredicateExpressions.CollectionContainsCollection: PredicatePart {
  /// `$0.title.contains("text")`.
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    try compiler.match(.contains, base, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: PredicatePart {
  /// `$0.title.starts(with: "text")`.
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    try compiler.match(.prefix, base, prefix)
  }
}

extension PredicateCompiler {
  mutating func match(
    _ match: FetchExpression.TextMatch, folded: Bool = false, _ subject: Any, _ pattern: Any
  ) throws -> PredicateOperand {
    let (a, b) = try pair(subject, pattern)
    for side in [a, b] {
      if case .constant(let value) = side, case .text = value { continue }
      if case .constant = side {
        throw FetchDescriptorError.unsupportedExpression("a text search in what is no text")
      }
      if case .column(let position, let name) = side, columns.columns[position].type != .text {
        throw FetchDescriptorError.wrongColumn("A search in text", name, needed: "text")
      }
    }
    return .expression(.match(match, folded: folded, a, b), .integer)
  }
}

extension PredicateExpressions.Range: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    .range(
      lower: .init(operand: lower, isIncluded: true), upper: .init(operand: upper, isIncluded: false))
  }
}

extension PredicateExpressions.ClosedRange: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    .range(
      lower: .init(operand: lower, isIncluded: true), upper: .init(operand: upper, isIncluded: true))
  }
}

extension PredicateExpressions.RangeExpressionContains: PredicatePart {
  /// `(low...high).contains($0.column)`, the range written out or captured.
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    let bounds: PredicateOperand
    switch try compiler.compile(range) {
    case .constant(let captured):
      guard let captured = captured as? any BoundedRange else {
        throw FetchDescriptorError.unsupportedExpression("a \(type(of: captured))")
      }
      bounds = captured.bounds
    case let operand: bounds = operand
    }
    guard case .range(let lower, let upper) = bounds else {
      throw FetchDescriptorError.unsupportedExpression("contains of something that is no range")
    }
    var tests: [FetchExpression] = []
    if let lower {
      let (value, bound) = try compiler.pair(element, lower.operand)
      tests.append(.compare(lower.isIncluded ? .greaterOrEqual : .greater, value, bound))
    }
    if let upper {
      let (value, bound) = try compiler.pair(element, upper.operand)
      tests.append(.compare(upper.isIncluded ? .lessOrEqual : .less, value, bound))
    }
    return .expression(.all(tests), .integer)
  }
}

/// A captured range of any kind.
private protocol BoundedRange {
  var bounds: PredicateOperand { get }
}

/// A captured bound, which the compiler meets as if the predicate had held it.
private struct CapturedValue: PredicatePart {
  var value: Any
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand { .constant(value) }
}

extension PredicateOperand {
  fileprivate static func bound(_ value: Any, included: Bool) -> FetchBound {
    FetchBound(operand: CapturedValue(value: value), isIncluded: included)
  }
}

extension Range: BoundedRange {
  fileprivate var bounds: PredicateOperand {
    .range(
      lower: PredicateOperand.bound(lowerBound, included: true),
      upper: PredicateOperand.bound(upperBound, included: false))
  }
}

extension ClosedRange: BoundedRange {
  fileprivate var bounds: PredicateOperand {
    .range(
      lower: PredicateOperand.bound(lowerBound, included: true),
      upper: PredicateOperand.bound(upperBound, included: true))
  }
}

extension PartialRangeFrom: BoundedRange {
  fileprivate var bounds: PredicateOperand {
    .range(lower: PredicateOperand.bound(lowerBound, included: true), upper: nil)
  }
}

extension PartialRangeUpTo: BoundedRange {
  fileprivate var bounds: PredicateOperand {
    .range(lower: nil, upper: PredicateOperand.bound(upperBound, included: false))
  }
}

extension PartialRangeThrough: BoundedRange {
  fileprivate var bounds: PredicateOperand {
    .range(lower: nil, upper: PredicateOperand.bound(upperBound, included: true))
  }
}

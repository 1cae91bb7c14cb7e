public import Foundation

// The conformances of Foundation's expression types to our own protocol. None restricts its generic parameters,
// so that the dynamic cast finds each of them; what is inside is judged when it is compiled.

extension PredicateExpressions.Variable: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    guard let operand = compiler.variables[key] else {
      throw FetchDescriptorError.unsupportedExpression("a variable of another predicate")
    }
    return operand
  }
}

extension PredicateExpressions.KeyPath: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    let base = try compiler.compile(root)
    // `isEmpty` of a text arrives as one more key path.
    if let isEmpty = keyPath as? Swift.KeyPath<String, Bool>, isEmpty == \String.isEmpty {
      return .expression(.isEmpty(try compiler.resolve(base, as: .text)), .integer)
    }
    switch base {
    case .row(let path):
      guard let path else { return try compiler.column(keyPath) }
      guard let joined = path.appending(path: keyPath) else {
        throw FetchDescriptorError.unknownColumn(keyPath)
      }
      return try compiler.column(joined)
    case .constant:
      return .constant(try evaluate(PredicateBindings()))
    case .expression, .range:
      throw FetchDescriptorError.propertyOfValue(keyPath)
    }
  }
}

extension PredicateExpressions.Value: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand { .constant(value) }
}

extension PredicateExpressions.NilLiteral: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    .expression(.constant(.null), nil)
  }
}

extension PredicateExpressions.Equal: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    let (a, b) = try compiler.pair(lhs, rhs)
    return .expression(.compare(.equal, a, b), .integer)
  }
}

extension PredicateExpressions.NotEqual: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    let (a, b) = try compiler.pair(lhs, rhs)
    return .expression(.compare(.notEqual, a, b), .integer)
  }
}

extension PredicateExpressions.Comparison: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    let (a, b) = try compiler.pair(lhs, rhs)
    let comparison: FetchExpression.Comparison =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw FetchDescriptorError.unsupportedExpression("\(op)")
      }
    return .expression(.compare(comparison, a, b), .integer)
  }
}

extension PredicateExpressions.Conjunction: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    .expression(.all([try compiler.expression(lhs), try compiler.expression(rhs)]), .integer)
  }
}

extension PredicateExpressions.Disjunction: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    .expression(.any([try compiler.expression(lhs), try compiler.expression(rhs)]), .integer)
  }
}

extension PredicateExpressions.Negation: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    .expression(.not(try compiler.expression(wrapped)), .integer)
  }
}

extension PredicateExpressions.NilCoalesce: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    let type = try compiler.compile(lhs).type
    let (a, b) = try compiler.pair(lhs, rhs)
    return .expression(.coalesce(a, b), type)
  }
}

extension PredicateExpressions.ForcedUnwrap: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    try compiler.compile(inner)
  }
}

extension PredicateExpressions.OptionalFlatMap: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    let operand = try compiler.compile(wrapped)
    let value = try compiler.resolve(operand, as: nil)
    compiler.variables[variable.key] = .expression(value, operand.type)
    let result = try compiler.compile(transform)
    // Without the test a transform that makes something of NULL (`== nil`, `isEmpty`) would be run on it.
    let expression = try compiler.resolve(result, as: nil)
    return .expression(
      .choose(.compare(.equal, value, .constant(.null)), .constant(.null), expression), result.type)
  }
}

extension PredicateExpressions.Conditional: PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
    let condition = try compiler.expression(test)
    let type = try compiler.compile(trueBranch).type
    let (a, b) = try compiler.pair(trueBranch, falseBranch)
    return .expression(.choose(condition, a, b), type)
  }
}

import Foundation

/// Turns the expression of a `#Predicate` into a ``FetchExpression``.
///
/// Foundation's expression types conform to ``PredicatePart``; one that does not is reported by name.
struct PredicateCompiler {
  /// A table's columns without the model's type.
  struct Columns {
    var position: (AnyKeyPath) -> Int?
    var columns: [(name: String, type: FetchColumnType)]
  }

  var columns: Columns
  /// The meanings of the variables of the predicate and of its closures.
  var variables: [PredicateExpressions.VariableID: PredicateOperand] = [:]

  func column(_ path: AnyKeyPath) throws(FetchDescriptorError) -> PredicateOperand {
    guard let position = columns.position(path) else { throw .unknownColumn(path) }
    let column = columns.columns[position]
    return .expression(.column(position, name: column.name), column.type)
  }

  /// Compiles a part of the predicate.
  mutating func compile(_ part: Any) throws -> PredicateOperand {
    guard let part = part as? any PredicatePart else {
      // What does not depend on the row, such as `-1`, is a constant however it is written.
      if let expression = part as? any PredicateExpression,
        let value = try? Self.value(of: expression)
      {
        return .constant(value)
      }
      throw FetchDescriptorError.unsupportedExpression(Self.name(of: part))
    }
    return try part.compile(&self)
  }

  /// Returns the name of a part that has no form in SQL: that of its type, without the types that it is made of.
  private static func name(of part: Any) -> String {
    let name = "\(type(of: part))".prefix { $0 != "<" }
    return name == "Arithmetic" ? "arithmetic (`+`, `-`, `*`)" : "`\(name)`"
  }

  private static func value(of expression: some PredicateExpression) throws -> Any {
    try expression.evaluate(PredicateBindings())
  }

  /// Compiles a part that must come out as something the database can compute.
  mutating func expression(_ part: Any) throws -> FetchExpression {
    try resolve(compile(part), as: nil)
  }

  /// Compiles two parts that are compared: a constant takes the form in which the other side is stored.
  mutating func pair(_ left: Any, _ right: Any) throws -> (FetchExpression, FetchExpression) {
    let a = try compile(left)
    let b = try compile(right)
    let type = a.type ?? b.type
    if let first = a.type, let second = b.type, first != second {
      throw FetchDescriptorError.incomparable("\(first)", "\(second)")
    }
    return (try resolve(a, as: type), try resolve(b, as: type))
  }

  /// The operand as an expression; `type` is how the other side of a comparison stores its values.
  func resolve(_ operand: PredicateOperand, as type: FetchColumnType?) throws(FetchDescriptorError)
    -> FetchExpression
  {
    switch operand {
    case .expression(let expression, _): return expression
    case .constant(let value): return .constant(try Self.stored(value, as: type))
    case .row(let path):
      guard let path else { throw .unsupportedExpression("the row itself") }
      return try resolve(column(path), as: type)
    case .range: throw .unsupportedExpression("a range outside of contains")
    }
  }

  /// The stored form of a captured value.
  static func stored(_ value: Any, as type: FetchColumnType?) throws(FetchDescriptorError) -> FetchValue {
    guard let column = value as? any FetchColumnValue else {
      if case Optional<Any>.none = value { return .null }
      throw .unsupportedValue("\(Swift.type(of: value))")
    }
    let type = type ?? Swift.type(of: column).fetchColumnType
    guard let stored = column.fetchValue(as: type) else {
      // Of a date that is far off Foundation has no description.
      let text =
        (value as? Date).map { "the date \($0.timeIntervalSince1970) seconds from 1970" } ?? "\(value)"
      throw .unsupportedValue("\(text), which a column of type \(type) cannot hold")
    }
    if type == .dateText, let date = value as? Date, date.timeIntervalSince1970 < firstGregorianDay {
      throw .unsupportedValue(
        "the date \(date.timeIntervalSince1970) seconds from 1970, which a text names differently by the writer's"
          + " calendar: such dates are before 15 October 1582. Store dates as .dateSeconds or .date")
    }
    return stored
  }

  /// 15 October 1582. GRDB writes dates before it by the Julian calendar, SQLite's functions by the Gregorian one: what a
  /// text of such a day means is not known.
  private static let firstGregorianDay = -12_219_292_800.0
}

/// The compiled form of a part of a predicate.
enum PredicateOperand {
  /// The row, or a property of it that may become a column; nil is the row itself.
  case row(AnyKeyPath?)
  /// A value that was captured.
  case constant(Any)
  /// Something the database computes, and how a column of its values stores them.
  case expression(FetchExpression, FetchColumnType?)
  /// Bounds; a missing upper or lower one is nil.
  case range(lower: FetchBound?, upper: FetchBound?)

  var type: FetchColumnType? {
    if case .expression(_, let type) = self { type } else { nil }
  }

  struct FetchBound {
    var operand: Any
    var isIncluded: Bool
  }
}

/// A part of a predicate that can be compiled.
protocol PredicatePart {
  func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand
}

extension FetchTable {
  /// Compiles a predicate over this table's columns.
  /// - Throws: ``FetchDescriptorError`` naming the part that has no column or no form in SQL.
  func compile(_ predicate: Predicate<Model>) throws(FetchDescriptorError) -> FetchExpression {
    var compiler = PredicateCompiler(
      columns: .init(
        position: { position(of: $0) }, columns: columns.map { ($0.name, $0.type) }))
    compiler.variables[predicate.variable.key] = .row(nil)
    do {
      return try compiler.expression(predicate.expression)
    } catch let error as FetchDescriptorError {
      throw error
    } catch {
      throw .unsupportedExpression("\(error)")
    }
  }
}

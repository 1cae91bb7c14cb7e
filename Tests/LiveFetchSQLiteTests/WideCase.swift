#if SQLite
  import Foundation
  import GRDB
  @testable import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Snapshots
  import Testing

  /// A schema, a request and a history: everything that a run of the law depends on.
  struct WideCase: Codable, Sendable, CustomTestStringConvertible {
    enum KeyType: String, Codable, CaseIterable, Sendable { case number, text, uuid }

    struct Sort: Codable, Sendable {
      var column: WideColumn
      var isDescending = false
      var isFolded = false
      var nullsLast = false
    }

    struct Section: Codable, Sendable {
      var column: WideColumn
      var kind: Int
      /// 0 automatic, 1 ascending, 2 descending.
      var order: Int
    }

    enum Operation: Codable, Sendable {
      case put(id: Int, picks: [Int])
      case update(id: Int, column: WideColumn, pick: Int)
      case updateAll(column: WideColumn, pick: Int, where: WideColumn, is: Int)
      case delete(id: Int)
      case deleteAll
      case rekey(id: Int, to: Int)
      case undone([Operation])
    }

    struct Step: Codable, Sendable {
      var operations: [Operation]
      var isRolledBack = false
    }

    /// The table's form besides its columns; nil in cases that were kept before it existed.
    struct Form: Codable, Sendable {
      /// Where among the others a column stands that is computed when it is read.
      var computed: Int?
      /// The collation of text columns, the key among them.
      var collation: String?
      /// A column that is added with a default, after there are rows.
      var added: WideColumn?
    }

    var name = ""
    var form: Form?
    var key = KeyType.number
    var columns = WideColumn.allCases
    var variant = 0
    var isWithoutRowID = false
    var isUnique = false
    var isIndexed = false
    var sorts: [Sort] = [Sort(column: .m)]
    var section: Section?
    var condition: WideCondition?
    var limit: Int?
    var offset = 0
    var steps: [Step] = []

    var testDescription: String { name }

    var json: String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
    }

    init() {}

    init(json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }
  }

  // MARK: Making

  extension WideCase {
    /// A case that a seed determines.
    init(seed: UInt64) {
      var random = SplitMix(seed: seed)
      func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
      name = "seed \(seed)"
      form = Self.form(seed)
      key = KeyType.allCases.randomElement(using: &random) ?? .number
      columns.shuffle(using: &random)
      variant = Int.random(in: 0..<6, using: &random)
      isWithoutRowID = chance(3)
      isUnique = chance(4)
      isIndexed = chance(2)
      sorts = WideColumn.allCases.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).map {
        Sort(
          column: $0, isDescending: chance(2), isFolded: $0 == .t && chance(2), nullsLast: chance(2))
      }
      if chance(2) {
        let column = WideColumn.allCases.randomElement(using: &random) ?? .m
        let kinds =
          switch column {
          case .t: [0, 1, 2]
          case .d, .s: [0, 3, 4, 5]
          default: [0]
          }
        section = Section(
          column: column, kind: kinds.randomElement(using: &random) ?? 0,
          order: .random(in: 0...2, using: &random))
        if chance(2) {
          sorts.insert(
            Sort(column: column, isDescending: chance(2), isFolded: column == .t && chance(2)), at: 0)
        }
      }
      // No value and no bytes are one section, whose rows are to follow one another.
      if section?.column == .b {
        for sort in sorts.indices where sorts[sort].column == .b {
          sorts[sort].nullsLast = sorts[sort].isDescending
        }
      }
      if !chance(3) { condition = Self.condition(&random, 2) }
      if chance(3) { limit = .random(in: 0...7, using: &random) }
      if chance(5) { offset = .random(in: 1...4, using: &random) }
      for _ in 0..<Int.random(in: 5...16, using: &random) {
        let count = [1, 1, 2, 3, 8][Int.random(in: 0..<5, using: &random)]
        steps.append(
          Step(operations: (0..<count).map { _ in Self.operation(&random) }, isRolledBack: chance(12)))
      }
    }

    /// Makes a table's form of a seed, by random numbers of its own, so that a seed's case stays the same.
    private static func form(_ seed: UInt64) -> Form {
      var random = SplitMix(seed: seed &+ 0x5EED)
      func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
      return Form(
        computed: chance(2) ? .random(in: 0...9, using: &random) : nil,
        collation: chance(2) ? ["NOCASE", "RTRIM"].randomElement(using: &random) : nil,
        added: chance(2) ? [WideColumn.n, .m, .t, .d].randomElement(using: &random) : nil)
    }

    private static func condition(_ random: inout SplitMix, _ depth: Int) -> WideCondition {
      let column = WideColumn.allCases.randomElement(using: &random) ?? .n
      let pick = Int.random(in: 0..<6, using: &random)
      switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
      case 0, 1: return .less([WideColumn.n, .m, .r][pick % 3], pick)
      case 2: return .isNull(column)
      case 3: return .contains(["a", "A", "e", ""][pick % 4], folded: pick % 2 == 0)
      case 4: return .among([pick, (pick + 2) % 6])
      case 5: return .equals(column, pick)
      case 6: return .not(condition(&random, depth - 1))
      case 7: return .any([condition(&random, depth - 1), condition(&random, depth - 1)])
      default: return .all([condition(&random, depth - 1), condition(&random, depth - 1)])
      }
    }

    private static func operation(_ random: inout SplitMix, isInside: Bool = false) -> Operation {
      let id = Int.random(in: 0..<12, using: &random)
      let column = WideColumn.allCases.randomElement(using: &random) ?? .m
      let pick = Int.random(in: 0..<6, using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0...6: return .put(id: id, picks: (0..<8).map { _ in .random(in: 0..<6, using: &random) })
      case 7...9: return .update(id: id, column: column, pick: pick)
      case 10:
        return .updateAll(column: column, pick: pick, where: .m, is: Int.random(in: 0..<6, using: &random))
      case 11, 12: return .delete(id: id)
      case 13: return pick == 0 ? .deleteAll : .delete(id: id)
      case 14: return .rekey(id: id, to: .random(in: 0..<12, using: &random))
      default: return isInside ? .delete(id: id) : .undone([operation(&random, isInside: true)])
      }
    }

    /// The same operations, each in a transaction of its own.
    var split: WideCase {
      var split = self
      split.name += ", split"
      split.steps = steps.flatMap { step in
        step.operations.map { Step(operations: [$0], isRolledBack: step.isRolledBack) }
      }
      return split
    }

    /// The same operations in few transactions.
    var merged: WideCase {
      var merged = self
      merged.name += ", merged"
      merged.steps = []
      for step in steps {
        if step.isRolledBack || (merged.steps.last?.operations.count ?? 99) > 12
          || merged.steps.last?.isRolledBack == true
        {
          merged.steps.append(step)
        } else {
          merged.steps[merged.steps.count - 1].operations += step.operations
        }
      }
      return merged
    }
  }

  // MARK: Shrinking

  extension WideCase {
    /// Cases with less in them, the boldest first.
    var smaller: [WideCase] {
      var smaller: [WideCase] = []
      func add(_ change: (inout WideCase) -> Void) {
        var copy = self
        change(&copy)
        smaller.append(copy)
      }
      var size = steps.count / 2
      while size > 0 {
        for start in stride(from: 0, to: steps.count, by: size) {
          add { $0.steps.removeSubrange(start..<min(start + size, steps.count)) }
        }
        size /= 2
      }
      for step in steps.indices where steps[step].operations.count > 1 {
        for index in steps[step].operations.indices { add { $0.steps[step].operations.remove(at: index) } }
      }
      if condition != nil { add { $0.condition = nil } }
      if section != nil { add { $0.section = nil } }
      if limit != nil { add { $0.limit = nil } }
      if offset > 0 { add { $0.offset = 0 } }
      if sorts.count > 1 { for index in sorts.indices { add { $0.sorts.remove(at: index) } } }
      if isWithoutRowID { add { $0.isWithoutRowID = false } }
      if form?.computed != nil { add { $0.form?.computed = nil } }
      if form?.collation != nil { add { $0.form?.collation = nil } }
      if form?.added != nil { add { $0.form?.added = nil } }
      if isUnique { add { $0.isUnique = false } }
      if isIndexed { add { $0.isIndexed = false } }
      if key != .number { add { $0.key = .number } }
      if columns != WideColumn.allCases { add { $0.columns = WideColumn.allCases } }
      return smaller
    }

    /// The smallest case found that still fails, and how.
    func shrunk(
      _ failure: String, attempts: Int = 400, _ run: (WideCase) async throws -> String?
    ) async throws -> (case: WideCase, failure: String) {
      var best = (self, failure)
      var attempts = attempts
      var isSmaller = true
      while isSmaller, attempts > 0 {
        isSmaller = false
        for candidate in best.0.smaller where attempts > 0 {
          attempts -= 1
          if let failure = try await run(candidate) {
            best = (candidate, failure)
            isSmaller = true
            break
          }
        }
      }
      return (best.0, best.1)
    }
  }
#endif

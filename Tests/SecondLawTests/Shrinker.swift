#if SQLite
  import Foundation
  import LiveFetch

  /// Takes away from a failing case whatever it fails without.
  struct Shrinker {
    private(set) var law: LawCase
    private(set) var difference: Difference
    private let end: ContinuousClock.Instant
    private let run: @Sendable (LawCase) async -> Outcome

    /// - Parameters:
    ///   - budget: For how long it goes on.
    ///   - run: What a case comes to.
    static func shrink(
      _ law: LawCase, _ difference: Difference, budget: Duration = .seconds(60),
      by run: @escaping @Sendable (LawCase) async -> Outcome = { await Law.run($0, patience: .seconds(4)) }
    ) async -> Shrinker {
      var shrinker = Shrinker(law: law, difference: difference, end: .now + budget, run: run)
      await shrinker.shrink()
      return shrinker
    }

    private mutating func shrink() async {
      if let step = difference.step, step + 1 < law.steps.count {
        await attempt { $0.steps.removeSubrange((step + 1)...) }
      }
      let index = difference.list
      await attempt { $0.keepOnly(list: index) }
      var size = -1
      while size != law.size, .now < end {
        size = law.size
        await pass()
      }
    }

    private mutating func pass() async {
      await removeFrom(\.steps)
      for index in law.steps.indices where law.steps[index].statements.count > 1 {
        await removeFrom(\.steps[index].statements)
      }
      await removeFrom(\.after)
      await removeFrom(\.rows)
      await removeFrom(\.laterRows)
      await removeFrom(\.added)
      await removeFrom(\.before)
      await removeFrom(\.constraints)
      await removeFrom(\.options)
      for column in (law.columns + law.added).reversed() { await attempt { $0.remove(column) } }
      for index in law.columns.indices { await removeFrom(\.columns[index].clauses) }
      for index in law.added.indices { await removeFrom(\.added[index].clauses) }
      await simplifyLists()
      for step in law.steps.indices {
        for statement in law.steps[step].statements.indices {
          await removeFrom(\.steps[step].statements[statement].assignments, leaving: 1)
        }
      }
      await removeFromRows()
      await attempt { $0.observesOthers = false }
      await attempt { law in
        let old = law.table.quotedName
        law.replaceTable(old)
      }
    }

    /// Returns whether a smaller case fails in the same way; then it is the case from now on.
    @discardableResult
    private mutating func attempt(_ change: (inout LawCase) -> Void) async -> Bool {
      guard .now < end else { return false }
      var smaller = law
      change(&smaller)
      guard smaller != law, smaller.hasKey == law.hasKey else { return false }
      let outcome = await run(smaller)
      guard let found = outcome.difference, found.kind == difference.kind else { return false }
      law = smaller
      difference = found
      return true
    }

    /// Takes elements away, many at a time, then fewer.
    private mutating func removeFrom<Element>(
      _ path: WritableKeyPath<LawCase, [Element]>, leaving minimum: Int = 0
    ) async {
      var length = max(1, law[keyPath: path].count / 2)
      while true {
        var start = law[keyPath: path].count - length
        while start >= 0, law[keyPath: path].count - length >= minimum {
          let range = start..<start + length
          await attempt { $0[keyPath: path].removeSubrange(range) }
          start -= length
          start = min(start, law[keyPath: path].count - length)
        }
        if length == 1 { return }
        length /= 2
      }
    }

    private mutating func removeFromRows() async {
      for row in law.rows.indices { await removeFrom(\.rows[row].assignments, leaving: 1) }
      for row in law.laterRows.indices { await removeFrom(\.laterRows[row].assignments, leaving: 1) }
    }

    private mutating func simplifyLists() async {
      for index in law.lists.indices {
        await attempt { $0.lists[index].filter = .everything }
        await attempt { $0.lists[index].section = nil }
        await attempt { $0.lists[index].limit = nil }
        await attempt { $0.lists[index].offset = 0 }
        await attempt { $0.lists[index].hidden = [] }
        await removeFrom(\.lists[index].sorts, leaving: 1)
        await attempt { $0.lists[index].sorts = [Sort(role: .id)] }
      }
    }
  }

  extension LawCase {
    fileprivate var size: Int { String(reflecting: self).count }

    fileprivate mutating func keepOnly(list: Int) {
      guard lists.indices.contains(list) else { return }
      lists = [lists[list]]
      steps = steps.compactMap { step in
        guard case .reconfigure(let index, let spec) = step.means else { return step }
        return index == list ? Step(means: .reconfigure(0, spec), feature: step.feature) : nil
      }
    }

    fileprivate mutating func remove(_ column: Column) {
      columns.removeAll { $0 == column }
      added.removeAll { $0 == column }
      func without(_ statements: inout [Statement]) {
        for index in statements.indices {
          statements[index].assignments.removeAll { $0.column == column.name }
        }
        statements.removeAll { $0.assignments.isEmpty && $0.tail.isEmpty == false && $0.isUpdate }
      }
      without(&rows)
      without(&laterRows)
      for index in steps.indices { without(&steps[index].statements) }
    }

    /// Gives the table a plain name.
    fileprivate mutating func replaceTable(_ old: String) {
      func plain(_ statements: inout [Statement]) {
        for index in statements.indices {
          statements[index].head = statements[index].head.replacing(old, with: "\"item\"")
        }
      }
      table = "item"
      after = after.map { $0.replacing(old, with: "\"item\"") }
      constraints = constraints.map { $0.replacing(old, with: "\"item\"") }
      plain(&rows)
      plain(&laterRows)
      for index in steps.indices { plain(&steps[index].statements) }
    }

    /// Whether no two rows can have one identifier, as a model demands.
    fileprivate var hasKey: Bool {
      let clauses = (columns.first { $0.role == .id }?.clauses ?? []) + constraints + after
      return clauses.contains {
        $0.contains("PRIMARY KEY") || $0.contains("NOT NULL UNIQUE") || $0.contains("one_id")
      }
    }

    /// The case as Swift.
    var swift: String {
      // Without what the initializers take by default.
      [
        "SecondLawTests.", "LiveFetch.", "Swift.", ", feature: nil", ", tail: \"\"", ", isUpdate: false",
        ", isDescending: false", ", isFolded: false", ", nullsFirst: true", ", section: nil", ", limit: nil",
        ", offset: 0", ", hidden: []", ", observesOthers: false", ", assignments: []", ", clauses: []",
        ", constraints: []", ", options: []", ", before: []", ", added: []", ", after: []", ", laterRows: []",
        ", rows: []", ", table: \"item\"",
      ].reduce(String(reflecting: self)) { $0.replacing($1, with: "") }
    }
  }
#endif

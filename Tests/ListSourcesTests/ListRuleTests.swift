import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

/// A batch that breaks a rule, and one near it that does not.
struct RuleCase: CustomTestStringConvertible, Sendable {
  var name: String
  var rule: ListRule
  /// The numbers of items in each section before and after.
  var before: [Int]
  var after: [Int]
  var isStrict = false
  var illegal: ListBatch
  /// The legal neighbour, and the numbers of items after it if they are others.
  var legal: ListBatch
  var legalAfter: [Int]?

  var testDescription: String { "\(rule.rawValue): \(name)" }
}

private func batch(_ change: (inout ListBatch) -> Void) -> ListBatch {
  var batch = ListBatch()
  change(&batch)
  return batch
}

private func path(_ section: Int, _ item: Int) -> ListIndexPath {
  ListIndexPath(item: item, section: section)
}

private func move(_ from: (Int, Int), _ to: (Int, Int)) -> ListBatch.ItemMove {
  ListBatch.ItemMove(from: path(from.0, from.1), to: path(to.0, to.1))
}

@Suite("Rules of a batch")
struct ListRuleTests {
  static let sections: [RuleCase] = [
    RuleCase(
      name: "a section is deleted that is not there before", rule: .sectionOut, before: [1, 1], after: [1],
      illegal: batch { $0.deletedSections = [2] }, legal: batch { $0.deletedSections = [1] }),
    RuleCase(
      name: "a section is reloaded that is not there before", rule: .sectionOut, before: [1], after: [1],
      illegal: batch { $0.reloadedSections = [-1] }, legal: batch { $0.reloadedSections = [0] }),
    RuleCase(
      name: "a section moves that is not there before", rule: .sectionOut, before: [1, 1], after: [1, 1],
      illegal: batch { $0.movedSections = [.init(from: 2, to: 0)] },
      legal: batch { $0.movedSections = [.init(from: 1, to: 0)] }),
    RuleCase(
      name: "a section is inserted where there is none after", rule: .sectionOut, before: [1], after: [1, 0],
      illegal: batch { $0.insertedSections = [2] }, legal: batch { $0.insertedSections = [1] }),
    RuleCase(
      name: "a section moves to where there is none after", rule: .sectionOut, before: [1, 1], after: [1, 1],
      illegal: batch { $0.movedSections = [.init(from: 0, to: 2)] },
      legal: batch { $0.movedSections = [.init(from: 0, to: 1)] }),
    RuleCase(
      name: "a section is deleted and moves", rule: .sectionDouble, before: [1, 1], after: [1],
      illegal: batch {
        $0.deletedSections = [0]
        $0.movedSections = [.init(from: 0, to: 0)]
      },
      legal: batch {
        $0.deletedSections = [0]
        $0.movedSections = [.init(from: 1, to: 0)]
      }),
    RuleCase(
      name: "a section is deleted twice", rule: .sectionDouble, before: [1, 1, 1], after: [1],
      illegal: batch { $0.deletedSections = [1, 1] }, legal: batch { $0.deletedSections = [1, 2] }),
    RuleCase(
      name: "a section is inserted where another moves to", rule: .sectionDouble, before: [1, 1],
      after: [0, 1, 1],
      illegal: batch {
        $0.insertedSections = [0]
        $0.movedSections = [.init(from: 1, to: 0)]
      },
      legal: batch {
        $0.insertedSections = [0]
        $0.movedSections = [.init(from: 1, to: 1)]
      }),
    RuleCase(
      name: "the numbers of sections do not add up", rule: .sectionCount, before: [1, 1], after: [1, 1],
      illegal: batch { $0.deletedSections = [0] },
      legal: batch {
        $0.deletedSections = [0]
        $0.insertedSections = [1]
      }),
  ]

  static let items: [RuleCase] = [
    RuleCase(
      name: "an item is deleted that is not there before", rule: .itemOut, before: [2], after: [1],
      illegal: batch { $0.deletedItems = [path(0, 2)] }, legal: batch { $0.deletedItems = [path(0, 1)] }),
    RuleCase(
      name: "an item of a section is reloaded that is not there", rule: .itemOut, before: [2], after: [2],
      illegal: batch { $0.reloadedItems = [path(1, 0)] }, legal: batch { $0.reloadedItems = [path(0, 0)] }),
    RuleCase(
      name: "an item is reconfigured that is not there before", rule: .itemOut, before: [2], after: [2],
      illegal: batch { $0.reconfiguredItems = [path(0, -1)] },
      legal: batch { $0.reconfiguredItems = [path(0, 1)] }),
    RuleCase(
      name: "an item moves that is not there before", rule: .itemOut, before: [2], after: [2],
      illegal: batch { $0.movedItems = [move((0, 2), (0, 0))] },
      legal: batch { $0.movedItems = [move((0, 1), (0, 0))] }),
    RuleCase(
      name: "an item is inserted where there is none after", rule: .itemOut, before: [2], after: [3],
      illegal: batch { $0.insertedItems = [path(0, 3)] }, legal: batch { $0.insertedItems = [path(0, 2)] }),
    RuleCase(
      name: "an item moves to where there is none after", rule: .itemOut, before: [2], after: [2],
      illegal: batch { $0.movedItems = [move((0, 0), (0, 2))] },
      legal: batch { $0.movedItems = [move((0, 0), (0, 1))] }),
    RuleCase(
      name: "an item is deleted and reloaded", rule: .itemDouble, before: [2], after: [1],
      illegal: batch {
        $0.deletedItems = [path(0, 0)]
        $0.reloadedItems = [path(0, 0)]
      },
      legal: batch {
        $0.deletedItems = [path(0, 0)]
        $0.reloadedItems = [path(0, 1)]
      }),
    RuleCase(
      name: "an item is deleted and moves", rule: .itemDouble, before: [3], after: [2],
      illegal: batch {
        $0.deletedItems = [path(0, 2)]
        $0.movedItems = [move((0, 2), (0, 0))]
      },
      legal: batch {
        $0.deletedItems = [path(0, 2)]
        $0.movedItems = [move((0, 1), (0, 0))]
      }),
    RuleCase(
      name: "an item is reloaded and moves", rule: .itemDouble, before: [3], after: [3],
      illegal: batch {
        $0.reloadedItems = [path(0, 2)]
        $0.movedItems = [move((0, 2), (0, 0))]
      },
      legal: batch {
        $0.reloadedItems = [path(0, 1)]
        $0.movedItems = [move((0, 2), (0, 0))]
      }),
    RuleCase(
      name: "an item is inserted where another moves to", rule: .itemDouble, before: [2], after: [3],
      illegal: batch {
        $0.insertedItems = [path(0, 0)]
        $0.movedItems = [move((0, 1), (0, 0))]
      },
      legal: batch {
        $0.insertedItems = [path(0, 0)]
        $0.movedItems = [move((0, 1), (0, 1))]
      }),
  ]

  static let membership: [RuleCase] = [
    RuleCase(
      name: "an item moves out of a deleted section", rule: .fromDeletedSection, before: [1, 1], after: [2],
      illegal: batch {
        $0.deletedSections = [1]
        $0.movedItems = [move((1, 0), (0, 0))]
      },
      legal: batch {
        $0.deletedSections = [1]
        $0.insertedItems = [path(0, 0)]
      }),
    RuleCase(
      name: "an item moves out of a reloaded section", rule: .fromDeletedSection, before: [1, 2],
      after: [2, 1],
      illegal: batch {
        $0.reloadedSections = [1]
        $0.movedItems = [move((1, 0), (0, 0))]
      },
      legal: batch { $0.movedItems = [move((1, 0), (0, 0))] }),
    RuleCase(
      name: "an item moves into an inserted section", rule: .intoInsertedSection, before: [2], after: [1, 1],
      illegal: batch {
        $0.insertedSections = [1]
        $0.movedItems = [move((0, 1), (1, 0))]
      },
      legal: batch {
        $0.insertedSections = [1]
        $0.deletedItems = [path(0, 1)]
      }),
    RuleCase(
      name: "an item moves into a reloaded section", rule: .intoInsertedSection, before: [2, 1],
      after: [1, 2],
      illegal: batch {
        $0.reloadedSections = [1]
        $0.movedItems = [move((0, 0), (1, 0))]
      },
      legal: batch {
        $0.reloadedSections = [0]
        $0.insertedItems = [path(1, 0)]
      }),
    RuleCase(
      name: "the numbers of items do not add up", rule: .itemCount, before: [2], after: [3],
      illegal: batch {
        $0.insertedItems = [path(0, 0)]
        $0.deletedItems = [path(0, 0)]
      },
      legal: batch { $0.insertedItems = [path(0, 0)] }),
    RuleCase(
      name: "a section changes though nothing was said of it", rule: .itemCount, before: [2, 2],
      after: [1, 3], illegal: batch { $0.deletedItems = [path(0, 0)] },
      legal: batch { $0.movedItems = [move((0, 0), (1, 0))] }),
    RuleCase(
      name: "a section that moved has another number of items", rule: .itemCount, before: [2, 1],
      after: [2, 1], illegal: batch { $0.movedSections = [.init(from: 0, to: 1)] },
      legal: batch { $0.movedSections = [.init(from: 0, to: 1)] }, legalAfter: [1, 2]),
    RuleCase(
      name: "an item of a section that moves is deleted", rule: .movedSectionTouched, before: [2, 1],
      after: [1, 1], isStrict: true,
      illegal: batch {
        $0.movedSections = [.init(from: 0, to: 1)]
        $0.deletedItems = [path(0, 0)]
      },
      legal: batch {
        $0.movedSections = [.init(from: 1, to: 0)]
        $0.deletedItems = [path(0, 0)]
      }),
    RuleCase(
      name: "an item arrives in a section that moves", rule: .movedSectionTouched, before: [1, 1],
      after: [1, 2], isStrict: true,
      illegal: batch {
        $0.movedSections = [.init(from: 0, to: 1)]
        $0.insertedItems = [path(1, 0)]
      },
      legal: batch {
        $0.movedSections = [.init(from: 1, to: 0)]
        $0.insertedItems = [path(1, 0)]
      }),
  ]

  @Test(
    "A batch that breaks a rule is refused by its name, and its legal neighbour is not",
    arguments: sections + items + membership)
  func rule(_ rule: RuleCase) {
    let validator = ListBatchValidator(before: rule.before, after: rule.after, isStrict: rule.isStrict)
    let error = #expect(throws: ListRuleViolation.self) { try validator.check(rule.illegal) }
    #expect(error?.rule == rule.rule, "\(error?.description ?? "")")
    let neighbour = ListBatchValidator(
      before: rule.before, after: rule.legalAfter ?? rule.after, isStrict: rule.isStrict)
    #expect(throws: Never.self) { try neighbour.check(rule.legal) }
    // What only a strict list refuses, others take.
    if rule.isStrict {
      let lenient = ListBatchValidator(before: rule.before, after: rule.after)
      #expect(throws: Never.self) { try lenient.check(rule.illegal) }
    }
  }

  @Test("Every rule of a batch has such a case")
  func everyRule() {
    let tried = Set((Self.sections + Self.items + Self.membership).map(\.rule))
    #expect(Set(ListRule.allCases).subtracting(tried) == [.contents, .duty])
  }

  @Test("Rules are checked in the order in which they stand")
  func order() {
    // All at once: what is reported is the first.
    let everything = batch {
      $0.deletedSections = [5]
      $0.insertedSections = [0, 0]
      $0.deletedItems = [path(9, 9)]
    }
    let error = #expect(throws: ListRuleViolation.self) {
      try ListBatchValidator(before: [1], after: [1]).check(everything)
    }
    #expect(error?.rule == .sectionOut)
  }

  @Test("Inserted, reloaded and deleted items in three sections add up")
  func threeSections() throws {
    let batch = batch {
      $0.insertedItems = [path(0, 0), path(1, 2)]
      $0.reloadedItems = [path(1, 1)]
      $0.deletedItems = [path(2, 1)]
    }
    try ListBatchValidator(before: [10, 20, 30], after: [11, 21, 29]).check(batch)
    let error = #expect(throws: ListRuleViolation.self) {
      try ListBatchValidator(before: [10, 20, 30], after: [11, 21, 30]).check(batch)
    }
    #expect(error?.rule == .itemCount)
  }

  private typealias Update = ListUpdate<String, Int, String>

  private func update(_ before: String, _ after: String, _ difference: SnapshotDifference<String, Int>? = nil)
    -> Update
  {
    Update(
      before: list(before), snapshot: list(after),
      difference: difference ?? list(after).difference(from: list(before)),
      provider: ItemProvider { "cell \($0)" })
  }

  @Test("A legal batch that leads elsewhere is reported, and the view stays as it was")
  func contents() async throws {
    let view = TestView()
    try await view.reload(update("", "A[1,2,3]"))
    // It says that 1 moves to the end, but the data source shows that 2 did.
    let lie = SnapshotDifference<String, Int>(movedItems: [
      .init(id: 1, from: path(0, 0), to: path(0, 2))
    ])
    let error = await #expect(throws: ListRuleViolation.self) {
      try await view.perform(update("A[1,2,3]", "A[1,3,2]", lie))
    }
    #expect(error?.rule == .contents)
    #expect(view.contents == "A[1,2,3]")
    #expect(view.violations.map(\.rule) == [.contents])
  }

  @Test(
    "A data source that breaks its promises is reported: no reload first, another list before, nothing to do")
  func duties() async throws {
    let view = TestView()
    var errors: [ListRuleViolation?] = []
    errors.append(
      await #expect(throws: ListRuleViolation.self) { try await view.perform(update("", "A[1]")) })
    try await view.reload(update("", "A[1]"))
    errors.append(
      await #expect(throws: ListRuleViolation.self) { try await view.perform(update("A[2]", "A[1,2]")) })
    errors.append(
      await #expect(throws: ListRuleViolation.self) { try await view.perform(update("A[1]", "A[1]")) })
    errors.append(
      await #expect(throws: ListRuleViolation.self) { try await view.adopt(update("A[2]", "A[1,2]")) })
    #expect(errors.map { $0?.rule } == [.duty, .duty, .duty, .duty])
    try await view.perform(update("A[1]", "A[1,2]"))
    #expect(view.contents == "A[1,2]")
  }

  @Test("A violation says its rule and what broke it; a batch says its operations")
  func descriptions() {
    let violation = ListRuleViolation(.itemOut, "item 0.3 is touched, but is not there before the batch")
    #expect("\(violation)" == "itemOut: item 0.3 is touched, but is not there before the batch")
    let everything = batch {
      $0.deletedSections = [0]
      $0.insertedSections = [1]
      $0.movedSections = [.init(from: 2, to: 0)]
      $0.reloadedSections = [3]
      $0.deletedItems = [path(4, 0)]
      $0.insertedItems = [path(4, 1)]
      $0.movedItems = [move((4, 2), (4, 3))]
      $0.reloadedItems = [path(4, 5)]
      $0.reconfiguredItems = [path(4, 6)]
    }
    #expect(everything.description.split(separator: "\n").count == everything.operationCount)
    #expect(everything.description.contains("move item 4.2 to 4.3"))
    #expect("\(ListBatch())" == "an empty batch")
  }
}

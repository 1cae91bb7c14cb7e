import Foundation
import LiveDrafts
import LiveListsTestSupport
import Testing

/// `make law STORE=draft` runs this with `LAW_SEEDS` seeds from `LAW_FIRST` on, or with `LAW_SEED` alone.
@Suite("The law of drafts: after each step every list is what a plain model gives")
struct DraftLawTests {
  static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["LAW_SEED"].flatMap(UInt64.init) { return [seed] }
    let first = environment["LAW_FIRST"].flatMap(UInt64.init) ?? 0
    let count = environment["LAW_SEEDS"].flatMap(UInt64.init) ?? 10
    return Array(first..<first + count)
  }()

  @Test("Random commits, edits, undo, redo, saves, discards and resets", arguments: seeds)
  func inMemory(_ seed: UInt64) async throws { try await Self.holds(seed) { InMemoryStore() } }

  /// Histories of which the law found something: over a store that says what columns its tables have.
  static let found: [[DraftStep]] = [
    deletedBesideWrite,
    // A row that is being saved is inserted again by an undo meanwhile, as another group had inserted it: that is a conflict.
    [
      .edit([.put(Item(id: 2, section: "b", key: 0))]), .discard(nil),
      .edit([.put(Item(id: 2, section: "a", key: 0))]), .saving(.fail, [.undo, .undo], fails: false),
    ],
    // What was discarded is restored to a row that others deleted since and the draft inserted again: while that is being saved,
    // while it replaces a row that others inserted, and when it was saved.
    insertedAgain(.saving(.fail, [.undo, .undo], fails: false)),
    insertedAgain(.saving(.fail, [.undo, .undo, .redo], fails: true)),
    insertedAgain(
      .commit([.put(Item(id: 6, section: "b", key: 2))]), .saving(.mine, [.undo, .undo], fails: false)),
    insertedAgain(.save(.fail), .undo, .undo),
    // While a save is under way, a new row is deleted and inserted again of which others have taken the key: the save fails, and the
    // edit must not be lost with it.
    [
      .edit([.put(Item(id: 7, section: "c", key: 3, note: "x"))]),
      .commit([.put(Item(id: 7, section: "b", key: 1, note: "x"))]),
      .saving(
        .mergeColumns, [.edit([.remove(7), .put(Item(id: 7, section: "a", key: 0, note: "x"))])], fails: false
      ),
    ],
    // The same, where the row is inserted as theirs is.
    [
      .commit([.put(Item(id: 6, section: "a", key: 0, note: "x"))]), .edit([.remove(6)]), .save(.theirs),
      .undo, .commit([.put(Item(id: 6, section: "c", key: 3))]),
      .saving(
        .mergeColumns,
        [
          .edit([
            .put(Item(id: 6, section: "a", key: 2)), .remove(6), .put(Item(id: 6, section: "c", key: 3)),
          ]),
          .edit([.put(Item(id: 1, section: "a", key: 2))]), .undo,
        ], fails: false),
    ],
    // While a save is under way that deletes a row, an edit is restored of the row that others had deleted before it.
    [
      .commit([.put(Item(id: 4, section: "b", key: 0, note: "x"))]),
      .edit([.put(Item(id: 4, section: "b", key: 0))]),
      .discard(nil), .commit([.remove(4)]), .edit([.put(Item(id: 4, section: "a", key: 1))]), .save(.mine),
      .undo,
      .saving(.mergeColumns, [.undo], fails: false),
    ],
    // While a save is under way, an edit is restored that others had changed before: that is a conflict also after the save, which
    // writes the same column; and so is an insertion that is restored over the row that is saved.
    againOverTheirs(.commit([.put(Item(id: 5, section: "c", key: 3))])),
    againOverTheirs(),
    // While a save is under way that fails, a row is inserted and deleted again, the edit before is undone, and all is discarded.
    [
      .edit([.put(Item(id: 5, section: "b", key: 0))]), .save(.mine), .edit([.remove(5)]),
      .commit([.put(Item(id: 5, section: "a", key: 1, note: "x"))]),
      .saving(
        .fail,
        [
          .edit([.put(Item(id: 7, section: "b", key: 1))]),
          .edit([.put(Item(id: 5, section: "a", key: 2, note: "x")), .remove(5)]), .undo,
        ], fails: true),
    ],
    // A row is changed, or deleted, as others have done right before the save, which has changed nothing: undo takes nothing back.
    [
      .commit([.put(Item(id: 1, section: "c", key: 2, note: "x"))]),
      .write(
        .theirs, [.put(Item(id: 1, section: "b", key: 2, note: "x"))],
        [.commit([.put(Item(id: 1, section: "b", key: 1, note: "x"))])], fails: false), .undo,
    ],
    [
      .commit([.put(Item(id: 6, section: "a", key: 2))]),
      .write(.theirs, [.remove(6)], [.commit([.remove(6)])], fails: false), .undo,
    ],
    // A row is changed as others have changed it, removed, and made again; theirs counts. Undone up to the deletion, it comes back with theirs.
    [
      .commit([.put(Item(id: 0, section: "a", key: 0, note: "x"))]),
      .edit([.put(Item(id: 0, section: "a", key: 2, note: "x"))]),
      .commit([.put(Item(id: 0, section: "b", key: 1, note: "x"))]), .edit([.remove(0)]),
      .edit([.put(Item(id: 0, section: "a", key: 0, note: "x"))]), .save(.theirs), .undo, .undo, .undo,
    ],
    // So it does where the edit was discarded, and made again.
    [
      .commit([.put(Item(id: 2, section: "a", key: 0))]), .edit([.put(Item(id: 2, section: "a", key: 1))]),
      .discard(nil), .edit([.put(Item(id: 2, section: "a", key: 1))]),
      .commit([.put(Item(id: 2, section: "a", key: 3))]), .save(.theirs), .undo, .undo, .undo,
    ],
    // While a save is under way that fails, a row is edited that is being saved, and an edit sets a column back to what it was before the
    // save, and sets it again: nobody else has.
    [
      .commit([.put(Item(id: 6, section: "a", key: 0))]), .edit([.put(Item(id: 6, section: "c", key: 0))]),
      .saving(
        .mine,
        [
          .edit([.put(Item(id: 6, section: "c", key: 1))]),
          .edit([.put(Item(id: 6, section: "a", key: 1)), .put(Item(id: 6, section: "b", key: 1))]),
        ], fails: true),
    ],
    besideTheirs(.put(Item(id: 4, section: "b", key: 1, note: "x")), .remove(4)),
    besideTheirs(.remove(4), .remove(4)),
    besideTheirs(
      .put(Item(id: 4, section: "c", key: 3)), .put(Item(id: 4, section: "c", key: 3, note: "x")), .undo),
    besideTheirs(
      .put(Item(id: 4, section: "c", key: 3)), .put(Item(id: 4, section: "a", key: 2)), .undo, .redo),
  ]

  /// An edit in the middle of a save is of a row that is being saved, and of another one, which others write then.
  private static func besideTheirs(
    _ edit: ConformanceWrite, _ commit: ConformanceWrite, _ later: DraftStep...
  ) -> [DraftStep] {
    [
      .commit([.put(Item(id: 4, section: "c", key: 2))]),
      .edit([.put(Item(id: 5, section: "a", key: 0, note: "x"))]),
      .saving(
        .mergeColumns,
        [.edit([.remove(5), edit, .put(Item(id: 5, section: "a", key: 1))]), .commit([commit])] + later,
        fails: false), .undo,
    ]
  }

  /// A row that is changed, and is to be deleted by a write, when others delete it: the write fails, and the row is as it was changed.
  private static let deletedBesideWrite: [DraftStep] = [
    .commit([.put(Item(id: 5, section: "b", key: 1))]),
    .edit([.put(Item(id: 5, section: "a", key: 2, note: "x"))]),
    .write(.fail, [.remove(5)], [.commit([.remove(5)])], fails: true), .save(.mine), .undo,
  ]

  /// The same over a store that does not say it.
  static let foundWithoutNames: [[DraftStep]] = [
    // A save wrote a column that no commit names: undo did not bring its former value back.
    [
      .edit([.put(Item(id: 5, section: "b", key: 3))]),
      .saving(
        .fail,
        [
          .edit([.put(Item(id: 5, section: "b", key: 1))]),
          .edit([.put(Item(id: 5, section: "b", key: 1, note: "x"))]),
        ], fails: false), .open(2),
      .saving(
        .mine, [.edit([.put(Item(id: 5, section: "b", key: 0, note: "x"))]), .undo], fails: false), .undo,
    ]
  ]

  /// The same over another draft, which knows no more of the table than what is edited.
  static let foundOverDraft: [[DraftStep]] = [
    [
      .edit([.put(Item(id: 0, section: "b", key: 3))]),
      .commit([
        .put(Item(id: 1, section: "b", key: 0, note: "x")),
        .put(Item(id: 0, section: "b", key: 2, note: "x")),
      ]),
    ],
    [
      .edit([.put(Item(id: 0, section: "c", key: 2))]), .commit([.put(Item(id: 0, section: "c", key: 1))]),
      .discard(nil),
    ],
  ]

  private static func againOverTheirs(_ first: DraftStep...) -> [DraftStep] {
    first + [
      .edit([.put(Item(id: 5, section: "c", key: 1, note: "x"))]), .discard(nil),
      .commit([.put(Item(id: 5, section: "b", key: 2))]),
      .edit([.put(Item(id: 5, section: "b", key: 0, note: "x"))]), .save(.fail), .undo,
      .saving(.fail, [.undo], fails: false),
    ]
  }

  private static func insertedAgain(_ steps: DraftStep...) -> [DraftStep] {
    let first: [DraftStep] = [
      .commit([.put(Item(id: 6, section: "b", key: 0))]), .edit([.put(Item(id: 6, section: "b", key: 1))]),
      .discard(nil), .commit([.remove(6)]), .edit([.put(Item(id: 6, section: "c", key: 3, note: "x"))]),
    ]
    return first + steps
  }

  @Test("Histories that were found", arguments: found.indices)
  func again(_ position: Int) async throws {
    let failure = try await DraftLaw.failure(of: Self.found[position], on: InMemoryStore())
    #expect(failure == nil)
  }

  @Test("Histories that were found where the store does not say what columns it has")
  func againWithoutNames() async throws {
    for steps in Self.foundWithoutNames {
      let failure = try await DraftLaw.failure(of: steps, on: InMemoryStore(), namesColumns: false)
      #expect(failure == nil)
    }
  }

  static func holds(
    _ seed: UInt64, rules: LawDatabase.Rules = .none,
    _ store: () async throws -> any DraftLawStore
  ) async throws {
    var steps =
      seed % 2 == 0 ? DraftStep.random(seed, count: 50) : DraftStep.randomFromCold(seed, count: 50)
    if rules != .none {
      // What is edited while a save is under way is edited as the draft has sent it.
      steps = steps.map { step in
        guard case .saving(let policy, _, let fails) = step else { return step }
        return .saving(policy, [], fails: fails)
      }
    }
    // Of a column that a store does not name a trigger's value is read later.
    let namesColumns = rules != .none || seed % 4 != 3
    let found = try await DraftLaw.failure(
      of: steps, on: store(), namesColumns: namesColumns, rules: rules)
    guard let failure = found else { return }
    let few = try await DraftLaw.shrink(steps, namesColumns: namesColumns, rules: rules, store)
    let shrunk =
      (try? await DraftLaw.failure(
        of: few, on: store(), namesColumns: namesColumns, rules: rules)) ?? "it throws"
    Issue.record(
      "seed \(seed): \(failure)\nshrunk: [\(few.map(\.description).joined(separator: ", "))]\n\(shrunk)")
  }
}

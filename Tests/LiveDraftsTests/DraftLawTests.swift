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
    let count = environment["LAW_SEEDS"].flatMap(UInt64.init) ?? 20
    return Array(first..<first + count)
  }()

  @Test("Random commits, edits, undo, redo, saves, discards and resets", arguments: seeds)
  func inMemory(_ seed: UInt64) async throws { try await Self.holds(seed) { InMemoryStore() } }

  /// Histories of which the law found something.
  static let found: [[DraftStep]] = [
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
  ]

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

  static func holds(_ seed: UInt64, _ store: () throws -> any DraftLawStore) async throws {
    let steps =
      seed % 2 == 0 ? DraftStep.random(seed, count: 50) : DraftStep.randomFromCold(seed, count: 50)
    let namesColumns = seed % 4 != 3
    guard let failure = try await DraftLaw.failure(of: steps, on: store(), namesColumns: namesColumns) else {
      return
    }
    let few = try await DraftLaw.shrink(steps, namesColumns: namesColumns, store)
    let shrunk =
      (try? await DraftLaw.failure(of: few, on: store(), namesColumns: namesColumns)) ?? "it throws"
    Issue.record(
      "seed \(seed): \(failure)\nshrunk: [\(few.map(\.description).joined(separator: ", "))]\n\(shrunk)")
  }
}

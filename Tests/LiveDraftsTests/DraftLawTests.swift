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
    ]
  ]

  @Test("Histories that were found", arguments: found.indices)
  func again(_ position: Int) async throws {
    let failure = try await DraftLaw.failure(of: Self.found[position], on: InMemoryStore())
    #expect(failure == nil)
  }

  static func holds(_ seed: UInt64, _ store: () throws -> any DraftLawStore) async throws {
    let steps = DraftStep.random(seed, count: 50)
    guard let failure = try await DraftLaw.failure(of: steps, on: store()) else { return }
    let few = try await DraftLaw.shrink(steps, store)
    let shrunk = (try? await DraftLaw.failure(of: few, on: store())) ?? "it throws"
    Issue.record(
      "seed \(seed): \(failure)\nshrunk: [\(few.map(\.description).joined(separator: ", "))]\n\(shrunk)")
  }
}

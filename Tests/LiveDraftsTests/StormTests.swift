#if SQLite
  import LiveDrafts
  import LiveFetch
  import Testing

  /// What many tasks do at once, in an order that a seed gives: edits, undo, redo and discards before, in and after each part of a save, and
  /// edits that see a row before such a part and set it after that. Over three tables with foreign keys between them, of which one refers to
  /// itself.
  @Suite("Many tasks at once, one step after another")
  struct StormTests {
    @Test(
      "Undo of all leads back to the beginning, and redo of all to where the storm has ended",
      arguments: DraftLawTests.seeds, [true, false])
    func leadsBack(_ seed: UInt64, _ isTold: Bool) async throws {
      let failure = try await Storm.failure(Storm(seed: seed, count: 25, isTold: isTold))
      guard let failure else { return }
      let (shorter, last) = try await Storm(seed: seed, count: 25, isTold: isTold).shrunk()
      Issue.record("seed \(seed): \(failure)\nshrunk: \(shorter)\n\(last)")
    }
  }
#endif

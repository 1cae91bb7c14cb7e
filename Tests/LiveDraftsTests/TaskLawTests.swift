#if SQLite
  import LiveDrafts
  import LiveFetch
  import Testing

  /// The steps of many tasks at once, in an order that a seed gives: edits, undo, redo and discards before, in and after each part of a save, and
  /// edits that see a row before such a part and set it after that; writes that fail, and saves that wait for others. Over three tables with foreign keys
  /// between them and within two of them, and, by the seed's bits, with triggers, unique codes, counters, and keys that go round in a ring.
  ///
  /// The law needs no model: undo of all leads back to the beginning, and redo of all to where the history has ended, whatever was saved.
  /// `make law STORE=draft` runs it with other seeds.
  @Suite("The law of many tasks: undo of all leads back to the beginning")
  struct TaskLawTests {
    /// With the first ten each feature of the schema comes about, alone and with others, where neighbours have the same ones.
    static let seeds =
      DraftLawTests.seeds == Array(0..<10) ? DraftLawTests.seeds.map { 3 * $0 } : DraftLawTests.seeds

    @Test(
      "Random edits, undo, redo and discards in the midst of saves", arguments: seeds, Telling.allCases)
    func holds(_ seed: UInt64, _ telling: Telling) async throws {
      let history = TaskHistory(seed: seed, count: 25, telling: telling)
      guard let failure = try await history.failure() else { return }
      let (shrunk, last) = await history.shrunk()
      Issue.record("seed \(seed), told by \(telling): \(failure)\nshrunk: \(shrunk)\n\(last)")
    }

    @Test("Histories that were found", arguments: TaskHistory.found.indices, Telling.allCases)
    func again(_ position: Int, _ telling: Telling) async throws {
      var history = TaskHistory.found[position]
      history.telling = telling
      // Of a commit that names no rows nobody knows that a trigger has changed a pending row, and nobody else.
      if telling == .resets { history.hasCounts = false }
      for hasTriggers in [false, true] {
        history.hasTriggers = hasTriggers
        let failure = try await history.failure()
        #expect(failure == nil)
      }
    }
  }
#endif

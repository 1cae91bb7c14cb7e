#if SQLite
  import LiveLists
  import Testing
  import _TestTools

  @Suite struct WritingATargetTests {
    @Test(
      "The target of lines shows each of many lists, of which some share nothing",
      arguments: [1, 2, 3] as [UInt64])
    func lines(_ seed: UInt64) async throws {
      var generator = SplitMix(seed: seed)
      let terminal = WritingATarget.Terminal()
      let source = DiffableDataSource(target: terminal) { "\($0)" }
      for round in 0..<100 {
        let numbers = (0..<Int.random(in: 1...20, using: &generator)).shuffled(using: &generator)
        let snapshot: DiffableSnapshot<String, Int> = ["all": Array(numbers.prefix(12))]
        await source.apply(snapshot)
        #expect(terminal.rows == snapshot.itemIdentifiers.map { "\($0)" }, "seed \(seed), round \(round)")
      }
    }
  }
#endif

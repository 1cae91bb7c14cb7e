#if SQLite
  import Synchronization
  import Testing

  @testable import LiveFetchSQLite

  @Suite("Turns of reads")
  struct ReadTurnsTests {
    @Test("No more reads begin at once than the limit, and all begin")
    func limit() {
      let turns = ReadTurns(limit: 3)
      let begun = Mutex<[Int]>([])
      for number in 0..<10 { turns.take { begun.withLock { $0.append(number) } } }
      #expect(begun.withLock { $0 } == [0, 1, 2])
      for count in 1...10 {
        turns.giveBack()
        #expect(begun.withLock { $0.count } == min(10, 3 + count))
      }
      #expect(begun.withLock { $0 } == Array(0..<10))
      // All are free again.
      for number in 10..<14 { turns.take { begun.withLock { $0.append(number) } } }
      #expect(begun.withLock { $0.count } == 13)
    }

    @Test("A read that begins at once may end at once")
    func endsAtOnce() {
      let turns = ReadTurns(limit: 1)
      let count = Mutex(0)
      for _ in 0..<1000 {
        turns.take {
          count.withLock { $0 += 1 }
          turns.giveBack()
        }
      }
      #expect(count.withLock { $0 } == 1000)
    }
  }
#endif

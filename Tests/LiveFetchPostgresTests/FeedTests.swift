#if PostgreSQL
  @testable import LiveFetchPostgres
  import LiveStore
  import Testing
  import _TestTools

  /// A database with transactions, as far as a feed sees it: commits become visible in another order than rows are written,
  /// transaction numbers are used again after a crash, and the log is pruned.
  private struct ModelDatabase {
    struct Entry {
      var seq: Int
      var transaction: UInt64
      var row: Int
    }
    var next: UInt64 = 700
    var open: [UInt64: [Int]] = [:]
    var log: [Entry] = []
    var seq = 0
    var epoch = 1
    /// The rows that each committed transaction has touched, since the beginning.
    var committed: [(transaction: UInt64, rows: [Int])] = []
    var pruned: TransactionSnapshot
    var nextPruned: TransactionSnapshot
    let prunes: Bool

    init(prunes: Bool = true) {
      self.prunes = prunes
      let start = TransactionSnapshot("700:700:")!
      (pruned, nextPruned) = (start, start)
    }

    var snapshot: TransactionSnapshot {
      let running = open.keys.sorted()
      return TransactionSnapshot(
        "\(running.first ?? next):\(next):\(running.map(String.init).joined(separator: ","))")!
    }

    func poll(since last: TransactionSnapshot?) -> Poll {
      let now = snapshot
      let rows = log.filter { now.sees($0.transaction) && !(last?.sees($0.transaction) ?? true) }
      return Poll(
        snapshot: now, epoch: "\(epoch)", pruned: pruned,
        rows: rows.sorted { $0.seq < $1.seq }.map { LogRow(table: 1, operation: .update, key: "\($0.row)") })
    }

    mutating func step(using random: inout SplitMix) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        open[next] = []
        next += 1
      case 3..<6:
        guard let transaction = open.keys.sorted().randomElement(using: &random) else { return }
        seq += 1
        let row = Int.random(in: 0..<50, using: &random)
        open[transaction]?.append(row)
        log.append(Entry(seq: seq, transaction: transaction, row: row))
      case 6..<9:
        guard let transaction = open.keys.sorted().randomElement(using: &random) else { return }
        let rows = open.removeValue(forKey: transaction) ?? []
        if Int.random(in: 0..<5, using: &random) == 0 {
          log.removeAll { $0.transaction == transaction }
        } else {
          committed.append((transaction, rows))
        }
      default:
        guard prunes else { return }
        // By a transaction of its own, which deletes what it sees.
        let (bound, seen) = (nextPruned, snapshot)
        log.removeAll { bound.sees($0.transaction) && seen.sees($0.transaction) }
        (pruned, nextPruned) = (bound, seen)
        committed.append((next, []))
        next += 1
      }
    }

    mutating func commit(row: Int) {
      seq += 1
      log.append(Entry(seq: seq, transaction: next, row: row))
      committed.append((next, [row]))
      next += 1
    }

    mutating func commitAll() {
      committed += open.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      open = [:]
    }

    /// Gives out a number that is written nowhere.
    mutating func beginAndRollBack() { next += 1 }

    /// Ends all transactions that are open, and uses their numbers again, as a server does whose log of them was not written.
    mutating func crash() {
      let lost = Set(open.keys)
      log.removeAll { lost.contains($0.transaction) }
      open = [:]
      // Also of those that were rolled back: only what was committed has its number for good.
      next = (committed.map(\.transaction).max() ?? 699) + 1
      // Whoever makes the new epoch begins to prune anew.
      nextPruned = snapshot
      epoch += 1
    }
  }

  @Suite("A position in the history of a database")
  struct FeedTests {
    @Test(
      "Each commit is found once, or everything is read anew, whatever runs beside it", arguments: 1...200)
    func law(seed: Int) throws {
      var random = SplitMix(seed: UInt64(seed))
      var database = ModelDatabase()
      var feed = Feed()
      var known = 0
      for step in 0..<120 {
        database.step(using: &random)
        if seed % 3 == 0, Int.random(in: 0..<40, using: &random) == 0 { database.crash() }
        guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
        let poll = database.poll(since: feed.snapshot)
        let outcome = feed.outcome(of: poll)
        let missed = database.committed[known...].flatMap(\.rows)
        switch outcome {
        case .needsEpoch: Issue.record("There is an epoch.")
        case .reset: break
        case .nothing: #expect(feed.state == .connecting || missed.isEmpty, "seed \(seed), step \(step)")
        case .rows(let rows):
          #expect(
            rows.compactMap { $0.key.flatMap { Int($0) } }.sorted() == missed.sorted(),
            "seed \(seed), step \(step)")
        }
        _ = feed.take(poll, isChange: outcome != .nothing)
        known = database.committed.count
      }
    }

    // Controls: feeds that are often built, and lose commits. Should the model not catch them, it would prove nothing.
    @Test("The model catches a feed that goes by the order in which rows were written")
    func bySequence() {
      let lost = (1...60).count { seed in
        loses(seed) { log, _, now, last in
          let seen = log.filter { now.sees($0.transaction) && $0.seq > last.seq }
          return (seen.map(\.row), seen.map(\.seq).max() ?? last.seq)
        }
      }
      #expect(lost > 30, "Caught in \(lost) of 60 histories.")
    }

    @Test("The model catches a feed that takes all numbers below the first that is running for seen")
    func byHorizon() {
      let lost = (1...60).count { seed in
        loses(seed) { log, before, now, last in
          let bound = before.map { $0.running.min() ?? $0.end } ?? 0
          let limit = now.end
          // Reads below the newest number, and goes on from there: what was running is passed over.
          let seen = log.filter { now.sees($0.transaction) && $0.transaction >= max(bound, UInt64(last.seq)) }
          return (seen.map(\.row), Int(limit))
        }
      }
      #expect(lost > 30, "Caught in \(lost) of 60 histories.")
    }

    @Test("The model catches a feed that does not know of crashes")
    func withoutEpochs() {
      let lost = (1...200).count { seed in
        var random = SplitMix(seed: UInt64(seed))
        var database = ModelDatabase(prunes: false)
        var last = database.snapshot
        var known = 0
        for step in 0..<150 {
          database.step(using: &random)
          if step == 60 {
            database.commitAll()
            database.beginAndRollBack()
            let poll = database.poll(since: last)
            (last, known) = (poll.snapshot, database.committed.count)
            database.crash()
            // Before the next look, or its snapshot would have the number among those that were running.
            database.commit(row: 7)
          }
          guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
          let poll = database.poll(since: last)
          let missed = database.committed[known...].flatMap(\.rows)
          if poll.rows.compactMap({ $0.key.flatMap { Int($0) } }).sorted() != missed.sorted() { return true }
          (last, known) = (poll.snapshot, database.committed.count)
        }
        return false
      }
      #expect(lost > 100, "Caught in \(lost) of 200 histories.")
    }

    private func loses(
      _ seed: Int,
      _ read: (
        [ModelDatabase.Entry], TransactionSnapshot?, TransactionSnapshot, (seq: Int, Void)
      ) -> (rows: [Int], seq: Int)
    ) -> Bool {
      var random = SplitMix(seed: UInt64(seed))
      var database = ModelDatabase(prunes: false)
      var before: TransactionSnapshot?
      var last = 0
      var known = 0
      for _ in 0..<120 {
        database.step(using: &random)
        guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
        let now = database.snapshot
        let found = read(database.log, before, now, (last, ()))
        let missed = database.committed[known...].flatMap(\.rows)
        if !Set(missed).isSubset(of: found.rows) { return true }
        (before, last, known) = (now, found.seq, database.committed.count)
      }
      return false
    }

    @Test("One snapshot sees all of another: as transaction by transaction says, for all small ones")
    func seesAll() throws {
      var snapshots: [TransactionSnapshot] = []
      for end in 1...5 as ClosedRange<UInt64> {
        for bits in 0..<(1 << (end - 1)) {
          let running = (1..<end).filter { bits >> ($0 - 1) & 1 == 1 }
          let list = running.map(String.init).joined(separator: ",")
          snapshots.append(try #require(TransactionSnapshot("\(running.first ?? end):\(end):\(list)")))
        }
      }
      for a in snapshots {
        for b in snapshots {
          let expected = (1...6 as ClosedRange<UInt64>).allSatisfy { !b.sees($0) || a.sees($0) }
          #expect(a.seesAll(of: b) == expected, "\(a) of \(b)")
        }
      }
      for text in ["", "1:2", "a:b:", "1:2:x", "1:-2:"] {
        #expect(TransactionSnapshot(text) == nil, "\(text)")
      }
    }

    @Test("Who was told of a loss is told of its end, once")
    func loss() {
      var feed = Feed()
      let database = ModelDatabase()
      var told: [Bool] = []
      // Nothing is there yet to be lost.
      told.append(feed.lose(nil))
      told.append(feed.take(database.poll(since: nil), isChange: false))
      told.append(feed.lose(nil))
      told.append(feed.lose(nil))
      told.append(feed.take(database.poll(since: feed.snapshot), isChange: false))
      told.append(feed.take(database.poll(since: feed.snapshot), isChange: false))
      #expect(told == [false, false, true, false, true, false])
      // For another reason it is told again.
      #expect(feed.lose("3F000") && feed.lose(nil) && !feed.lose(nil))
    }
  }
#endif

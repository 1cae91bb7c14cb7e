/// An element that is unmatched at its old position and was found again at a new one.
@usableFromInline
struct MatchedPair {
  /// Its index among the removed elements.
  @usableFromInline var old: Int
  /// Its index among the inserted elements.
  @usableFromInline var new: Int

  @inlinable
  init(old: Int, new: Int) {
    self.old = old
    self.new = new
  }
}

/// The elements of one sequence that have to move, as few as can be.
///
/// Retained elements are in the same order on both sides. Together with the matches they form two orders of the same
/// elements, and what need not move is a longest subsequence that ascends in both. Where matches are few, only
/// they are looked at: a run of retained elements between the positions of matches counts as one element of its length, so
/// the cost follows the number of matches and not the length of the sequence.
///
/// Retained elements may move too: where many matches kept their order among themselves, the retained elements beside
/// them can be fewer.
///
/// It needs positions alone, so it is not generic: users' modules need not compile it for their identifiers.
@usableFromInline
struct MinimalMoves {
  /// For each match, in the order given, whether it moves.
  @usableFromInline var movesMatch: ContiguousArray<Bool>
  /// The retained elements that move, as ranges of their numbers among the retained ones, ascending.
  @usableFromInline var movedRetained: ContiguousArray<Range<Int>> = []

  /// Decides what moves.
  ///
  /// - Parameters:
  ///   - matches: The matches in the order of their new positions.
  ///   - retained: The number of retained elements.
  ///   - removed: The positions of the removed elements of the sequence, in order.
  ///   - inserted: Those of the inserted elements.
  @usableFromInline
  init(
    _ matches: ContiguousArray<MatchedPair>, retained: Int, removed: UnmatchedPositions,
    inserted: UnmatchedPositions
  ) {
    movesMatch = ContiguousArray(repeating: true, count: matches.count)
    if retained / 32 < matches.count {
      compareEach(matches, retained: retained, removed: removed, inserted: inserted)
    } else {
      compareRuns(matches, retained: retained, removed: removed, inserted: inserted)
    }
  }

  /// Compares all elements one by one.
  mutating func compareEach(
    _ matches: ContiguousArray<MatchedPair>, retained: Int, removed: UnmatchedPositions,
    inserted: UnmatchedPositions
  ) {
    // The old positions of all elements that are on both sides, in the new order. No section has more items
    // than 32 bits can count: the table of identities would not hold them.
    var positions = ContiguousArray<UInt32>()
    positions.reserveCapacity(matches.count + retained)
    var next = 0
    var removedBefore = 0
    func passRetained(until end: Int) {
      while next < end {
        while removedBefore < removed.count, removed.retained(before: removedBefore) <= next {
          removedBefore &+= 1
        }
        positions.append(UInt32(truncatingIfNeeded: next &+ removedBefore))
        next &+= 1
      }
    }
    for match in matches {
      passRetained(until: inserted.retained(before: match.new))
      positions.append(UInt32(truncatingIfNeeded: removed[match.old]))
    }
    passRetained(until: retained)

    let stays = increasingSubsequence(of: positions)
    var index = 0
    next = 0
    for (number, match) in matches.enumerated() {
      let end = inserted.retained(before: match.new)
      noteMovedRetained(&next, until: end, at: &index, stays)
      movesMatch[number] = !stays[index]
      index &+= 1
    }
    noteMovedRetained(&next, until: retained, at: &index, stays)
  }

  mutating func noteMovedRetained(
    _ next: inout Int, until end: Int, at index: inout Int, _ stays: ContiguousArray<Bool>
  ) {
    while next < end {
      if !stays[index] { movedRetained.append(next..<next + 1) }
      index &+= 1
      next &+= 1
    }
  }

  /// Compares matches and the runs of retained elements between their positions.
  mutating func compareRuns(
    _ matches: ContiguousArray<MatchedPair>, retained: Int, removed: UnmatchedPositions,
    inserted: UnmatchedPositions
  ) {
    let old = matches.map { removed.retained(before: $0.old) }
    let new = matches.map { inserted.retained(before: $0.new) }
    // Where the runs of retained elements begin.
    var starts: [Int] = []
    for cut in ([0] + old + new).sorted() where cut < retained && starts.last != cut { starts.append(cut) }
    func end(of run: Int) -> Int { run + 1 < starts.count ? starts[run + 1] : retained }

    // Ranks in the old order: matches by their old positions, each run after the matches before it.
    var matchRank = ContiguousArray(repeating: 0, count: matches.count)
    var runRank = ContiguousArray(repeating: 0, count: starts.count)
    var rank = 0
    var run = 0
    for index in matches.indices.sorted(by: { matches[$0].old < matches[$1].old }) {
      while run < starts.count, starts[run] < old[index] {
        runRank[run] = rank
        rank += 1
        run += 1
      }
      matchRank[index] = rank
      rank += 1
    }
    while run < starts.count {
      runRank[run] = rank
      rank += 1
      run += 1
    }

    // The increasing subsequence of greatest weight, in the new order.
    var subsequence = WeightedIncreasingSubsequence(count: rank)
    run = 0
    for index in 0...matches.count {
      let next = index < matches.count ? new[index] : retained
      while run < starts.count, starts[run] < next {
        subsequence.add(rank: runRank[run], weight: end(of: run) - starts[run], tag: ~run)
        run += 1
      }
      if index < matches.count { subsequence.add(rank: matchRank[index], weight: 1, tag: index) }
    }
    var runStays = ContiguousArray(repeating: false, count: starts.count)
    subsequence.forEachElement { tag in
      if tag >= 0 { movesMatch[tag] = false } else { runStays[~tag] = true }
    }
    for run in starts.indices where !runStays[run] { movedRetained.append(starts[run]..<end(of: run)) }
  }
}

/// An element that is unmatched at its old position and was found again at a new one.
@usableFromInline
struct MatchedPair {
  /// Its number among the old strays.
  @usableFromInline var old: Int
  /// Its number among the new strays.
  @usableFromInline var new: Int

  @inlinable
  init(old: Int, new: Int) {
    self.old = old
    self.new = new
  }
}

/// The elements of one sequence that have to move, as few as can be.
///
/// Stayers are in the same order on both sides. Together with the matches they form two orders of the same
/// elements, and what need not move is a longest subsequence that ascends in both. Where matches are few, only
/// they are looked at: a run of stayers between the positions of matches counts as one element of its length, so
/// the cost follows the number of matches and not the length of the sequence.
///
/// Stayers may move too: where many matches kept their order among themselves, it can be the stayers beside
/// them that are fewer.
///
/// It needs positions alone, so it is not generic: users' modules need not compile it for their identifiers.
@usableFromInline
struct MinimalMoves {
  /// For each match, in the order given, whether it moves.
  @usableFromInline var movesMatch: ContiguousArray<Bool>
  /// The stayers that move, as ranges of their numbers among the stayers, ascending.
  @usableFromInline var movedStayers: ContiguousArray<Range<Int>> = []

  /// Decides what moves.
  ///
  /// - Parameters:
  ///   - matches: The matches in the order of their new positions.
  ///   - stayers: The number of stayers.
  ///   - gone: The positions of the old strays of the sequence, in order.
  ///   - come: Those of the new strays.
  @usableFromInline
  init(
    _ matches: ContiguousArray<MatchedPair>, stayers: Int, gone: StrayPositions, come: StrayPositions
  ) {
    movesMatch = ContiguousArray(repeating: true, count: matches.count)
    if stayers / 32 < matches.count {
      compareEach(matches, stayers: stayers, gone: gone, come: come)
    } else {
      compareRuns(matches, stayers: stayers, gone: gone, come: come)
    }
  }

  /// Compares all elements one by one.
  mutating func compareEach(
    _ matches: ContiguousArray<MatchedPair>, stayers: Int, gone: StrayPositions, come: StrayPositions
  ) {
    // The old positions of all elements that are on both sides, in the new order. No section has more items
    // than 32 bits can count: the table of identities would not hold them.
    var positions = ContiguousArray<UInt32>()
    positions.reserveCapacity(matches.count + stayers)
    var stayer = 0
    var goneBefore = 0
    func passStayers(until end: Int) {
      while stayer < end {
        while goneBefore < gone.count, gone.stayers(before: goneBefore) <= stayer { goneBefore &+= 1 }
        positions.append(UInt32(truncatingIfNeeded: stayer &+ goneBefore))
        stayer &+= 1
      }
    }
    for match in matches {
      passStayers(until: come.stayers(before: match.new))
      positions.append(UInt32(truncatingIfNeeded: gone[match.old]))
    }
    passStayers(until: stayers)

    let stays = longestAscent(of: positions)
    var index = 0
    stayer = 0
    for (number, match) in matches.enumerated() {
      let end = come.stayers(before: match.new)
      noteMovedStayers(&stayer, until: end, at: &index, stays)
      movesMatch[number] = !stays[index]
      index &+= 1
    }
    noteMovedStayers(&stayer, until: stayers, at: &index, stays)
  }

  mutating func noteMovedStayers(
    _ stayer: inout Int, until end: Int, at index: inout Int, _ stays: ContiguousArray<Bool>
  ) {
    while stayer < end {
      if !stays[index] { movedStayers.append(stayer..<stayer + 1) }
      index &+= 1
      stayer &+= 1
    }
  }

  /// Compares matches and the runs of stayers between their positions.
  mutating func compareRuns(
    _ matches: ContiguousArray<MatchedPair>, stayers: Int, gone: StrayPositions, come: StrayPositions
  ) {
    let old = matches.map { gone.stayers(before: $0.old) }
    let new = matches.map { come.stayers(before: $0.new) }
    // Where the runs of stayers begin.
    var starts: [Int] = []
    for cut in ([0] + old + new).sorted() where cut < stayers && starts.last != cut { starts.append(cut) }
    func end(of run: Int) -> Int { run + 1 < starts.count ? starts[run + 1] : stayers }

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

    // The heaviest ascent, in the new order.
    var ascent = WeightedIncreasingSubsequence(count: rank)
    run = 0
    for index in 0...matches.count {
      let next = index < matches.count ? new[index] : stayers
      while run < starts.count, starts[run] < next {
        ascent.add(rank: runRank[run], weight: end(of: run) - starts[run], tag: ~run)
        run += 1
      }
      if index < matches.count { ascent.add(rank: matchRank[index], weight: 1, tag: index) }
    }
    var runStays = ContiguousArray(repeating: false, count: starts.count)
    ascent.forEachKept { tag in
      if tag >= 0 { movesMatch[tag] = false } else { runStays[~tag] = true }
    }
    for run in starts.indices where !runStays[run] { movedStayers.append(starts[run]..<end(of: run)) }
  }
}

/// An element that strayed from its old place and was found again at a new one.
@usableFromInline
struct Match {
  /// Its position among the old strays, and the number of stayers before its old place.
  @usableFromInline var old: (stray: Int, stayers: Int)
  /// Its position among the new strays, and the number of stayers before its new place.
  @usableFromInline var new: (stray: Int, stayers: Int)

  @inlinable
  init(old: (stray: Int, stayers: Int), new: (stray: Int, stayers: Int)) {
    self.old = old
    self.new = new
  }
}

/// Decides which of the matches of one sequence have to move so that as few as can be do.
///
/// Stayers are in the same order on both sides. Together with the matches they form two orders of the same
/// elements, and what need not move is a longest subsequence that ascends in both. Only the matches are
/// looked at: a run of stayers between the places of matches counts as one element of its length, so the cost
/// follows the number of matches and not the length of the sequence.
///
/// Which of the stayers move is known too: where many matches kept their order among themselves, it can be
/// the stayers beside them that are fewer.
@usableFromInline
struct Placement {
  /// For each match, in the order given, whether it moves.
  @usableFromInline var movesMatch: ContiguousArray<Bool>
  /// The stayers that move, as ranges of their positions among the stayers, ascending.
  @usableFromInline var movedStayers: ContiguousArray<Range<Int>>

  /// - Parameters:
  ///   - matches: The matches in the order of their new places.
  ///   - stayers: The number of stayers.
  @inlinable
  init(_ matches: ContiguousArray<Match>, stayers: Int) {
    movedStayers = []
    if matches.count == 1, let match = matches.first {
      // One match moves if it passed any stayer. Passing a single one, either could move.
      movesMatch = [match.old.stayers != match.new.stayers]
      return
    }
    movesMatch = ContiguousArray(repeating: true, count: matches.count)
    if matches.isEmpty { return }
    if stayers == 0 {
      let kept = longestAscent(of: matches.lazy.map { $0.old.stray })
      for index in kept { movesMatch[index] = false }
    } else {
      place(matches, stayers: stayers)
    }
  }

  @inlinable
  mutating func place(_ matches: ContiguousArray<Match>, stayers: Int) {
    // Where the runs of stayers begin.
    var cuts = ContiguousArray<Int>()
    cuts.reserveCapacity(matches.count * 2 + 1)
    cuts.append(0)
    for match in matches {
      cuts.append(match.old.stayers)
      cuts.append(match.new.stayers)
    }
    cuts.sort()
    var starts = ContiguousArray<Int>()
    for cut in cuts where cut < stayers && starts.last != cut { starts.append(cut) }

    // Ranks in the old order: matches by their old places, each run after the matches before it.
    let byOldPlace = matches.indices.sorted { matches[$0].old.stray < matches[$1].old.stray }
    var matchRank = ContiguousArray(repeating: 0, count: matches.count)
    var runRank = ContiguousArray(repeating: 0, count: starts.count)
    var rank = 0
    var run = 0
    for index in byOldPlace {
      while run < starts.count, starts[run] < matches[index].old.stayers {
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
    var ascent = HeaviestAscent(count: rank)
    run = 0
    for index in matches.indices {
      while run < starts.count, starts[run] < matches[index].new.stayers {
        ascent.add(rank: runRank[run], weight: Self.end(of: run, starts, stayers) - starts[run], tag: ~run)
        run += 1
      }
      ascent.add(rank: matchRank[index], weight: 1, tag: index)
    }
    while run < starts.count {
      ascent.add(rank: runRank[run], weight: Self.end(of: run, starts, stayers) - starts[run], tag: ~run)
      run += 1
    }
    var runStays = ContiguousArray(repeating: false, count: starts.count)
    ascent.forEachKept { tag in
      if tag >= 0 { movesMatch[tag] = false } else { runStays[~tag] = true }
    }
    for run in starts.indices where !runStays[run] {
      movedStayers.append(starts[run]..<Self.end(of: run, starts, stayers))
    }
  }

  @inlinable
  static func end(of run: Int, _ starts: ContiguousArray<Int>, _ stayers: Int) -> Int {
    run + 1 < starts.count ? starts[run + 1] : stayers
  }
}

/// The positions of a longest strictly ascending subsequence, descending.
@inlinable
func longestAscent<Values: Collection<Int>>(of values: Values) -> ContiguousArray<Int> {
  // For each length, the value and the position at which an ascent of that length ends lowest.
  var lowest = ContiguousArray<Int>()
  var ends = ContiguousArray<Int>()
  var previous = ContiguousArray<Int>()
  previous.reserveCapacity(values.count)
  var position = 0
  for value in values {
    var low = 0
    var high = lowest.count
    if let last = lowest.last, last < value { low = high }
    while low < high {
      let middle = (low &+ high) &>> 1
      if lowest[middle] < value { low = middle &+ 1 } else { high = middle }
    }
    previous.append(low > 0 ? ends[low - 1] : -1)
    if low == lowest.count {
      lowest.append(value)
      ends.append(position)
    } else {
      lowest[low] = value
      ends[low] = position
    }
    position &+= 1
  }
  var kept = ContiguousArray<Int>()
  kept.reserveCapacity(ends.count)
  var next = ends.last ?? -1
  while next >= 0 {
    kept.append(next)
    next = previous[next]
  }
  return kept
}

/// Finds an ascending subsequence of greatest weight among elements with different ranks.
@usableFromInline
struct HeaviestAscent {
  /// A tree of prefix maxima over ranks: the element at which the heaviest ascent below a rank ends, plus one.
  @usableFromInline var maxima: ContiguousArray<Int>
  @usableFromInline var elements: ContiguousArray<(total: Int, previous: Int, tag: Int)> = []
  @usableFromInline var best = -1

  @inlinable
  init(count: Int) {
    maxima = ContiguousArray(repeating: 0, count: count + 1)
    elements.reserveCapacity(count)
  }

  @inlinable
  mutating func add(rank: Int, weight: Int, tag: Int) {
    var previous = -1
    var below = 0
    var index = rank
    while index > 0 {
      let candidate = maxima[index] &- 1
      if candidate >= 0, elements[candidate].total > below {
        below = elements[candidate].total
        previous = candidate
      }
      index &= index &- 1
    }
    let number = elements.count
    let total = below + weight
    elements.append((total, previous, tag))
    if best < 0 || total > elements[best].total { best = number }
    index = rank + 1
    while index < maxima.count {
      let candidate = maxima[index] &- 1
      if candidate < 0 || elements[candidate].total < total { maxima[index] = number &+ 1 }
      index &+= index & (0 &- index)
    }
  }

  @inlinable
  func forEachKept(_ body: (Int) -> Void) {
    var next = best
    while next >= 0 {
      body(elements[next].tag)
      next = elements[next].previous
    }
  }
}

extension Rank {
  /// The ranks that put some rows between others, and those that neighbours take so that there is room.
  public struct Placement: Sendable, Hashable {
    /// The ranks of the rows that are placed, ascending.
    public var placed: [Rank]
    /// New ranks for the nearest rows before the gap, in list order; mostly none.
    public var before: [Rank]
    /// New ranks for the nearest rows after the gap, in list order; mostly none.
    public var after: [Rank]
  }

  /// Returns ranks for rows that are put between others, and spreads the smallest neighbourhood anew where there is no
  /// room: between equal ranks, and where a rank would grow longer than ``maximumLength``.
  ///
  /// A neighbourhood that is spread keeps its order, so nothing but the placed rows moves.
  ///
  /// - Parameters:
  ///   - count: How many rows are placed.
  ///   - before: The ranks before the gap in list order, the nearest last: all, or as many as there may be
  ///     need of.
  ///   - after: The ranks after the gap in list order, the nearest first.
  ///   - reachesStart: Whether `before` begins with the first of the list.
  ///   - reachesEnd: Whether `after` ends with the last of the list.
  /// - Returns: The ranks to write.
  /// - Throws: ``RankError/crowded`` when more neighbours are needed than were given; ``RankError/exhausted``.
  public static func place(
    _ count: Int, before: [Rank], after: [Rank], reachesStart: Bool = false, reachesEnd: Bool = false
  ) throws(RankError) -> Placement {
    var window = 0
    while true {
      let spreadBefore = min(window, before.count)
      let spreadAfter = min(window, after.count)
      let lower = before.dropLast(spreadBefore).last
      let upper = after.dropFirst(spreadAfter).first
      guard window == 0 || ((lower != nil || reachesStart) && (upper != nil || reachesEnd)) else {
        throw .crowded
      }
      if let placement = try attempt(count, lower, upper, spreadBefore, spreadAfter) { return placement }
      window = max(1, window * 2)
    }
  }

  private static func attempt(
    _ count: Int, _ lower: Rank?, _ upper: Rank?, _ spreadBefore: Int, _ spreadAfter: Int
  ) throws(RankError) -> Placement? {
    if let lower, let upper, lower >= upper { return nil }
    let ranks = try between(lower, upper, count: spreadBefore + count + spreadAfter)
    // A neighbourhood that is spread at all is spread until its ranks are short again.
    let limit = spreadBefore + spreadAfter > 0 ? maximumLength / 4 : maximumLength
    guard ranks.allSatisfy({ $0.bytes.count <= limit }) else { return nil }
    return Placement(
      placed: Array(ranks[spreadBefore..<(spreadBefore + count)]),
      before: Array(ranks[..<spreadBefore]), after: Array(ranks[(spreadBefore + count)...]))
  }
}

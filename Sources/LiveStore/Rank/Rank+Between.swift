extension Rank {
  /// A rank between two.
  /// - Parameters:
  ///   - lower: The rank that it comes after; nil for the start of the list.
  ///   - upper: The rank that it comes before; nil for the end of the list.
  /// - Returns: The rank. The same bounds give the same rank.
  /// - Throws: ``RankError/noRoom(_:_:)`` unless `lower` is below `upper`; ``RankError/exhausted``.
  /// - Complexity: O(length of the bounds).
  public static func between(_ lower: Rank?, _ upper: Rank?) throws(RankError) -> Rank {
    let ranks = try between(lower, upper, count: 1)
    guard let rank = ranks.first else { throw .exhausted }
    return rank
  }

  /// Several ranks between two, ascending and evenly spread.
  /// - Parameters:
  ///   - lower: The rank that they come after; nil for the start of the list.
  ///   - upper: The rank that they come before; nil for the end of the list.
  ///   - count: How many; none when it is not positive.
  /// - Returns: The ranks, ascending.
  /// - Throws: ``RankError/noRoom(_:_:)`` unless `lower` is below `upper`; ``RankError/exhausted``.
  /// - Complexity: O(count × length of the bounds).
  public static func between(_ lower: Rank?, _ upper: Rank?, count: Int) throws(RankError) -> [Rank] {
    guard count > 0 else { return [] }
    switch (lower, upper) {
    case (nil, nil): return try consecutive(from: 0, count: count)
    case (let lower?, nil): return try consecutive(from: lower.whole + 1, count: count)
    case (nil, let upper?): return try consecutive(from: upper.whole - Int64(count), count: count)
    case (let lower?, let upper?):
      guard lower < upper else { throw .noRoom(lower, upper) }
      return try spread(lower, upper, count)
    }
  }

  /// Returns a rank between two that another writer is unlikely to choose for the same gap at the same time.
  /// - Parameters:
  ///   - lower: The rank that it comes after; nil for the start of the list.
  ///   - upper: The rank that it comes before; nil for the end of the list.
  ///   - generator: Where the two random bytes come from that distinguish writers.
  /// - Returns: The rank.
  /// - Throws: ``RankError/noRoom(_:_:)`` unless `lower` is below `upper`; ``RankError/exhausted``.
  public static func between(
    _ lower: Rank?, _ upper: Rank?, using generator: inout some RandomNumberGenerator
  ) throws(RankError) -> Rank {
    let rank = try between(lower, upper)
    let random = [UInt8.random(in: 0...255, using: &generator), UInt8.random(in: 1...255, using: &generator)]
    guard let jittered = Rank(whole: rank.whole, fraction: rank.fraction + random) else { throw .exhausted }
    if let upper, jittered >= upper { return try between(rank, upper) }
    return jittered
  }

  private static func consecutive(from first: Int64, count: Int) throws(RankError) -> [Rank] {
    var ranks: [Rank] = []
    ranks.reserveCapacity(count)
    for offset in 0..<Int64(count) {
      guard let rank = Rank(whole: first + offset, fraction: []) else { throw .exhausted }
      ranks.append(rank)
    }
    return ranks
  }

  private static func spread(_ lower: Rank, _ upper: Rank, _ count: Int) throws(RankError) -> [Rank] {
    let first = lower.whole
    let last = upper.whole
    // Whole numbers strictly between, and the upper one itself when a fraction holds its rank above it.
    let room = last - first - 1 + (last > first && !upper.fraction.isEmpty ? 1 : 0)
    if room >= Int64(count) {
      var ranks: [Rank] = []
      for position in 1...Int64(count) {
        let whole = first + max(position, room / Int64(count + 1) * position)
        guard let rank = Rank(whole: whole, fraction: []) else { throw .exhausted }
        ranks.append(rank)
      }
      return ranks
    }
    let fractions = RankFraction.spread(lower.fraction, first == last ? upper.fraction : nil, count)
    var ranks: [Rank] = []
    for fraction in fractions {
      guard let rank = Rank(whole: first, fraction: fraction) else { throw .exhausted }
      ranks.append(rank)
    }
    return ranks
  }
}

/// Fractions written as digits to base 256, without zeros at the end.
enum RankFraction {
  /// Fractions evenly spread between two; a missing upper one is 1.
  static func spread(_ lower: [UInt8], _ upper: [UInt8]?, _ count: Int) -> [[UInt8]] {
    // The gap between the bounds, in units of the last digit looked at, until all fit inside.
    var gap = upper == nil ? 1 : 0
    var digits: [UInt8] = []
    while gap < count + 1 {
      let position = digits.count
      let low = position < lower.count ? lower[position] : 0
      let high = upper.map { position < $0.count ? $0[position] : 0 } ?? 0
      gap = gap * 256 + Int(high) - Int(low)
      digits.append(low)
    }
    return (1...count).map { position in
      var fraction = digits
      var carry = gap / (count + 1) * position + gap % (count + 1) * position / (count + 1)
      var index = fraction.count - 1
      while carry > 0, index >= 0 {
        let sum = Int(fraction[index]) + carry
        fraction[index] = UInt8(sum & 0xFF)
        carry = sum >> 8
        index -= 1
      }
      while fraction.last == 0 { fraction.removeLast() }
      return fraction
    }
  }
}

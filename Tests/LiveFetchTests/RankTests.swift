import LiveFetch
import _TestTools
import Testing

@Suite("Rank")
struct RankTests {
  @Test("Ranks at the end of a list count up, at its start down, and stay short")
  func ends() throws {
    var last = try Rank.between(nil, nil)
    var first = last
    for _ in 0..<5_000 {
      let next = try Rank.between(last, nil)
      let previous = try Rank.between(nil, first)
      #expect(last < next && previous < first)
      (last, first) = (next, previous)
    }
    #expect(last.bytes.count <= 3 && first.bytes.count <= 3)
  }

  @Test(
    "Two hundred drops between the same neighbours stay in order and below the longest",
    arguments: [true, false])
  func samePlace(_ dropsAfterLower: Bool) throws {
    var lower = try Rank.between(nil, nil)
    var upper = try Rank.between(lower, nil)
    for _ in 0..<200 {
      let rank = try Rank.between(lower, upper)
      #expect(lower < rank && rank < upper)
      if dropsAfterLower { upper = rank } else { lower = rank }
    }
    #expect(lower.bytes.count <= Rank.maximumLength && upper.bytes.count <= Rank.maximumLength)
  }

  @Test("Several at once are distinct, ascending and between", arguments: [1, 2, 7, 255, 256, 1_000])
  func several(_ count: Int) throws {
    let lower = try Rank.between(nil, nil)
    let upper = try Rank.between(lower, nil)
    let middle = try Rank.between(lower, upper)
    for (low, high) in [
      (nil, nil), (lower, nil), (nil, lower), (lower, upper), (lower, middle), (middle, upper),
    ] {
      let ranks = try Rank.between(low, high, count: count)
      let bounds = [low].compactMap { $0 } + ranks + [high].compactMap { $0 }
      #expect(ranks.count == count)
      #expect(zip(bounds, bounds.dropFirst()).allSatisfy(<))
    }
  }

  @Test("Several between two are evenly spread", arguments: [3, 100, 200, 300])
  func evenly(_ count: Int) throws {
    let lower = try Rank.between(nil, nil)
    let upper = try Rank.between(lower, nil)
    let middle = try Rank.between(lower, upper)
    let below = try Rank.between(lower, upper, count: count).count { $0 < middle }
    #expect(abs(2 * below - count) <= 2)
  }

  @Test("Neighbours that are to be spread have to reach to others with ranks, or to the ends of the list")
  func crowded() throws {
    let rank = try Rank.between(nil, nil)
    let (lower, upper) = (try Rank.between(nil, rank), try Rank.between(rank, nil))
    #expect(throws: RankError.crowded) { try Rank.place(1, before: [rank], after: [rank, upper]) }
    #expect(throws: RankError.crowded) { try Rank.place(1, before: [lower, rank], after: [rank]) }
    #expect(try Rank.place(1, before: [rank], after: [rank, upper], reachesStart: true).before.count == 1)
    #expect(try Rank.place(1, before: [lower, rank], after: [rank], reachesEnd: true).after.count == 1)
    #expect(try Rank.place(1, before: [lower, rank], after: [rank, upper]).placed.count == 1)
  }

  @Test("Random drops keep the list in order", arguments: [1, 2, 3, 4] as [UInt64])
  func random(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var list: [Rank] = []
    for _ in 0..<2_000 {
      let index = Int.random(in: 0...list.count, using: &random)
      let lower = index > 0 ? list[index - 1] : nil
      let upper = index < list.count ? list[index] : nil
      let rank =
        Bool.random(using: &random)
        ? try Rank.between(lower, upper) : try Rank.between(lower, upper, using: &random)
      list.insert(rank, at: index)
    }
    #expect(zip(list, list.dropFirst()).allSatisfy(<), "seed \(seed)")
    #expect(list.allSatisfy { Rank(bytes: $0.bytes) == $0 })
  }

  @Test("Between equal ranks there is no room, and it is said")
  func noRoom() throws {
    let rank = try Rank.between(nil, nil)
    #expect(throws: RankError.noRoom(rank, rank)) { try Rank.between(rank, rank) }
  }

  @Test("Where there is no room the smallest neighbourhood is spread, and nothing else moves")
  func rebalance() throws {
    let first = try Rank.between(nil, nil)
    let same = try Rank.between(first, nil)
    let last = try Rank.between(same, nil)
    let placement = try Rank.place(2, before: [first, same], after: [same, same, last])
    let before = [first, same].dropLast(placement.before.count) + placement.before
    let after = placement.after + [same, same, last].dropFirst(placement.after.count)
    let all = Array(before) + placement.placed + Array(after)
    #expect(zip(all, all.dropFirst()).allSatisfy(<=))
    #expect(placement.placed.count == 2)
    #expect(try #require(before.last) < placement.placed[0])
    #expect(placement.placed[1] < (try #require(after.first)))
    let roomy = try Rank.place(1, before: [first], after: [last])
    #expect(roomy.before.isEmpty && roomy.after.isEmpty)
  }

  @Test("A rank that would grow past the longest is had short again by spreading its neighbours")
  func tooLong() throws {
    var before = [try Rank.between(nil, nil)]
    var after = [try Rank.between(before[0], nil)]
    var longest = 0
    var spreads = 0
    for number in 0..<1_000 {
      let placement = try Rank.place(1, before: before, after: after, reachesStart: true, reachesEnd: true)
      before.replaceSubrange((before.count - placement.before.count)..., with: placement.before)
      after.replaceSubrange(..<placement.after.count, with: placement.after)
      // The next is dropped before this one or behind it, so that there are crowds on both sides.
      if number % 2 == 0 {
        after.insert(placement.placed[0], at: 0)
      } else {
        before.append(placement.placed[0])
      }
      longest = max(longest, placement.placed[0].bytes.count)
      let spread = placement.before + placement.after
      // Spread at all, they are spread until they are short: else the next drop but one had to spread them again.
      if !spread.isEmpty {
        spreads += 1
        #expect((spread + placement.placed).allSatisfy { $0.bytes.count <= Rank.maximumLength / 4 })
      }
      #expect(zip(before + after, (before + after).dropFirst()).allSatisfy(<))
    }
    #expect(longest <= Rank.maximumLength)
    #expect(spreads > 0 && spreads < 20, "\(spreads)")
  }

  @Test(
    "Bytes that are no rank's are refused",
    arguments: [[], [0x80], [0x80, 1, 0], [0x90, 1], [0x81, 1]] as [[UInt8]])
  func invalid(_ bytes: [UInt8]) {
    #expect(Rank(bytes: bytes) == nil)
  }
}

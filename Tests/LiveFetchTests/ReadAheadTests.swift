import _TestTools
import Testing

@testable import LiveFetch

@Suite("What is read ahead")
struct ReadAheadTests {
  @Test("Around a row that comes out of the blue: a quarter before it, the rest behind")
  func around() {
    var ahead = ReadAhead()
    #expect(ahead.positions(around: 500, size: 40, atMost: 1_000, of: 10_000) == 490..<530)
    #expect(ahead.positions(around: 5_000, size: 40, atMost: 1_000, of: 10_000) == 4_990..<5_030)
  }

  @Test("Forwards row by row portions grow to eight times the size, and stay there")
  func forwards() {
    var ahead = ReadAhead()
    var read: [Range<Int>] = []
    var position = 0
    while position < 1_300 {
      let positions = ahead.positions(around: position, size: 40, atMost: 1_000, of: 1_300)
      read.append(positions)
      position = positions.upperBound
    }
    // At the list's start there is nothing before the row.
    #expect(read == [0..<40, 40..<120, 120..<280, 280..<600, 600..<920, 920..<1_240, 1_240..<1_300])
  }

  @Test("Backwards likewise")
  func backwards() {
    var ahead = ReadAhead()
    #expect(ahead.positions(around: 699, size: 40, atMost: 1_000, of: 700) == 689..<700)
    #expect(ahead.positions(around: 688, size: 40, atMost: 1_000, of: 700) == 609..<689)
    #expect(ahead.positions(around: 608, size: 40, atMost: 1_000, of: 700) == 449..<609)
    #expect(ahead.positions(around: 448, size: 40, atMost: 1_000, of: 700) == 129..<449)
  }

  @Test("Who jumps begins anew")
  func jumps() {
    var ahead = ReadAhead()
    _ = ahead.positions(around: 0, size: 40, atMost: 1_000, of: 10_000)
    _ = ahead.positions(around: 40, size: 40, atMost: 1_000, of: 10_000)
    #expect(ahead.positions(around: 121, size: 40, atMost: 1_000, of: 10_000) == 111..<151)
    #expect(ahead.positions(around: 151, size: 40, atMost: 1_000, of: 10_000) == 151..<231)
  }

  @Test(
    "The row asked for is always among them, and never more than may be",
    arguments: 1...20 as ClosedRange<UInt64>)
  func law(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var ahead = ReadAhead()
    var last = 0..<0
    for _ in 0..<500 {
      let count = Int.random(in: 1...300, using: &random)
      let size = Int.random(in: 0...60, using: &random)
      let most = Int.random(in: 1...100, using: &random)
      let next = [last.upperBound, last.lowerBound - 1, Int.random(in: 0..<count, using: &random)]
      let position = next.filter { (0..<count).contains($0) }.randomElement(using: &random) ?? 0
      last = ahead.positions(around: position, size: size, atMost: most, of: count)
      #expect(last.contains(position) && last.lowerBound >= 0 && last.upperBound <= count, "seed \(seed)")
      #expect(last.count <= max(1, min(size * 8, most)), "seed \(seed)")
    }
  }
}

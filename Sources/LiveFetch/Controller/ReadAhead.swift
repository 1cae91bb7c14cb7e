import LiveStore

/// Which rows are read with one that is not at hand.
///
/// Those around it; where a list is traversed row by row, those that come next, in larger and larger portions: a portion
/// costs something besides its rows.
struct ReadAhead: Sendable {
  /// How many times as many rows are read at most.
  static let maximumTimes = 8

  /// The positions that were read last.
  private var last = 0..<0
  private var times = 1

  init() {}

  /// The positions to be read.
  /// - Parameters:
  ///   - position: The position of the row that is asked for.
  ///   - size: How many rows to read around one that is asked for by itself.
  ///   - most: The most rows to read.
  ///   - count: The number of rows in the list.
  mutating func positions(around position: Int, size: Int, atMost most: Int, of count: Int) -> Range<Int> {
    let isForward = !last.isEmpty && position == last.upperBound
    let isBackward = !last.isEmpty && position == last.lowerBound - 1
    times = isForward || isBackward ? min(times * 2, Self.maximumTimes) : 1
    let total = max(1, min(size * times, most))
    // Who comes out of the blue mostly goes on forwards: of the rows that are read a quarter at most are those before.
    let before = isForward ? 0 : isBackward ? total - 1 : total / 4
    let start = max(0, position - before)
    last = start..<min(count, max(position + 1, start + total))
    return last
  }
}

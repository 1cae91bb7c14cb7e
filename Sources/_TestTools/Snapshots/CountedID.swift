internal import Synchronization

/// An identifier that counts how often it is hashed and compared.
package struct CountedID: Hashable, Sendable {
  /// The counts of many identifiers.
  package final class Tally: Sendable {
    private let hashes = Atomic<Int>(0)
    private let comparisons = Atomic<Int>(0)

    package init() {}

    /// Counts what a closure does.
    package func count(_ body: () throws -> Void) rethrows -> (hashes: Int, comparisons: Int) {
      let before = counts
      try body()
      return (counts.hashes - before.hashes, counts.comparisons - before.comparisons)
    }

    /// The counts until now.
    package var counts: (hashes: Int, comparisons: Int) {
      (hashes.load(ordering: .relaxed), comparisons.load(ordering: .relaxed))
    }

    fileprivate func addHash() { hashes.add(1, ordering: .relaxed) }
    fileprivate func addComparison() { comparisons.add(1, ordering: .relaxed) }

    /// Makes identifiers that are counted here.
    package func ids(_ numbers: some Sequence<Int>) -> [CountedID] {
      numbers.map { CountedID(number: $0, tally: self) }
    }
  }

  package var number: Int
  private var tally: Tally

  package init(number: Int, tally: Tally) {
    self.number = number
    self.tally = tally
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.tally.addComparison()
    return lhs.number == rhs.number
  }

  package func hash(into hasher: inout Hasher) {
    tally.addHash()
    hasher.combine(number)
  }
}

import Foundation

/// Returns the cases whose turn it is, where `TEST_TURN` gives a number, as in `make test`; otherwise all of them.
///
/// For tests with so many cases that a run has no time for all: one run after the other goes through them.
/// - Parameter turns: The number of turns in which all cases run.
public func inTurns<Case>(_ cases: [Case], of turns: Int) -> [Case] {
  guard let turn = ProcessInfo.processInfo.environment["TEST_TURN"].flatMap(Int.init) else { return cases }
  return cases.enumerated().filter { ($0.offset + turn) % turns == 0 }.map(\.element)
}

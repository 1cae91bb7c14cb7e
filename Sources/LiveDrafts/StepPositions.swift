/// The positions of steps by their rows. They need not be found anew where steps are inserted one after the other, from the first on, as
/// for each of many deletions: those that follow the last one are all further on by as many.
struct StepPositions: Sendable {
  /// nil where a step was inserted since.
  private var positions: [DraftKey: Int?] = [:]
  /// The first position, of those that were found, at which steps were inserted since.
  private var first = Int.max
  /// The last such position, and how many steps were inserted up to it.
  private var last = (position: Int.max, count: 0)
  /// How often all were found, for tests.
  private(set) var searches = 0

  mutating func insert(_ new: [HistoryStep], at position: Int) {
    if positions.isEmpty { return }
    let found = position - last.count
    guard first == .max || found >= last.position else {
      positions = [:]
      return
    }
    first = min(first, found)
    last = (found, last.count + new.count)
    for step in new { positions[step.key] = .some(nil) }
  }

  mutating func position(of key: DraftKey, in steps: [HistoryStep]) -> Int? {
    if !positions.isEmpty {
      guard let found = positions[key] else { return nil }
      if let found, found >= last.position { return found + last.count }
      if let found, found < first { return found }
    }
    positions = Dictionary(steps.indices.map { (steps[$0].key, $0) }) { first, _ in first }
    (first, last) = (.max, (.max, 0))
    searches += 1
    return positions[key] ?? nil
  }
}

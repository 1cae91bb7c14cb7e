import LiveStore
import Snapshots

// Limit and offset.
extension ListState {
  /// Whether the window stays exact by what is known: the rows outside of it are not.
  /// - Parameters:
  ///   - moving: The rows that come, go or move; those that fall behind the window are dropped from it.
  func admitToWindow(_ moving: inout [Candidate], _ change: inout ListChange<ID>) throws(FetchError)
    -> Bool
  {
    let limit = plan.limit ?? .max
    // Rows before the window push what is in it to and fro, and it is not known which they were.
    if plan.offset > 0 { return false }
    let isFull = snapshot.numberOfItems >= limit
    guard isFull else { return true }
    if limit == 0 {
      change.touched.forget()
      moving = []
      return true
    }
    let last = index.key(at: index.count - 1)
    var inWindow: [Candidate] = []
    for candidate in moving {
      let isBehind = candidate.key.map { last.lexicographicallyPrecedes($0) } ?? true
      if candidate.location == nil, isBehind {
        change.touched.forget(candidate.id)
        continue  // Behind the window before and after.
      }
      // A row that leaves makes room for one that is not known.
      if candidate.location != nil, isBehind { return false }
      inWindow.append(candidate)
    }
    moving = inWindow
    return true
  }

  /// Drops what was pushed out behind the limit.
  mutating func trimWindow(_ change: inout ListChange<ID>) {
    guard let limit = plan.limit, snapshot.numberOfItems > limit else { return }
    change.step = nil
    change.retained = nil
    while snapshot.numberOfItems > limit, let location = snapshot.location(at: snapshot.numberOfItems - 1),
      let last = snapshot.itemIdentifier(at: location.path)
    {
      // Its changes behind the limit are not reported: when it comes back it may be another.
      change.touched.append(last, .unknown)
      _ = remove(last, at: location)
    }
  }
}

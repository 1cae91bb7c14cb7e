import LiveStore
import Snapshots

extension ListState {
  /// The range of the order that holds the rows from one to another.
  ///
  /// - Parameters:
  ///   - first: The first of the rows.
  ///   - last: The last of the rows.
  ///   - most: How many rows may be in the range.
  /// - Returns: The range; nil where the keys do not contain the columns' values, a bound is `NULL`, or the rows that tie
  ///   with the first and the last are too many.
  /// - Complexity: O(log *n*).
  func range(from first: ID, through last: ID, atMost most: Int) -> FetchOrderRange? {
    // Of a list that is given up there are no keys.
    guard plan.raw == nil, index.count == snapshot.numberOfItems, let start = snapshot.indexOfItem(first),
      let end = snapshot.indexOfItem(last),
      start <= end
    else { return nil }
    var low = OrderKeyReader(index.key(at: start))
    var high = OrderKeyReader(index.key(at: end))
    var equalities: [FetchOrderRange.Equality] = []
    for (part, component) in zip(keys.parts, plan.order) {
      guard let a = low.next(part), let b = high.next(part) else { return nil }
      if low.passed == high.passed {
        equalities.append(.init(column: component.name, value: a))
        continue
      }
      if a.isNull || b.isNull { return nil }
      let (least, greatest) = part.isDescending ? (b, a) : (a, b)
      return range(equalities, component.name, least, greatest, low, high, most)
    }
    let type = plan.columns[0].type
    let (a, b) = (low.identifier(type), high.identifier(type))
    return range(equalities, plan.columns[0].name, a, b, low, high, most)
  }

  private func range(
    _ equalities: [FetchOrderRange.Equality], _ column: String, _ least: FetchValue, _ greatest: FetchValue,
    _ low: OrderKeyReader, _ high: OrderKeyReader, _ most: Int
  ) -> FetchOrderRange? {
    guard let end = high.end else { return nil }
    let count = index.position(of: end).position - index.position(of: low.start).position
    guard count <= most else { return nil }
    return FetchOrderRange(
      equalities: equalities, column: column, least: least, greatest: greatest, count: count)
  }
}

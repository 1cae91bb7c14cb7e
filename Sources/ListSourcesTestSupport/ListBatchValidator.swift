public import ListSources
internal import Snapshots

/// Checks a batch against the rules of list views, knowing nothing but the numbers of items.
public struct ListBatchValidator: Sendable {
  /// The number of items of each section before the batch.
  public var before: [Int]
  /// The number of items of each section after the batch.
  public var after: [Int]
  /// Whether items of moving sections may not be touched.
  public var isStrict: Bool

  /// Creates a validator.
  public init(before: [Int], after: [Int], isStrict: Bool = false) {
    self.before = before
    self.after = after
    self.isStrict = isStrict
  }

  /// Checks a batch.
  ///
  /// - Throws: The first rule that it breaks.
  /// - Complexity: O(*c* + *s*), where *c* is the number of operations and *s* that of sections.
  public func check(_ batch: ListBatch) throws(ListRuleViolation) {
    try checkSections(batch)
    try checkItems(batch)
    try checkMembership(batch)
    try checkCounts(batch)
    if isStrict { try checkMovedSections(batch) }
  }

  private func checkSections(_ batch: ListBatch) throws(ListRuleViolation) {
    let leaving = batch.deletedSections + batch.reloadedSections + batch.movedSections.map(\.from)
    let arriving = batch.insertedSections + batch.movedSections.map(\.to)
    for section in leaving where !before.indices.contains(section) {
      throw ListRuleViolation(
        .sectionOut, "section \(section) is touched, but there are \(before.count) before the batch")
    }
    for section in arriving where !after.indices.contains(section) {
      throw ListRuleViolation(
        .sectionOut, "section \(section) arrives, but there are \(after.count) after the batch")
    }
    if let section = firstDouble(leaving) {
      throw ListRuleViolation(.sectionDouble, "section \(section) is touched twice")
    }
    if let section = firstDouble(arriving) {
      throw ListRuleViolation(.sectionDouble, "two sections arrive at \(section)")
    }
    let expected = before.count - batch.deletedSections.count + batch.insertedSections.count
    if expected != after.count {
      throw ListRuleViolation(
        .sectionCount,
        "\(before.count) sections, \(batch.deletedSections.count) deleted, \(batch.insertedSections.count) "
          + "inserted, but \(after.count) after the batch")
    }
  }

  private func checkItems(_ batch: ListBatch) throws(ListRuleViolation) {
    let leaving = touchedItems(batch)
    let arriving = batch.insertedItems + batch.movedItems.map(\.to)
    for path in leaving where !contains(path, before) {
      throw ListRuleViolation(.itemOut, "item \(path) is touched, but is not there before the batch")
    }
    for path in arriving where !contains(path, after) {
      throw ListRuleViolation(.itemOut, "an item arrives at \(path), but there is none after the batch")
    }
    if let path = firstDouble(leaving) {
      throw ListRuleViolation(.itemDouble, "item \(path) is touched twice")
    }
    if let path = firstDouble(arriving) {
      throw ListRuleViolation(.itemDouble, "two items arrive at \(path)")
    }
  }

  private func checkMembership(_ batch: ListBatch) throws(ListRuleViolation) {
    let gone = Set(batch.deletedSections + batch.reloadedSections)
    for move in batch.movedItems where gone.contains(move.from.section) {
      throw ListRuleViolation(
        .fromDeletedSection, "item \(move.from) moves out of a section that is deleted or reloaded")
    }
    let reloaded = Set(batch.reloadedSections)
    let origins = originsOfSections(batch)
    for move in batch.movedItems {
      let origin = origins[move.to.section]
      if origin.map(reloaded.contains) ?? true {
        throw ListRuleViolation(
          .intoInsertedSection, "an item moves to \(move.to), in a section that is inserted or reloaded")
      }
    }
  }

  private func checkCounts(_ batch: ListBatch) throws(ListRuleViolation) {
    var change: [Int: Int] = [:]
    let origins = originsOfSections(batch)
    var destination: [Int: Int] = [:]
    for (new, old) in origins.enumerated() {
      if let old { destination[old] = new }
    }
    for path in batch.deletedItems + batch.movedItems.map(\.from) {
      if let section = destination[path.section] { change[section, default: 0] -= 1 }
    }
    for path in batch.insertedItems + batch.movedItems.map(\.to) { change[path.section, default: 0] += 1 }
    let reloaded = Set(batch.reloadedSections)
    for (new, old) in origins.enumerated() {
      guard let old else { continue }
      // A section that is reloaded and otherwise left alone may have any number of items.
      if reloaded.contains(old), change[new] == nil { continue }
      let expected = before[old] + change[new, default: 0]
      if expected != after[new] {
        throw ListRuleViolation(
          .itemCount, "section \(new) has \(after[new]) items after the batch, but \(expected) follow from it"
        )
      }
    }
  }

  private func checkMovedSections(_ batch: ListBatch) throws(ListRuleViolation) {
    let from = Set(batch.movedSections.map(\.from))
    let to = Set(batch.movedSections.map(\.to))
    for path in touchedItems(batch) where from.contains(path.section) {
      throw ListRuleViolation(.movedSectionTouched, "item \(path) is touched, and its section moves")
    }
    for path in batch.insertedItems + batch.movedItems.map(\.to) where to.contains(path.section) {
      throw ListRuleViolation(.movedSectionTouched, "an item arrives at \(path), in a section that moves")
    }
  }

  private func touchedItems(_ batch: ListBatch) -> [ListIndexPath] {
    batch.deletedItems + batch.reloadedItems + batch.reconfiguredItems + batch.movedItems.map(\.from)
  }

  /// For each section after the batch, where it was before; `nil` for those that are inserted.
  func originsOfSections(_ batch: ListBatch) -> [Int?] {
    var origins = [Int?](repeating: nil, count: after.count)
    var isTaken = [Bool](repeating: false, count: after.count)
    for section in batch.insertedSections { isTaken[section] = true }
    for move in batch.movedSections {
      isTaken[move.to] = true
      origins[move.to] = move.from
    }
    let leaving = Set(batch.deletedSections + batch.movedSections.map(\.from))
    var staying = before.indices.lazy.filter { !leaving.contains($0) }.makeIterator()
    for section in after.indices where !isTaken[section] { origins[section] = staying.next() }
    return origins
  }

  private func contains(_ path: ListIndexPath, _ counts: [Int]) -> Bool {
    counts.indices.contains(path.section) && path.item >= 0 && path.item < counts[path.section]
  }

  private func firstDouble<Value: Hashable>(_ values: [Value]) -> Value? {
    var seen: Set<Value> = []
    return values.first { !seen.insert($0).inserted }
  }
}

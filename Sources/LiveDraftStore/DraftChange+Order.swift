import LiveStore

extension [DraftChange] {
  /// The changes in an order that foreign keys allow which the database checks at once: each row comes after those that it refers to, and a
  /// row is deleted, or gives up what others refer to, after these no longer do. All else stays in its order, and so do rows that refer to each
  /// other in a ring.
  /// - Parameter references: The foreign keys.
  /// - Complexity: O(*k* · *r*) for *k* changes and *r* foreign keys of their tables.
  package func ordered(by references: [ForeignKeyEffects.Reference]) -> Self {
    var first: [[Index]] = indices.map { _ in [] }
    for (number, reference) in references.enumerated() {
      let (children, parents) = (reference.pairs.map(\.child), reference.pairs.map(\.parent))
      var made: [Referred: Index] = [:]
      var removed: [Referred: Index] = [:]
      for position in indices where self[position].table == reference.parent {
        made[Referred(number, parents, self[position].values, isWanted: self[position].sets(parents))] =
          position
        removed[Referred(number, parents, self[position].base, isWanted: self[position].unsets(parents))] =
          position
      }
      for position in indices where self[position].table == reference.table {
        let change = self[position]
        let after = Referred(number, children, change.values, isWanted: change.sets(children))
        let before = Referred(number, children, change.base, isWanted: change.unsets(children))
        if after.isKnown, let parent = made[after], parent != position { first[position].append(parent) }
        if before.isKnown, let parent = removed[before], parent != position { first[parent].append(position) }
      }
    }
    return sorted(after: first)
  }

  /// - Parameter first: The positions that come before each.
  private func sorted(after first: [[Index]]) -> Self {
    var ordered: Self = []
    var isVisited = indices.map { _ in false }
    // No recursion, as rows may refer to one another in a chain of any length.
    for start in indices where !isVisited[start] {
      isVisited[start] = true
      var path = [(position: start, next: 0)]
      while let (position, next) = path.last {
        if next == first[position].count {
          ordered.append(self[position])
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let other = first[position][next]
        if isVisited[other] { continue }
        isVisited[other] = true
        path.append((other, 0))
      }
    }
    return ordered
  }
}

/// The values by which rows refer to another one.
private struct Referred: Hashable {
  var reference: Int
  var values: [FetchValue]

  /// Whether there is such a row.
  var isKnown: Bool { !values.isEmpty }

  /// - Parameter isWanted: Whether the row counts.
  init(_ reference: Int, _ columns: [String], _ row: [String: FetchValue]?, isWanted: Bool) {
    self.reference = reference
    let values = isWanted ? columns.compactMap { row?[$0] }.filter { $0 != .null }.map(\.normalized) : []
    self.values = values.count == columns.count ? values : []
  }
}

extension DraftChange {
  /// Whether columns come to have their values.
  fileprivate func sets(_ columns: [String]) -> Bool {
    kind == .insert || kind == .update && !self.columns.isDisjoint(with: columns)
  }

  /// Whether columns lose their values.
  fileprivate func unsets(_ columns: [String]) -> Bool {
    kind == .delete || kind == .update && !self.columns.isDisjoint(with: columns)
  }
}

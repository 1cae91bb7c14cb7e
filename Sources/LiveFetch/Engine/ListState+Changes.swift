import Foundation
import Snapshots

/// What a commit did to a list.
package struct ListChange<ID: FetchIdentifier>: Sendable {
  /// The rows of the list that the commit touched: those that are, or were, in it.
  package var touched: [ID] = []
  /// Rows that match but cannot be listed, newly so.
  package var failures: [BadRow] = []
  /// Whether the commit's effect can be had by reading again alone.
  package var needsReading = false

  package var isEmpty: Bool { touched.isEmpty && failures.isEmpty && !needsReading }
}

extension ListState {
  /// A touched row, judged.
  private struct Candidate {
    var id: ID
    var place: Int?
    var key: [UInt8]?
    var section = ""
    var isShown = true
  }

  /// Carries out a commit.
  ///
  /// The rows that move are first all taken out, then all put in. What stays in between is in order, and so is
  /// what is there after each step: a section that would have to be in two places shows as soon as it would.
  /// - Returns: What it did to the list.
  /// - Throws: ``FetchError/outOfOrderSection(name:)``, ``FetchError/duplicateIdentifier(_:)``; the state is then
  ///   of no more use, and the list has to be read again.
  /// - Complexity: O(*k* log *n*) for *k* touched rows in a list of *n*.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  package mutating func apply(_ changes: ChangeSet) throws(FetchError) -> ListChange<ID> {
    align(with: changes)
    var change = ListChange<ID>()
    var moving: [Candidate] = []
    for row in changes.rows {
      guard let candidate = judge(row, &change) else { continue }
      if let place = candidate.place, let key = candidate.key, isInPlace(candidate, place, key) {
        if candidate.isShown { change.touched.append(candidate.id) }
      } else if candidate.place != nil || candidate.key != nil {
        moving.append(candidate)
        change.touched.append(candidate.id)
      }
    }
    position = changes.position
    if isWindow, try !admitToWindow(&moving, &change) {
      change.needsReading = true
      return change
    }
    take(out: moving)
    for candidate in moving {
      if let key = candidate.key { try put(candidate.id, key, candidate.section) }
    }
    trimWindow(&change)
    return change
  }

  /// Finds the plan's columns in a change set.
  private mutating func align(with changes: ChangeSet) {
    if layout.names != changes.columns {
      layout = (changes.columns, plan.columns.map { column in changes.columns.firstIndex(of: column.name) })
    }
    if hiddenMask.names != changes.tableColumns {
      var mask: UInt64 = 0
      for (place, name) in changes.tableColumns.enumerated()
      where place < 63 && plan.hiddenColumns.contains(name) {
        mask |= 1 << UInt64(place)
      }
      hiddenMask = (changes.tableColumns, mask)
    }
  }

  private mutating func judge(_ row: ChangeSet.Row, _ change: inout ListChange<ID>) -> Candidate? {
    guard let id = ID(fetchValue: row.id, as: plan.columns[0].type) else {
      return nil  // Such a row was never listed, and cannot be: its key is not of the type.
    }
    let wasBad = badRows.removeValue(forKey: row.id)
    var candidate = Candidate(id: id, place: snapshot.indexOfItem(id))
    candidate.isShown = row.changedColumns & ~hiddenMask.mask != 0
    guard let values = row.values else { return candidate }
    let value = { [places = layout.places] (column: Int) -> FetchValue in
      places[column].map { values[$0] } ?? .null
    }
    guard plan.filter.holds(value) else { return candidate }
    scratch.reset()
    for component in plan.order {
      guard scratch.append(value(component.column), component) else {
        reject(row.id, value(component.column), component.column, wasBad, &change)
        return candidate
      }
    }
    guard scratch.appendIdentifier(row.id, plan.columns[0].type) else { return candidate }
    candidate.key = scratch.bytes
    if let section = plan.section {
      candidate.section = section.kind.name(of: value(section.column), plan.columns[section.column].type)
    }
    return candidate
  }

  private mutating func reject(
    _ id: FetchValue, _ value: FetchValue, _ column: Int, _ known: BadRow?, _ change: inout ListChange<ID>
  ) {
    let name = plan.columns[column].name
    let row = BadRow(
      id: "\(id)", column: name,
      message:
        "The row \(id) has \(value) in the column “\(name)”, which stores \(plan.columns[column].type).")
    badRows[id] = row
    if known != row { change.failures.append(row) }
  }

  private func isInPlace(_ candidate: Candidate, _ place: Int, _ key: [UInt8]) -> Bool {
    index.key(at: place) == key
      && snapshot.sectionIdentifier(containingItem: candidate.id) == candidate.section
  }

  private mutating func take(out moving: [Candidate]) {
    // From the last to the first, so that the places of those still to go do not shift.
    let leaving = moving.filter { $0.place != nil }.sorted { ($0.place ?? 0) > ($1.place ?? 0) }
    guard !leaving.isEmpty else { return }
    var sections: Set<String> = []
    for candidate in leaving {
      if let place = candidate.place { index.remove(at: place) }
      if plan.section != nil, let section = snapshot.sectionIdentifier(containingItem: candidate.id) {
        sections.insert(section)
      }
    }
    snapshot.deleteItems(leaving.map(\.id))
    snapshot.deleteSections(sections.filter { (try? snapshot.numberOfItems(inSection: $0)) == 0 })
  }

  private mutating func put(_ id: ID, _ key: [UInt8], _ section: String) throws(FetchError) {
    guard let place = index.insert(key) else { throw .duplicateIdentifier("\(id)") }
    let total = snapshot.numberOfItems
    let next = place < total ? snapshot.items[place] : nil
    let previous = place > 0 ? snapshot.items[place - 1] : nil
    do {
      guard plan.section != nil else {
        if let next {
          try snapshot.insertItems([id], beforeItem: next)
        } else {
          try snapshot.appendItems([id])
        }
        return
      }
      let nextSection = next.flatMap { snapshot.sectionIdentifier(containingItem: $0) }
      let previousSection = previous.flatMap { snapshot.sectionIdentifier(containingItem: $0) }
      if let next, nextSection == section {
        try snapshot.insertItems([id], beforeItem: next)
      } else if let previous, previousSection == section {
        try snapshot.insertItems([id], afterItem: previous)
      } else {
        // A new section, which can begin only where another does.
        guard nextSection == nil || nextSection != previousSection, snapshot.indexOfSection(section) == nil
        else {
          throw FetchError.outOfOrderSection(name: section)
        }
        if let nextSection {
          try snapshot.insertSections([section], beforeSection: nextSection)
        } else {
          try snapshot.appendSections([section])
        }
        try snapshot.appendItems([id], toSection: section)
      }
    } catch let error as FetchError {
      throw error
    } catch {
      throw .duplicateIdentifier("\(id)")
    }
  }
}

// MARK: Limit and offset

extension ListState {
  /// Whether the window stays exact by what is known: the rows outside of it are not.
  /// - Parameters:
  ///   - moving: The rows that come, go or move; those that fall behind the window are dropped from it.
  private func admitToWindow(_ moving: inout [Candidate], _ change: inout ListChange<ID>) throws(FetchError)
    -> Bool
  {
    let limit = plan.limit ?? .max
    // Rows before the window push what is in it to and fro, and it is not known which they were.
    if plan.offset > 0 { return false }
    let isFull = snapshot.numberOfItems >= limit
    guard isFull else { return true }
    if limit == 0 {
      change.touched = []
      moving = []
      return true
    }
    let last = index.key(at: index.count - 1)
    var kept: [Candidate] = []
    for candidate in moving {
      let isBehind = candidate.key.map { last.lexicographicallyPrecedes($0) } ?? true
      if candidate.place == nil, isBehind {
        change.touched.removeAll { $0 == candidate.id }
        continue  // Behind the window before and after.
      }
      // A row that leaves makes room for one that is not known.
      if candidate.place != nil, isBehind { return false }
      kept.append(candidate)
    }
    moving = kept
    return true
  }

  /// Drops what was pushed out behind the limit.
  private mutating func trimWindow(_ change: inout ListChange<ID>) {
    guard let limit = plan.limit, snapshot.numberOfItems > limit else { return }
    while snapshot.numberOfItems > limit, let last = snapshot.items.last {
      let section = snapshot.sectionIdentifier(containingItem: last)
      index.remove(at: snapshot.numberOfItems - 1)
      snapshot.deleteItems([last])
      if plan.section != nil, let section, (try? snapshot.numberOfItems(inSection: section)) == 0 {
        snapshot.deleteSections([section])
      }
    }
  }
}

import LiveStore
import Foundation
import Snapshots

/// Taking rows out, putting them in, and moving them: in the index and the snapshot alike.
extension ListState {
  /// Removes, inserts and moves rows.
  ///
  /// Where the order keeps the rows of a section together, each row is moved at once: what is there after each step
  /// is in order. Where it need not (``FetchSectionOrder/bySortKeys``), all rows are first taken out and then put in:
  /// so a section that would have to be listed twice is found out, and one that would only between two steps is none.
  /// - Returns: The difference that it makes to the snapshot, where that is known without looking for it.
  mutating func perform(
    _ moving: [Candidate]
  ) throws(FetchError) -> SnapshotDifference<FetchSectionID, ID>? {
    var step: SnapshotDifference<FetchSectionID, ID>? = SnapshotDifference()
    if plan.section?.isKeptTogether ?? true {
      for (number, candidate) in moving.enumerated() {
        // The location that was found while judging is that before all steps.
        let location =
          number == 0
          ? candidate.location : candidate.location.flatMap { _ in snapshot.location(ofItem: candidate.id) }
        switch (location, candidate.key) {
        case (let location?, let key?): step = try move(candidate.id, from: location, key, candidate.section)
        case (let location?, nil): step = remove(candidate.id, at: location)
        case (nil, let key?): step = try put(candidate.id, key, candidate.section)
        case (nil, nil): break
        }
      }
      return moving.count > 1 ? nil : step
    }
    take(out: moving)
    for candidate in moving {
      if let key = candidate.key { _ = try put(candidate.id, key, candidate.section) }
    }
    return moving.isEmpty ? step : nil
  }

  typealias Location = DiffableSnapshot<FetchSectionID, ID>.Location

  /// Where a row is to be put in.
  private enum Destination {
    case existing(ListIndexPath)
    /// A new section, before the one at a position or at the end.
    case newSection(before: Int?)
  }

  /// Where a row of a section belongs that stands between two others.
  private func destination(
    _ section: FetchSectionID, after previous: Location?, before next: Location?
  ) throws(FetchError) -> Destination {
    guard plan.section != nil else {
      let last = ListIndexPath(item: snapshot.numberOfItems, section: 0)
      return .existing(
        next?.path ?? previous.map { ListIndexPath(item: $0.path.item + 1, section: 0) } ?? last)
    }
    if let next, isSameText(next.section, section) { return .existing(next.path) }
    if let previous, isSameText(previous.section, section) {
      return .existing(ListIndexPath(item: previous.path.item + 1, section: previous.path.section))
    }
    // A new section can begin only where another does.
    if let next, let previous, next.path.section == previous.path.section {
      throw FetchError.outOfOrderSection(name: section.text)
    }
    return .newSection(before: next?.path.section)
  }

  // Sections come and go rarely, and what that takes is large.

  /// Makes an empty section.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func makeSection(_ section: FetchSectionID, before next: Int?) throws(FetchError)
    -> ListIndexPath
  {
    let index = next ?? snapshot.numberOfSections
    do { try snapshot.insertSections([section], at: index) } catch {
      if case .tooManySections = error { throw .tooManySections(error) }
      throw .outOfOrderSection(name: section.text)
    }
    return ListIndexPath(item: 0, section: index)
  }

  private mutating func put(
    _ id: ID, _ key: [UInt8], _ section: FetchSectionID
  ) throws(FetchError) -> SnapshotDifference<FetchSectionID, ID>? {
    guard let position = index.insert(key) else { throw .duplicateIdentifier("\(id)") }
    let destination = try destination(
      section, after: snapshot.location(at: position - 1), before: snapshot.location(at: position))
    let path =
      switch destination {
      case .existing(let path): path
      case .newSection(let next): try makeSection(section, before: next)
      }
    guard snapshot.insertItem(id, at: path) else { throw .duplicateIdentifier("\(id)") }
    guard case .existing = destination else { return nil }
    return SnapshotDifference(insertedItems: [.init(id: id, path: path)])
  }

  /// Removes a row, and its section if it was the last of that.
  /// - Returns: The difference that it makes to the snapshot, where that is known without looking for it.
  mutating func remove(_ id: ID, at location: Location) -> SnapshotDifference<FetchSectionID, ID>? {
    index.remove(at: location.position)
    snapshot.deleteItem(id)
    guard plan.section != nil, snapshot.sections[location.path.section].items.isEmpty else {
      return SnapshotDifference(deletedItems: [.init(id: id, path: location.path)])
    }
    drop(location.section)
    return nil
  }

  /// Removes an empty section.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func drop(_ section: FetchSectionID) { snapshot.deleteSections([section]) }

  /// Moves a row. Its old and new positions are found while it is still in the snapshot.
  private mutating func move(
    _ id: ID, from location: Location, _ key: [UInt8], _ section: FetchSectionID
  ) throws(FetchError) -> SnapshotDifference<FetchSectionID, ID>? {
    index.remove(at: location.position)
    guard let position = index.insert(key) else { throw .duplicateIdentifier("\(id)") }
    let isAlone = plan.section != nil && snapshot.sections[location.path.section].items.count == 1
    let before = position - 1 < location.position ? position - 1 : position
    let after = position < location.position ? position : position + 1
    let destination = try destination(
      section, after: snapshot.location(at: before), before: snapshot.location(at: after))
    var path: ListIndexPath
    switch destination {
    case .existing(let found):
      path = found
      // The path that is wanted is the one after the row was taken out.
      if path.section == location.path.section, path.item > location.path.item { path.item -= 1 }
      if path == location.path { return SnapshotDifference() }
    case .newSection(let next):
      // Alone in its section before and after, and between the same neighbours: the section stays.
      if isAlone, isSameText(location.section, section) { return SnapshotDifference() }
      path = try makeSection(section, before: next)
    }
    do { try snapshot.moveItem(id, to: path) } catch { throw .duplicateIdentifier("\(id)") }
    if isAlone { drop(location.section) }
    guard !isAlone, case .existing = destination else { return nil }
    return SnapshotDifference(movedItems: [.init(id: id, from: location.path, to: path)])
  }

  private mutating func take(out moving: [Candidate]) {
    // From the last to the first, so that the positions of those still to be removed do not shift.
    var leaving: [RowsInOrder.Leaving] = []
    for (row, candidate) in moving.enumerated() {
      if let location = candidate.location {
        leaving.append(.init(row: row, position: location.position, path: location.path))
      }
    }
    for row in RowsInOrder.leaving(leaving).reversed() {
      if let location = moving[row.row].location { _ = remove(moving[row.row].id, at: location) }
    }
  }
}

import LiveStore
import Foundation
import Snapshots

/// Taking rows out, putting them in, and moving them: in the index and the snapshot alike.
extension ListState {
  /// Carries out what becomes of the rows that come, go or move.
  ///
  /// Where the order keeps the rows of a section together, each row is moved at once: what is there after each step
  /// is in order. Where it need not (``FetchSectionOrder/bySortKeys``), all rows are first taken out and then put in:
  /// a section that would have to be in two places then shows, and one that only would on the way does not.
  /// - Returns: The difference that it makes to the snapshot, where that is known without looking for it.
  mutating func carryOut(
    _ moving: [Candidate]
  ) throws(FetchError) -> SnapshotDifference<String, ID>? {
    var step: SnapshotDifference<String, ID>? = SnapshotDifference()
    if plan.section?.isKeptTogether ?? true {
      for (number, candidate) in moving.enumerated() {
        // The place that was found while judging is that before all steps.
        let place =
          number == 0
          ? candidate.place : candidate.place.flatMap { _ in snapshot.place(ofItem: candidate.id) }
        switch (place, candidate.key) {
        case (let place?, let key?): step = try move(candidate.id, from: place, key, candidate.section)
        case (let place?, nil): step = remove(candidate.id, at: place)
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

  private typealias Place = DiffableSnapshot<String, ID>.Place

  /// Where a row is to be put in.
  private enum Destination {
    case existing(ListIndexPath)
    /// A new section, before the one at a position or at the end.
    case newSection(before: Int?)
  }

  /// Where a row of a section belongs that stands between two others.
  private func destination(
    _ section: String, after previous: Place?, before next: Place?
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
      throw FetchError.outOfOrderSection(name: section)
    }
    return .newSection(before: next?.path.section)
  }

  // Sections come and go rarely, and what that takes is large.

  /// Makes an empty section.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func makeSection(_ section: String, before next: Int?) throws(FetchError) -> ListIndexPath
  {
    let place = next ?? snapshot.numberOfSections
    do { try snapshot.insertSections([section], at: place) } catch {
      if case .tooManySections = error { throw .tooManySections(error) }
      throw .outOfOrderSection(name: section)
    }
    return ListIndexPath(item: 0, section: place)
  }

  private mutating func put(
    _ id: ID, _ key: [UInt8], _ section: String
  ) throws(FetchError) -> SnapshotDifference<String, ID>? {
    guard let position = index.insert(key) else { throw .duplicateIdentifier("\(id)") }
    let destination = try destination(
      section, after: snapshot.place(at: position - 1), before: snapshot.place(at: position))
    let path =
      switch destination {
      case .existing(let path): path
      case .newSection(let next): try makeSection(section, before: next)
      }
    guard snapshot.insertItem(id, at: path) else { throw .duplicateIdentifier("\(id)") }
    guard case .existing = destination else { return nil }
    return SnapshotDifference(insertedItems: [.init(id: id, path: path)])
  }

  private mutating func remove(_ id: ID, at place: Place) -> SnapshotDifference<String, ID>? {
    index.remove(at: place.position)
    snapshot.deleteItem(id)
    guard plan.section != nil, snapshot.sections[place.path.section].items.isEmpty else {
      return SnapshotDifference(deletedItems: [.init(id: id, path: place.path)])
    }
    drop(place.section)
    return nil
  }

  /// Removes an empty section.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  mutating func drop(_ section: String) { snapshot.deleteSections([section]) }

  /// Moves a row. Its places among the others are found while it still stands in the snapshot.
  private mutating func move(
    _ id: ID, from place: Place, _ key: [UInt8], _ section: String
  ) throws(FetchError) -> SnapshotDifference<String, ID>? {
    index.remove(at: place.position)
    guard let position = index.insert(key) else { throw .duplicateIdentifier("\(id)") }
    let isAlone = plan.section != nil && snapshot.sections[place.path.section].items.count == 1
    let before = position - 1 < place.position ? position - 1 : position
    let after = position < place.position ? position : position + 1
    let destination = try destination(
      section, after: snapshot.place(at: before), before: snapshot.place(at: after))
    var path: ListIndexPath
    switch destination {
    case .existing(let found):
      path = found
      // The path that is wanted is the one after the row was taken out.
      if path.section == place.path.section, path.item > place.path.item { path.item -= 1 }
      if path == place.path { return SnapshotDifference() }
    case .newSection(let next):
      // Alone in its section before and after, and between the same neighbours: the section stays.
      if isAlone, isSameText(place.section, section) { return SnapshotDifference() }
      path = try makeSection(section, before: next)
    }
    do { try snapshot.moveItem(id, to: path) } catch { throw .duplicateIdentifier("\(id)") }
    if isAlone { drop(place.section) }
    guard !isAlone, case .existing = destination else { return nil }
    return SnapshotDifference(movedItems: [.init(id: id, from: place.path, to: path)])
  }

  private mutating func take(out moving: [Candidate]) {
    // From the last to the first, so that the places of those still to go do not shift.
    var leaving: [RowsInOrder.Leaving] = []
    for (row, candidate) in moving.enumerated() {
      if let place = candidate.place {
        leaving.append(.init(row: row, position: place.position, path: place.path))
      }
    }
    for row in RowsInOrder.leaving(leaving).reversed() {
      if let place = moving[row.row].place { _ = remove(moving[row.row].id, at: place) }
    }
  }
}

package import LiveStore
import Foundation
package import Snapshots

/// The changes of a commit to a list.
package struct ListChange<ID: FetchIdentifier>: Sendable {
  /// The rows of the list that the commit touched: those that are, or were, in it.
  ///
  /// A row that came into the list or left it otherwise than by being inserted or deleted may have changed, or may yet change,
  /// without a word: the change is then unknown.
  package var touched: TouchedRows<ID>
  /// The rows of the list of which only columns changed that it does not show.
  package var hidden: TouchedRows<ID>
  /// Rows that match but cannot be listed, newly so.
  package var failures: [RowDecodingFailure] = []
  /// The difference that the commit made to the snapshot, where it is known without comparing.
  package var step: SnapshotDifference<FetchSectionID, ID>?
  /// The touched rows that stayed, if their index paths are known.
  package var retained: [RetainedItem<ID>]?
  /// Whether the commit's effect is known only by reading again.
  package var needsReading = false
  /// Whether it touched a row that could not be listed before it, or cannot be after it.
  var touchesFailedRow = false

  init(columns: [String]) {
    touched = TouchedRows(columns: columns)
    hidden = TouchedRows(columns: columns)
  }

  /// Whether there is nothing to show or report.
  package var isEmpty: Bool { touched.isEmpty && failures.isEmpty && !needsReading }
}

extension ListState {
  /// A touched row, judged.
  struct Candidate {
    var id: ID
    var location: DiffableSnapshot<FetchSectionID, ID>.Location?
    var key: [UInt8]?
    var section: FetchSectionID = ""
    var change: RowChange

    /// The change of the row as the list sees it.
    var listed: RowChange {
      switch (location != nil, key != nil) {
      case (true, true): change
      case (false, true): change == .inserted ? .inserted : .unknown
      default: change == .deleted ? .deleted : .unknown
      }
    }
  }

  /// Applies a commit.
  ///
  /// - Returns: What it did to the list.
  /// - Throws: ``FetchError/outOfOrderSection(name:)``, ``FetchError/duplicateIdentifier(_:)``; the state is then
  ///   of no more use, and the list has to be read again.
  /// - Complexity: O(*k* log *n*) for *k* touched rows in a list of *n*.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  package mutating func apply(_ changes: ChangeSet) throws(FetchError) -> ListChange<ID> {
    keys.align(with: changes)
    refusal = nil
    var change = ListChange<ID>(columns: changes.tableColumns)
    var moving: [Candidate] = []
    var unmoved: [RetainedItem<ID>] = []
    let hadFailedRows = !failedRows.isEmpty
    if changes.rows.count > 1 {
      // Candidates are large: growing step by step copies them again and again.
      moving.reserveCapacity(changes.rows.count)
      change.touched.reserveCapacity(changes.rows.count)
      snapshot.willFind(changes.rows.compactMap { ID(fetchValue: $0.id, as: plan.columns[0].type) })
    }
    var made = KeyTwins<ID>()
    for row in changes.rows {
      guard let candidate = classify(row, &change) else { continue }
      if KeyTwins<ID>.canHave(row.id), !isAlone(row.id, candidate, &made) { change.needsReading = true }
      if let location = candidate.location, candidate.key != nil, isInPlace(candidate) {
        if keys.isShown(row.change) {
          change.touched.append(new: candidate.id, row.change)
          unmoved.append(RetainedItem(id: candidate.id, old: location.path, new: location.path))
        } else {
          change.hidden.append(new: candidate.id, row.change)
        }
      } else if candidate.location != nil || candidate.key != nil {
        moving.append(candidate)
        change.touched.append(new: candidate.id, candidate.listed)
      }
    }
    twins.formUnion(made)
    position = changes.position
    // A row that cannot be listed has its share of the limit, as in SQL: which rows are within depends on where it stands,
    // which is not known, before the commit and after it.
    let isWindowUncertain =
      isWindow && (change.touchesFailedRow || !moving.isEmpty && (hadFailedRows || !failedRows.isEmpty))
    if change.needsReading || isWindowUncertain { change.needsReading = true; return change }
    if isWindow, try !admitToWindow(&moving, &change) {
      change.needsReading = true
      return change
    }
    if moving.count > 1, let batch = batch(moving) {
      change.retained = retained(batch, unmoved)
      change.step = perform(batch)
    } else {
      change.step = try perform(moving)
    }
    trimWindow(&change)
    return change
  }

  private mutating func classify(_ row: ChangeSet.Row, _ change: inout ListChange<ID>) -> Candidate? {
    let failure = failedRows.isEmpty ? nil : failedRows.removeValue(forKey: row.id)
    if failure != nil { change.touchesFailedRow = true }
    let type = plan.columns[0].type
    guard let id = ID(fetchValue: row.id, as: type) ?? ID(fetchValue: row.id.normalized, as: type) else {
      // Its key is not of the type, unless the store has it in another form than the list: it may be listed by that.
      if keys.matches(row) { reject(.init(row.id, row.id, in: plan.columns[0]), row.id, failure, &change) }
      if failure == nil { change.needsReading = true }
      return nil
    }
    var candidate = Candidate(id: id, location: snapshot.location(ofItem: id), change: row.change)
    let made = keys.make(for: row)
    candidate.key = made.key
    candidate.section = made.section
    if let bad = made.bad { reject(bad, row.id, failure, &change) }
    return candidate
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func reject(
    _ row: RowDecodingFailure, _ id: FetchValue, _ known: RowDecodingFailure?, _ change: inout ListChange<ID>
  ) {
    failedRows[id] = row
    change.touchesFailedRow = true
    if known != row { change.failures.append(row) }
  }

  /// Returns whether a row's identifier is made of its key alone, as far as this list goes. If not, only a whole read
  /// says which row it stands for.
  private func isAlone(_ key: FetchValue, _ candidate: Candidate, _ keys: inout KeyTwins<ID>) -> Bool {
    let type = plan.columns[0].type
    if twins.contains(candidate.id) || keys.refuse(candidate.id, key, type) != nil { return false }
    guard let location = candidate.location else { return true }
    return snapshot.itemIdentifier(at: location.path)?.fetchValue(as: type) == key
  }

  private func isInPlace(_ candidate: Candidate) -> Bool {
    guard let location = candidate.location, let key = candidate.key else { return false }
    return index.hasKey(key, at: location.position)
      && (plan.section == nil || isSameText(location.section, candidate.section))
  }
}

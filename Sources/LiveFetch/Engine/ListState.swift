package import LiveStore
import Foundation
package import Snapshots

/// A list as of one position: the keys of its rows in order, and the snapshot that shows them.
///
/// Both have the same rows at the same positions, so a row's key is found by its position in the snapshot, and a
/// row's position by its key: nothing else is kept for a row. All events are mutating functions; there is no lock,
/// task or database here.
package struct ListState<ID: FetchIdentifier> {
  /// The plan of the list. It has many parts, and the keys need it as well: it is kept once.
  package var plan: FetchPlan { keys.plan }
  package internal(set) var index: OrderIndex
  package internal(set) var snapshot: DiffableSnapshot<FetchSectionID, ID>
  package internal(set) var position: FetchPosition
  /// The rows that match but cannot be listed, by their primary keys.
  package internal(set) var failedRows: [FetchValue: RowDecodingFailure] = [:]
  /// The reason why no row at all could be listed, where the declaration of a column is at fault.
  package internal(set) var refusal: FetchDescriptorError?
  /// The identifiers that the keys of several rows make.
  var twins = KeyTwins<ID>()
  /// The rows that were read to make the list.
  package internal(set) var rowsRead = 0
  /// Makes the keys of touched rows.
  var keys: RowKeys

  var isWindow: Bool { plan.limit != nil || plan.offset > 0 }

  /// The state of an empty list.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package init(_ plan: FetchPlan) {
    keys = RowKeys(plan)
    index = OrderIndex()
    snapshot = DiffableSnapshot()
    position = FetchPosition(0)
    if !plan.isSectioned { try? snapshot.appendSections([""]) }
  }

  /// Drops the partial result of a commit that could not be applied, and keeps the list that was shown before.
  mutating func abandon(showing last: DiffableSnapshot<FetchSectionID, ID>) {
    snapshot = last
    index = OrderIndex()
  }

  /// The state of a list whose rows a store reads.
  /// - Parameters:
  ///   - plan: The list.
  ///   - cursor: The rows, in the order of the list; should the database's order not be the keys', they are
  ///     sorted.
  /// - Throws: The cursor's error, ``FetchError/duplicateIdentifier(_:)``, ``FetchError/outOfOrderSection(name:)``.
  @_specialize(where ID == UUID)
  @_specialize(where ID == Int64)
  @_specialize(where ID == Int)
  @_specialize(where ID == String)
  package init(_ plan: FetchPlan, reading cursor: any FetchRowCursor) throws {
    self.init(plan)
    guard plan.raw == nil else {
      try read(raw: cursor)
      return
    }
    var loader = ListLoader<ID>(plan)
    while let row = try cursor.next() { loader.add(row) }
    rowsRead = loader.rowsRead
    failedRows = loader.failedRows
    twins = loader.twins
    (index, snapshot) = try loader.build()
    refusal = loader.refusal
  }

  /// Reads the rows of a query of the request's own: their order is the query's, and there are no keys.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func read(raw cursor: any FetchRowCursor) throws {
    var sections: [(FetchSectionID, [ID])] = plan.isSectioned ? [] : [("", [])]
    var seen: Set<FetchSectionID> = []
    let type = plan.columns[0].type
    var otherForms = 0
    while let row = try cursor.next() {
      rowsRead += 1
      if let bad = invalidText(row) {
        failedRows[row[0].exact] = bad
        continue
      }
      guard let id = ID(fetchRaw: row[0], as: type) else {
        let key = row.value(0)
        failedRows[key] = RowDecodingFailure(
          id: "\(key)", column: nil, message: "The query gives \(key) for a primary key.")
        continue
      }
      if KeyTwins<ID>.canHave(row[0]), let reason = twins.refuse(id, row.value(0), type) {
        let key = row.value(0)
        failedRows[key] = RowDecodingFailure(
          id: key.keyDescription, column: plan.columns[0].name,
          message: "The row \(key.keyDescription) \(reason.text).")
        if case .otherForm = reason { otherForms += 1 }
        continue
      }
      if plan.isSectioned {
        let section = FetchSectionID(ofValue: row.value(1))
        if sections.last.map({ !isSameText($0.0, section) }) ?? true {
          guard seen.insert(section).inserted else {
            throw FetchError.sectionAgain(section, among: sections.map(\.0))
          }
          sections.append((section, []))
        }
      }
      sections[sections.count - 1].1.append(id)
    }
    if otherForms > 0, otherForms == rowsRead, let key = failedRows.keys.first {
      refusal = .keyForm(plan.columns[0], key, ID.self)
    }
    do {
      snapshot = try DiffableSnapshot(sections: sections)
    } catch {
      throw FetchError(error)
    }
  }

  /// The row of a query of the request's own as a bad one, where what it gives is no valid UTF-8.
  private func invalidText(_ row: FetchRawRow) -> RowDecodingFailure? {
    if !row[0].isValid {
      return RowDecodingFailure(row[0].exact, invalidText: row[0].exact, in: plan.columns[0])
    }
    if plan.isSectioned, !row[1].isValid {
      return RowDecodingFailure(row[0].exact, invalidText: row[1].exact, in: nil)
    }
    return nil
  }
}

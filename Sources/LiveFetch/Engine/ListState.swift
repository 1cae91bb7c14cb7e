import Foundation
package import Snapshots

/// A list as of one position: the keys of its rows in order, and the snapshot that shows them.
///
/// Both have the same rows in the same places, so a row's key is found by its place in the snapshot, and a
/// row's place by its key: nothing else is kept for a row. All events are mutating functions; there is no lock,
/// task or database here.
package struct ListState<ID: FetchIdentifier> {
  package let plan: FetchPlan
  package internal(set) var index: OrderIndex
  package internal(set) var snapshot: DiffableSnapshot<String, ID>
  package internal(set) var position: FetchPosition
  /// The rows that match but cannot be listed, by their primary keys.
  package internal(set) var badRows: [FetchValue: BadRow] = [:]
  /// The rows that were read to make the list.
  package internal(set) var rowsRead = 0
  var scratch = OrderKeyWriter()
  /// Where the plan's columns stand in the change sets that were seen last.
  var layout: (names: [String], places: [Int?]) = ([], [])
  var hiddenMask: (names: [String], mask: UInt64) = ([], 0)

  var isWindow: Bool { plan.limit != nil || plan.offset > 0 }

  /// The state of an empty list.
  package init(_ plan: FetchPlan) {
    self.plan = plan
    index = OrderIndex()
    snapshot = DiffableSnapshot()
    position = FetchPosition(0)
    if !plan.isSectioned { try? snapshot.appendSections([""]) }
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
    while try cursor.next() { loader.add(cursor) }
    rowsRead = loader.rowsRead
    badRows = loader.badRows
    (index, snapshot) = try loader.build()
  }

  /// Reads the rows of a query of the request's own: their order is the query's, and there are no keys.
  private mutating func read(raw cursor: any FetchRowCursor) throws {
    var sections: [(String, [ID])] = plan.isSectioned ? [] : [("", [])]
    var seen: Set<String> = []
    while try cursor.next() {
      rowsRead += 1
      let key = cursor.value(0)
      guard let id = ID(fetchValue: key, as: plan.columns[0].type) else {
        badRows[key] = BadRow(id: "\(key)", column: nil, message: "The query gives \(key) for a primary key.")
        continue
      }
      if plan.isSectioned {
        let name = FetchSectionKind.value.name(of: cursor.value(1), .text)
        if sections.last?.0 != name {
          guard seen.insert(name).inserted else { throw FetchError.outOfOrderSection(name: name) }
          sections.append((name, []))
        }
      }
      sections[sections.count - 1].1.append(id)
    }
    do {
      snapshot = try DiffableSnapshot(sections: sections)
    } catch {
      throw FetchError.duplicateIdentifier("\(error)")
    }
  }
}

/// Makes an index and a snapshot of rows.
struct ListLoader<ID: FetchIdentifier> {
  let plan: FetchPlan
  let idType: FetchColumnType
  var writer = OrderKeyWriter()
  var builder = OrderIndex.Builder()
  var sections: [(String, [ID])]
  var seen: Set<String>
  var sectionReader: SectionReader?
  var rowsRead = 0
  var badRows: [FetchValue: BadRow] = [:]
  /// The first section that began again after it had ended.
  var reappeared: String?
  /// Kept only once the rows turned out not to be in the order of their keys.
  var unsorted: [(key: [UInt8], section: String, id: ID)]?

  init(_ plan: FetchPlan) {
    self.plan = plan
    idType = plan.columns[0].type
    sectionReader = plan.section.map { SectionReader(section: $0, type: plan.columns[$0.column].type) }
    sections = plan.section == nil ? [("", [])] : []
    seen = []
  }

  mutating func add(_ cursor: any FetchRowCursor) {
    rowsRead += 1
    writer.reset()
    for component in plan.order {
      guard writer.append(cursor, component) else { return reject(cursor, column: component.column) }
    }
    guard writer.appendIdentifier(cursor, idType), let id = ID(fetchValue: cursor.value(0), as: idType) else {
      return reject(cursor, column: 0)
    }
    let isNewSection = sectionReader?.advance(to: cursor) ?? false
    builder.append(writer.bytes)
    if !builder.isAscending || unsorted != nil { return addUnsorted(id) }
    if isNewSection, let name = sectionReader?.name {
      if !seen.insert(name).inserted, reappeared == nil { reappeared = name }
      sections.append((name, []))
    }
    sections[sections.count - 1].1.append(id)
  }

  /// The database's order was not that of the keys: all rows are kept with their keys, to be sorted at the end.
  private mutating func addUnsorted(_ id: ID) {
    if unsorted == nil {
      let index = builder.build()
      builder = OrderIndex.Builder()
      var place = 0
      var rows: [(key: [UInt8], section: String, id: ID)] = []
      for (name, ids) in sections {
        for id in ids {
          rows.append((index.key(at: place), name, id))
          place += 1
        }
      }
      unsorted = rows
    }
    unsorted?.append((writer.bytes, sectionReader?.name ?? "", id))
  }

  private mutating func reject(_ cursor: any FetchRowCursor, column: Int) {
    let id = cursor.value(0)
    let value = cursor.value(column)
    badRows[id] = BadRow(
      id: "\(id)", column: plan.columns[column].name,
      message: "The row \(id) has \(value) in the column “\(plan.columns[column].name)”, "
        + "which stores \(plan.columns[column].type).")
  }

  mutating func build() throws -> (OrderIndex, DiffableSnapshot<String, ID>) {
    if let rows = unsorted { sort(rows) }
    if let reappeared { throw FetchError.outOfOrderSection(name: reappeared) }
    let index = builder.build()
    do {
      return (index, try DiffableSnapshot(sections: sections))
    } catch {
      throw FetchError.duplicateIdentifier("\(error)")
    }
  }

  private mutating func sort(_ rows: [(key: [UInt8], section: String, id: ID)]) {
    builder = OrderIndex.Builder()
    sections = plan.section == nil ? [("", [])] : []
    seen = []
    reappeared = nil
    for row in rows.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      builder.append(row.key)
      if plan.section != nil, sections.last?.0 != row.section {
        if !seen.insert(row.section).inserted, reappeared == nil { reappeared = row.section }
        sections.append((row.section, []))
      }
      sections[sections.count - 1].1.append(row.id)
    }
  }
}

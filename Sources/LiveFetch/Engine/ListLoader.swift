import LiveStore
import Snapshots

/// Makes an index and a snapshot of the rows of a read.
///
/// The keys go straight into the leaves of the index and the identifiers into the arrays of their sections: where
/// the rows come in order, nothing is made for a single row.
///
/// Rare paths are not specialized (`optimize.sil.specialize.generic.never`): one copy of each serves all kinds of
/// identifiers, see decision 0007.
struct ListLoader<ID: FetchIdentifier> {
  private let plan: FetchPlan
  private let idType: FetchColumnType
  private let parts: [OrderPart]
  private let sectionPart: OrderPart?
  private var sectionKey = OrderKeyWriter()
  private let columns: Range<Int>
  private var builder = OrderIndex.Builder()
  private var sections: [(FetchSectionID, [ID])]
  /// The identifiers of the section that is being filled, which is the last.
  private var items: [ID] = []
  private var seen: Set<FetchSectionID> = []
  private var sectionReader: SectionReader?
  private(set) var rowsRead = 0
  private(set) var failedRows: [FetchValue: RowDecodingFailure] = [:]
  /// The reason why no row at all could be listed, where the declaration of a column is at fault.
  private(set) var refusal: FetchDescriptorError?
  private var refusedBy = (column: 0, kind: FetchValueKind.null)
  private(set) var twins = KeyTwins<ID>()
  /// The first section that began again after it had ended.
  private var reappeared: FetchError?
  /// Kept only once the rows turned out not to be in the order of their keys.
  private var unsorted: [(key: [UInt8], section: FetchSectionID, id: ID)]?

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  init(_ plan: FetchPlan) {
    self.plan = plan
    idType = plan.columns[0].type
    parts = plan.order.map(\.part)
    sectionPart = plan.sectionPart
    columns = plan.columns.indices
    sectionReader = plan.section.map { SectionReader(section: $0, type: plan.columns[$0.column].type) }
    sections = plan.section == nil ? [("", [])] : []
  }

  mutating func add(_ row: FetchRawRow) {
    rowsRead += 1
    for column in columns where !row[column].isValid { return reject(row, invalidTextIn: column) }
    for part in parts {
      guard builder.writer.append(row[part.column], part) else { return reject(row, column: part.column) }
    }
    if let part = sectionPart {
      sectionKey.reset()
      guard sectionKey.append(row[part.column], part) else { return reject(row, column: part.column) }
    }
    guard builder.writer.appendIdentifier(row[0], idType), let id = ID(fetchRaw: row[0], as: idType) else {
      return reject(row, column: 0)
    }
    if KeyTwins<ID>.canHave(row[0]), let refusal = twins.refuse(id, row.value(0), idType) {
      return reject(row.value(0), refusal)
    }
    let isNewSection = sectionReader?.advance(to: row) ?? false
    if unsorted != nil || !builder.add() { return addUnsorted(id) }
    if isNewSection, let section = sectionReader?.identifier { beginSection(section) }
    items.append(id)
  }

  private mutating func beginSection(_ section: FetchSectionID) {
    endSection()
    if !seen.insert(section).inserted, reappeared == nil {
      reappeared = .sectionAgain(section, among: sections.map(\.0))
    }
    sections.append((section, []))
  }

  private mutating func endSection() {
    if !sections.isEmpty { sections[sections.count - 1].1 = items }
    items = []
  }

  /// The database's order was not that of the keys: all rows are kept with their keys, to be sorted at the end.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func addUnsorted(_ id: ID) {
    if unsorted == nil {
      endSection()
      var keys = builder.keys().makeIterator()
      unsorted = sections.flatMap { section, ids in ids.map { (keys.next() ?? [], section, $0) } }
    }
    unsorted?.append((builder.key, sectionReader?.identifier ?? "", id))
    builder.drop()
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func reject(_ row: FetchRawRow, column: Int) {
    let id = row.value(0)
    let value = row.value(column)
    builder.drop()
    failedRows[id] = RowDecodingFailure(id, value, in: plan.columns[column])
    // A row that is bad in another way than the first, or a good row, shows that rows are at fault and not the declaration.
    if failedRows.count == 1 {
      refusal = .storedForm(plan.columns[column], value)
      refusedBy = (column, value.kind)
    } else if refusedBy != (column, value.kind) {
      refusal = nil
    }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func reject(_ row: FetchRawRow, invalidTextIn column: Int) {
    let id = row[0].exact
    builder.drop()
    failedRows[id] = RowDecodingFailure(id, invalidText: row[column].exact, in: plan.columns[column])
    refusal = nil
    refusedBy = (column, .null)
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func reject(_ id: FetchValue, _ reason: KeyTwins<ID>.Refusal) {
    builder.drop()
    failedRows[id] = RowDecodingFailure(
      id: id.keyDescription, column: plan.columns[0].name,
      message: "The row \(id.keyDescription) \(reason.text).")
    if failedRows.count == 1, case .otherForm = reason {
      refusal = .keyForm(plan.columns[0], id, ID.self)
      // No column's value is at fault, but what is made of it.
      refusedBy = (-1, .text)
    } else if reason == .twin || refusedBy != (-1, .text) {
      refusal = nil
    }
  }

  mutating func build() throws -> (OrderIndex, DiffableSnapshot<FetchSectionID, ID>) {
    if let rows = unsorted { sort(rows) } else { endSection() }
    if let reappeared { throw reappeared }
    if failedRows.count < rowsRead { refusal = nil }
    let index = builder.build()
    builder = OrderIndex.Builder()
    do {
      return (index, try DiffableSnapshot(sections: sections))
    } catch {
      throw FetchError(error)
    }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func sort(_ rows: [(key: [UInt8], section: FetchSectionID, id: ID)]) {
    builder = OrderIndex.Builder()
    sections = plan.section == nil ? [("", [])] : []
    seen = []
    reappeared = nil
    for number in RowsInOrder.numbers(byKey: rows.map(\.key)) {
      let row = rows[number]
      // A key that is there already is that of an identifier which is there already: the snapshot reports it.
      _ = builder.append(row.key)
      if plan.section != nil, sections.last.map({ !isSameText($0.0, row.section) }) ?? true {
        beginSection(row.section)
      }
      items.append(row.id)
    }
    endSection()
  }
}

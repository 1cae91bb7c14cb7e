import LiveStore

/// The rows of a read with a draft's rows among them, in the order of the plan.
///
/// Rows of the store that are pending are left out; pending rows that the filter admits stand where their keys belong.
final class DraftCursor: FetchRowCursor {
  private let base: any FetchRowCursor
  private let pending: [FetchValue: PendingRow]
  private let parts: [OrderPart]
  private let keyType: FetchColumnType
  private var writer = OrderKeyWriter()
  /// The rows that are merged in, the last in order first.
  private var coming: [(key: [UInt8], values: [FetchValue])]
  /// The cursor that hands out the merged rows, and the row that it is to hand out next.
  private let handover = Handover()
  private lazy var merged = ArrayCursor { [handover] in handover.row }
  /// The row of the store that was read and not handed out yet.
  private var held: FetchRawRow?
  private var hasEnded = false
  private var skipped: Int
  private var left: Int

  private final class Handover { var row: [FetchValue]? }

  /// Creates a cursor.
  /// - Parameters:
  ///   - base: The rows of the store, without the offset, and as many more than the limit as may be left out.
  init(_ base: any FetchRowCursor, _ plan: FetchPlan, _ pending: [FetchValue: PendingRow]) {
    self.base = base
    self.pending = pending
    parts = plan.order.map(\.part)
    keyType = plan.columns[0].type
    skipped = plan.offset
    left = plan.limit ?? .max
    coming = []
    coming = Self.rows(pending, plan)
  }

  /// The rows that the plan's filter admits, the last in order first. What has no key comes last, and the list says why.
  private static func rows(
    _ pending: [FetchValue: PendingRow], _ plan: FetchPlan
  ) -> [(key: [UInt8], values: [FetchValue])] {
    var writer = OrderKeyWriter()
    let rows = pending.values.compactMap { row -> (key: [UInt8], values: [FetchValue])? in
      guard let shown = row.shown else { return nil }
      let values = plan.columns.map { shown[$0.name] ?? .null }
      guard plan.filter.holds({ values[$0] }) else { return nil }
      writer.reset()
      let hasKey =
        plan.order.allSatisfy { writer.append(values[$0.column], $0) }
        && writer.appendIdentifier(values[0], plan.columns[0].type)
      return (hasKey ? writer.bytes : [0xFF], values)
    }
    return rows.sorted { $1.key.lexicographicallyPrecedes($0.key) }
  }

  func next() throws -> FetchRawRow? {
    while skipped > 0 {
      skipped -= 1
      guard try nextOfAll() != nil else { return nil }
    }
    guard left > 0 else { return nil }
    left -= 1
    return try nextOfAll()
  }

  private func nextOfAll() throws -> FetchRawRow? {
    if held == nil, !hasEnded { try readBase() }
    guard let held else { return try takeComing() }
    if let first = coming.last, first.key.lexicographicallyPrecedes(writer.bytes) { return try takeComing() }
    self.held = nil
    return held
  }

  /// Goes to the store's next row that is not pending, and writes its key unless no row is to come.
  private func readBase() throws {
    while let row = try base.next() {
      if pending[row.value(0).normalized] != nil { continue }
      held = row
      if coming.isEmpty { return }
      writer.reset()
      for part in parts where !writer.append(row[part.column], part) { return writer.reset() }
      if !writer.appendIdentifier(row[0], keyType) { writer.reset() }
      return
    }
    hasEnded = true
  }

  private func takeComing() throws -> FetchRawRow? {
    guard let row = coming.popLast() else { return nil }
    handover.row = row.values
    return try merged.next()
  }
}

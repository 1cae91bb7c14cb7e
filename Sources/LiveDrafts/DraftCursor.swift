import LiveStore

/// The rows of a read with a draft's rows among them, in the order of the plan.
///
/// Rows of the store that are pending are left out; pending rows that the filter admits stand where their keys belong.
final class DraftCursor: FetchRowCursor {
  private let base: any FetchRowCursor
  private var merge: Merge
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
    skipped = plan.offset
    left = plan.limit ?? .max
    merge = Merge(plan, pending)
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
    if held == nil, !hasEnded {
      repeat { held = try base.next() } while held.map { merge.leavesOut($0) } ?? false
      hasEnded = held == nil
    }
    guard let row = held, merge.isFirst(row) else { return try takeComing() }
    held = nil
    return row
  }

  private func takeComing() throws -> FetchRawRow? {
    guard let row = merge.takeComing() else { return nil }
    handover.row = row
    return try merged.next()
  }
}

/// The rows that are merged into those of the store.
private struct Merge {
  private let pending: [FetchValue: PendingRow]
  private let filter: KeyFilter
  private let parts: [OrderPart]
  private let keyType: FetchColumnType
  /// The rows that come, the last in order first.
  private var coming: [(key: [UInt8], values: [FetchValue])]
  /// The key of the store's row that was compared last, as far as it was needed.
  private var writer = OrderKeyWriter()
  /// The text or bytes of the first part of that key, and the end of the part: in a section it is the same row after row.
  private var first: [UInt8] = []
  private var firstEnd: OrderKeyWriter.Mark?

  init(_ plan: FetchPlan, _ pending: [FetchValue: PendingRow]) {
    self.pending = pending
    filter = KeyFilter(pending.keys)
    parts = plan.order.map(\.part)
    keyType = plan.columns[0].type
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

  mutating func takeComing() -> [FetchValue]? { coming.popLast()?.values }

  /// Whether a row of the store is pending.
  func leavesOut(_ row: FetchRawRow) -> Bool {
    filter.mayContain(row[0]) && pending[row.value(0).normalized] != nil
  }

  /// Whether a row of the store stands before the next that comes. A row that has no key does.
  ///
  /// Keys are compared part by part, so that what decides nothing is not written.
  mutating func isFirst(_ row: FetchRawRow) -> Bool {
    guard let next = coming.last?.key else { return true }
    var start = 0
    for position in parts.indices {
      let raw = row[parts[position].column]
      if position == 0 {
        if let firstEnd, parts[0].source == .value, raw.bytes.count == first.count,
          raw.kind == .text || raw.kind == .blob,
          raw.bytes.elementsEqual(first)
        {
          writer.rewind(to: firstEnd)
        } else {
          writer.reset()
          firstEnd = nil
          guard writer.append(raw, parts[0]) else { return true }
          if raw.kind == .text || raw.kind == .blob {
            (first, firstEnd) = (Array(raw.bytes), writer.mark)
          }
        }
      } else {
        guard writer.append(raw, parts[position]) else { return true }
      }
      let order = Self.compare(writer.bytes, next, from: start)
      if order != 0 { return order < 0 }
      start = writer.bytes.count
    }
    if parts.isEmpty { writer.reset() }
    guard writer.appendIdentifier(row[0], keyType) else { return true }
    return Self.compare(writer.bytes, next, from: start) <= 0
  }

  /// Compares bytes from an offset on, as far as the first goes.
  private static func compare(_ key: [UInt8], _ other: [UInt8], from start: Int) -> Int {
    let end = min(key.count, other.count)
    for position in start..<max(start, end) where key[position] != other[position] {
      return key[position] < other[position] ? -1 : 1
    }
    return key.count > other.count ? 1 : 0
  }
}

/// A quick answer to whether a row may be pending, for which its key is not copied: for one in sixteen rows a wrong yes.
private struct KeyFilter {
  private var bits: [Bool]

  init(_ keys: some Collection<FetchValue>) {
    var size = 64
    while size < 16 * keys.count { size *= 2 }
    bits = Array(repeating: false, count: size)
    for key in keys {
      switch key {
      case .integer(let number): bits[slot(UInt64(bitPattern: number))] = true
      case .text(var text): text.withUTF8 { bits[slot(UnsafeRawBufferPointer($0))] = true }
      case .blob(let blob): blob.withUnsafeBytes { bits[slot($0)] = true }
      case .real, .null: break
      }
    }
  }

  func mayContain(_ key: FetchRawValue) -> Bool {
    switch key.kind {
    case .integer: bits[slot(UInt64(bitPattern: key.integer))]
    case .text, .blob: bits[slot(key.bytes)]
    // A number that may equal a whole one.
    case .real, .null: true
    }
  }

  private func slot(_ number: UInt64) -> Int {
    Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 32) & (bits.count - 1)
  }

  /// By the number of bytes, the first eight and the last eight of them.
  private func slot(_ bytes: UnsafeRawBufferPointer) -> Int {
    var number = UInt64(bytes.count)
    if bytes.count >= 8 {
      number ^= bytes.loadUnaligned(as: UInt64.self)
      number = number &* 0xBF58_476D_1CE4_E5B9
      number ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
    } else {
      for byte in bytes { number = number << 8 ^ UInt64(byte) }
    }
    return slot(number)
  }
}

/// Names the section of each row of a read, making a new text only where a section begins.
struct SectionReader {
  let section: FetchPlan.Section
  let type: FetchColumnType
  /// The name of the current row's section.
  private(set) var name = ""
  private var hasStarted = false
  private var lastBytes: [UInt8] = []
  private var lastInteger: Int64?
  private var lastKind = FetchValueKind.null

  init(section: FetchPlan.Section, type: FetchColumnType) {
    self.section = section
    self.type = type
  }

  /// Looks at a row.
  /// - Returns: Whether its section is another than that of the row before.
  mutating func advance(to cursor: any FetchRowCursor) -> Bool {
    let kind = cursor.kind(section.column)
    if hasStarted, isSameValue(cursor, kind) { return false }
    lastKind = kind
    switch kind {
    case .integer: lastInteger = cursor.integer(section.column)
    case .text, .blob: lastBytes = Array(cursor.bytes(section.column))
    default: break
    }
    let new = section.kind.name(of: cursor.value(section.column), type)
    let isNew = !hasStarted || new != name
    hasStarted = true
    name = new
    return isNew
  }

  private func isSameValue(_ cursor: any FetchRowCursor, _ kind: FetchValueKind) -> Bool {
    guard kind == lastKind else { return false }
    switch kind {
    case .null: return true
    case .integer: return cursor.integer(section.column) == lastInteger
    case .real: return false
    case .text, .blob:
      let bytes = cursor.bytes(section.column)
      return bytes.count == lastBytes.count && bytes.elementsEqual(lastBytes)
    }
  }
}

extension OrderKeyWriter {
  /// Writes a column of a row that is being read, without making a value of it.
  mutating func append(_ cursor: any FetchRowCursor, _ component: OrderComponent) -> Bool {
    let kind = cursor.kind(component.column)
    guard component.source == .value, kind != .null else {
      return append(cursor.value(component.column), component)
    }
    begin(isNull: false, component)
    guard appendRaw(cursor, component.column, kind, component.type) else { return false }
    finish(component)
    return true
  }

  /// Writes the primary key of a row that is being read.
  mutating func appendIdentifier(_ cursor: any FetchRowCursor, _ type: FetchColumnType) -> Bool {
    let kind = cursor.kind(0)
    return kind != .null && appendRaw(cursor, 0, kind, type)
  }

  private mutating func appendRaw(
    _ cursor: any FetchRowCursor, _ column: Int, _ kind: FetchValueKind, _ type: FetchColumnType
  ) -> Bool {
    switch (type, kind) {
    case (.integer, .integer), (.date, .integer): appendInteger(cursor.integer(column))
    case (.real, .real), (.dateSeconds, .real): appendReal(cursor.real(column))
    case (.real, .integer), (.dateSeconds, .integer): appendReal(Double(cursor.integer(column)))
    case (.text, .text), (.uuidText, .text), (.dateText, .text), (.blob, .blob):
      appendBytes(cursor.bytes(column))
    case (.uuid, .blob):
      let bytes = cursor.bytes(column)
      guard bytes.count == 16 else { return false }
      appendFixed(bytes)
    default: return false
    }
    return true
  }
}

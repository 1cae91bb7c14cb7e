import LiveStore

/// Identifies the section of each row of a read, making a new text only where a section begins.
struct SectionReader {
  let section: FetchPlan.Section
  let type: FetchColumnType
  /// The current row's section.
  private(set) var identifier: FetchSectionID = ""
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
  mutating func advance(to row: FetchRawRow) -> Bool {
    let raw = row[section.column]
    if hasStarted, isSameValue(raw) { return false }
    lastKind = raw.kind
    switch raw.kind {
    case .integer: lastInteger = raw.integer
    case .text, .blob: lastBytes = Array(raw.bytes)
    default: break
    }
    let new = section.kind.identifier(of: FetchValue(raw), type, in: section.zone)
    let isNew = !hasStarted || !isSameText(new, identifier)
    hasStarted = true
    identifier = new
    return isNew
  }

  private func isSameValue(_ raw: FetchRawValue) -> Bool {
    guard raw.kind == lastKind else { return false }
    switch raw.kind {
    case .null: return true
    case .integer: return raw.integer == lastInteger
    case .real: return false
    case .text, .blob: return lastBytes.withUnsafeBytes { compareBytes($0, raw.bytes) == 0 }
    }
  }
}

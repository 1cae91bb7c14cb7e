public import Snapshots

extension NaiveSnapshot {
  func check(new sections: [SectionID], beside destination: SectionID? = nil)
    throws(SnapshotError<SectionID, ItemID>)
  {
    let repeated = Self.repeated(sections)
    if !repeated.isEmpty { throw .duplicateSections(repeated) }
    if let destination {
      if sections.contains(destination) { throw .sectionDestinationInArgument(destination) }
      if rows[destination] == nil { throw .unknownSection(destination) }
    }
    let known = sections.filter { rows[$0] != nil }
    if !known.isEmpty { throw .sectionsAlreadyExist(known) }
  }

  mutating func put(_ sections: [SectionID], at index: Int) {
    sectionOrder.insert(contentsOf: sections, at: index)
    for id in sections { rows[id] = [] }
  }

  /// Adds empty sections at the end.
  public mutating func appendSections(_ sections: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
    try check(new: sections)
    put(sections, at: sectionOrder.count)
  }

  /// Adds empty sections directly before another.
  public mutating func insertSections(
    _ sections: [SectionID], beforeSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    if sections.isEmpty { return }
    try check(new: sections, beside: destination)
    put(sections, at: indexOfSection(destination) ?? 0)
  }

  /// Adds empty sections directly after another.
  public mutating func insertSections(
    _ sections: [SectionID], afterSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) {
    if sections.isEmpty { return }
    try check(new: sections, beside: destination)
    put(sections, at: (indexOfSection(destination) ?? 0) + 1)
  }

  /// Adds empty sections so that the first of them has this position.
  public mutating func insertSections(
    _ sections: [SectionID], at index: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if sections.isEmpty { return }
    let repeated = Self.repeated(sections)
    if !repeated.isEmpty { throw .duplicateSections(repeated) }
    guard index >= 0, index <= sectionOrder.count else { throw .sectionPositionOutOfRange(index) }
    try check(new: sections)
    put(sections, at: index)
  }

  /// Takes sections and their items away. Unknown sections are ignored.
  public mutating func deleteSections(_ sections: [SectionID]) {
    for id in sections {
      guard let items = rows[id] else { continue }
      deleteItems(items)
      rows[id] = nil
      sectionOrder.removeAll { $0 == id }
      reloadedSectionIdentifiers.removeAll { $0 == id }
    }
  }

  private mutating func move(
    _ section: SectionID, beside destination: SectionID, offset: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    if section == destination { throw .sectionDestinationIsSource(section) }
    if rows[destination] == nil { throw .unknownSection(destination) }
    guard let source = indexOfSection(section) else { throw .unknownSection(section) }
    let stored = sectionOrder.remove(at: source)
    sectionOrder.insert(stored, at: (indexOfSection(destination) ?? 0) + offset)
  }

  /// Puts a section directly before another.
  public mutating func moveSection(
    _ section: SectionID, beforeSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) { try move(section, beside: destination, offset: 0) }

  /// Puts a section directly after another.
  public mutating func moveSection(
    _ section: SectionID, afterSection destination: SectionID
  ) throws(SnapshotError<SectionID, ItemID>) { try move(section, beside: destination, offset: 1) }

  /// Puts a section at a position, counted after it was taken out.
  public mutating func moveSection(
    _ section: SectionID, to index: Int
  ) throws(SnapshotError<SectionID, ItemID>) {
    guard index >= 0, index < Swift.max(1, sectionOrder.count) else {
      throw .sectionPositionOutOfRange(index)
    }
    guard let source = indexOfSection(section) else { throw .unknownSection(section) }
    let stored = sectionOrder.remove(at: source)
    sectionOrder.insert(stored, at: index)
  }
}

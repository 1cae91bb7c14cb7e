extension DiffableSnapshot: CustomStringConvertible {
  /// The snapshot on one line, such as `A[1, 2, 3] B[4, 5]`.
  ///
  /// - Complexity: O(*n*) in the number of sections and items.
  public var description: String {
    sections.map { section in "\(section.id)[\(section.items.map { "\($0)" }.joined(separator: ", "))]" }
      .joined(separator: " ")
  }
}

extension DiffableSnapshot: CustomDebugStringConvertible {
  /// The snapshot on several lines: one for each section with its position and count, one for each item with
  /// its index path, and with its marks.
  ///
  /// - Complexity: O(*n*) in the number of sections and items.
  public var debugDescription: String {
    let reloadedSections = Set(reloadedSectionIdentifiers)
    let reloaded = Set(reloadedItemIdentifiers)
    let reconfigured = Set(reconfiguredItemIdentifiers)
    var lines = ["DiffableSnapshot: \(numberOfSections) sections, \(numberOfItems) items"]
    for (position, section) in sections.enumerated() {
      let mark = reloadedSections.contains(section.id) ? " (reload)" : ""
      lines.append("  \(position): section \(section.id), \(section.items.count) items\(mark)")
      for (index, item) in section.items.enumerated() {
        let path = ListIndexPath(item: index, section: position)
        let mark =
          reloaded.contains(item) ? " (reload)" : reconfigured.contains(item) ? " (reconfigure)" : ""
        lines.append("    \(path): \(item)\(mark)")
      }
    }
    return lines.joined(separator: "\n")
  }
}

import LiveStore
import Snapshots

extension FetchError {
  /// The error for rows of which no snapshot can be made.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  init<ID: FetchIdentifier>(_ error: SnapshotError<FetchSectionID, ID>) {
    self =
      switch error {
      case .tooManySections: .tooManySections(error)
      case .duplicateItems(let ids) where ids.count > 1:
        Self(
          .duplicateIdentifier,
          "Two rows each have the identifiers \(ids.prefix(3).map { "\($0)" }.joined(separator: ", "))\(ids.count > 3 ? " and \(ids.count - 3) others" : ""). "
            + "Make the table's key unique, or write the query so that it returns each row once, by `DISTINCT` or `GROUP BY`."
        )
      case .duplicateItems(let ids): .duplicateIdentifier(ids.map { "\($0)" }.joined())
      default: Self(.duplicateIdentifier, "The rows make no list: \(error)")
      }
  }

  /// The error for a section that begins again after it had ended, under its own text or one that Swift takes for
  /// equal.
  static func sectionAgain(_ section: FetchSectionID, among sections: [FetchSectionID]) -> Self {
    let name = section.text
    if sections.contains(where: { isSameText($0, section) }) { return outOfOrderSection(name: name) }
    return Self(
      .outOfOrderSection,
      "Two sections have the name “\(name)” for Swift, which the database tells apart by their bytes: store the text in one of "
        + "Unicode's normal forms, or take sections of another kind.")
  }

  /// The error for more sections than a snapshot can have.
  static func tooManySections(_ error: any Error) -> Self {
    Self(.tooManySections, "\(error)", underlying: error)
  }
}

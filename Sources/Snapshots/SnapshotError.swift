/// Why an edit of a snapshot was refused.
///
/// An edit that throws has changed nothing. Several things may be wrong with one call; the error names the
/// first of: duplicates inside the argument, a destination that is part of the argument or is the source, an
/// unknown destination, an unknown source, identifiers that are there already, too many sections.
public enum SnapshotError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error, Hashable {
  /// Items were appended to a snapshot that has no section. Append a section first.
  case noSections
  /// The snapshot has no such section.
  case unknownSection(SectionID)
  /// The snapshot has no such item.
  case unknownItem(ItemID)
  /// These sections are named more than once in one call. Each is listed once, in the order found.
  case duplicateSections([SectionID])
  /// These items are named more than once in one call. Each is listed once, in the order found.
  case duplicateItems([ItemID])
  /// These sections are in the snapshot already. Sections, unlike items, are not moved by adding them again.
  case sectionsAlreadyExist([SectionID])
  /// These items are in the snapshot already, and the call only takes new ones.
  case itemsAlreadyExist([ItemID])
  /// The section beside which others were to be put is one of them.
  case sectionDestinationInArgument(SectionID)
  /// The item beside which others were to be put is one of them.
  case itemDestinationInArgument(ItemID)
  /// A section was to be moved beside itself.
  case sectionDestinationIsSource(SectionID)
  /// An item was to be moved beside itself.
  case itemDestinationIsSource(ItemID)
  /// There is no such position for a section.
  case sectionPositionOutOfRange(Int)
  /// There is no such position for an item.
  case itemPositionOutOfRange(ListIndexPath)
  /// The snapshot would have more sections than the 16,777,214 that it can have.
  case tooManySections
  /// A difference was applied to a snapshot that it does not start from; the text says where they disagree.
  case differenceDoesNotApply(String)
}

extension SnapshotError: CustomStringConvertible {
  /// A description of the error, and of how to mend it.
  public var description: String {
    switch self {
    case .noSections: "There is no section to append items to. Append a section first."
    case .unknownSection(let id):
      "The snapshot has no section \(id). Append it first, or look it up in sectionIdentifiers."
    case .unknownItem(let id): "The snapshot has no item \(id). It may have gone: ask indexOfItem before."
    case .duplicateSections(let ids): "Sections named more than once in one call: \(ids). Name each once."
    case .duplicateItems(let ids):
      "Items named more than once in one call: \(ids). Name each once, by an identifier that no two share."
    case .sectionsAlreadyExist(let ids):
      "Sections that are in the snapshot already: \(ids). Move them, or leave them."
    case .itemsAlreadyExist(let ids):
      "Items that are in the snapshot already: \(ids). Move them, or leave them."
    case .sectionDestinationInArgument(let id):
      "Section \(id) is to be inserted beside itself. Name a neighbour that is not among those inserted."
    case .itemDestinationInArgument(let id):
      "Item \(id) is to be inserted beside itself. Name a neighbour that is not among those inserted."
    case .sectionDestinationIsSource(let id):
      "Section \(id) is to be moved beside itself. Name another neighbour, or leave it."
    case .itemDestinationIsSource(let id):
      "Item \(id) is to be moved beside itself. Name another neighbour, or leave it."
    case .sectionPositionOutOfRange(let index):
      "There is no position \(index) for a section. Give one from 0 to the number of sections."
    case .itemPositionOutOfRange(let path):
      "There is no position \(path) for an item. Give one from 0 to the number of items in the section."
    case .tooManySections:
      "A snapshot has at most \(SectionLimit.standard) sections. Divide by something coarser."
    case .differenceDoesNotApply(let reason):
      "The difference does not start from this snapshot: \(reason). Apply it to the one that it was taken from, or take the new snapshot."
    }
  }
}

private enum SnapshotKey: String, CodingKey {
  case sections, reloadedSections, reloadedItems, reconfiguredItems
}

private struct CodedSection<SectionID, ItemID> {
  var id: SectionID
  var items: [ItemID]
}

extension CodedSection: Encodable where SectionID: Encodable, ItemID: Encodable {}
extension CodedSection: Decodable where SectionID: Decodable, ItemID: Decodable {}

extension DiffableSnapshot: Encodable where SectionID: Encodable, ItemID: Encodable {
  /// Encodes the sections with their items, and the marks where there are any.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SnapshotKey.self)
    try container.encode(
      sections.map { CodedSection(id: $0.id, items: Array($0.items)) }, forKey: .sections)
    if !reloadedSectionIdentifiers.isEmpty {
      try container.encode(reloadedSectionIdentifiers, forKey: .reloadedSections)
    }
    if !reloadedItemIdentifiers.isEmpty {
      try container.encode(reloadedItemIdentifiers, forKey: .reloadedItems)
    }
    if !reconfiguredItemIdentifiers.isEmpty {
      try container.encode(reconfiguredItemIdentifiers, forKey: .reconfiguredItems)
    }
  }
}

extension DiffableSnapshot: Decodable where SectionID: Decodable, ItemID: Decodable {
  /// Decodes a snapshot.
  ///
  /// - Throws: `DecodingError.dataCorrupted` naming the identifiers if one occurs twice, or if something is
  ///   marked that is not there; its underlying error is the ``SnapshotError``, such as
  ///   ``SnapshotError/tooManySections``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SnapshotKey.self)
    let sections = try container.decode([CodedSection<SectionID, ItemID>].self, forKey: .sections)
    let reloadedSections = try container.decodeIfPresent([SectionID].self, forKey: .reloadedSections)
    let reloadedItems = try container.decodeIfPresent([ItemID].self, forKey: .reloadedItems)
    let reconfiguredItems = try container.decodeIfPresent([ItemID].self, forKey: .reconfiguredItems)
    do {
      try self.init(sections: sections.map { ($0.id, $0.items) })
      try reloadSections(reloadedSections ?? [])
      try reloadItems(reloadedItems ?? [])
      try reconfigureItems(reconfiguredItems ?? [])
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
  }
}

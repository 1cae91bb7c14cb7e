private enum OutlineKey: String, CodingKey {
  case items
}

/// An item of an outline as it is written down: in a row, each with its level, so that no depth is too deep.
private struct CodedNode<ItemID> {
  var id: ItemID
  var level: Int
  var isExpanded: Bool
}

extension CodedNode: Encodable where ItemID: Encodable {}
extension CodedNode: Decodable where ItemID: Decodable {}

extension DiffableSectionSnapshot: Encodable where ItemID: Encodable {
  /// Encodes the items in order, each with its level and whether it is expanded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: OutlineKey.self)
    let coded = rows.map { CodedNode(id: $0.id, level: $0.level, isExpanded: $0.isExpanded) }
    try container.encode(coded, forKey: .items)
  }
}

extension DiffableSectionSnapshot: Decodable where ItemID: Decodable {
  /// Decodes an outline.
  ///
  /// - Throws: `DecodingError.dataCorrupted` naming the item if one occurs twice, or if its level is not that of
  ///   a root, a sibling, a child or an ancestor's sibling of the item before it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OutlineKey.self)
    var rows: [OutlineRow<ItemID>] = []
    var known: Set<ItemID> = []
    for coded in try container.decode([CodedNode<ItemID>].self, forKey: .items) {
      guard coded.level >= 0, coded.level <= rows.last.map({ $0.level + 1 }) ?? 0 else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: container.codingPath + [OutlineKey.items],
            debugDescription: "Item \(coded.id) at level \(coded.level) has no parent."))
      }
      guard known.insert(coded.id).inserted else {
        let error = EditError.duplicateItems([coded.id])
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: container.codingPath + [OutlineKey.items], debugDescription: error.description,
            underlyingError: error))
      }
      rows.append(OutlineRow(id: coded.id, level: coded.level, isExpanded: coded.isExpanded))
    }
    self.init(rows: rows)
  }
}

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
    let coded = items.map { item in
      CodedNode(
        id: item, level: nodes[item]?.level ?? 0, isExpanded: nodes[item]?.isExpanded ?? false)
    }
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
    self.init()
    // The items that the next one may be below, by level.
    var ancestors: [ItemID] = []
    for coded in try container.decode([CodedNode<ItemID>].self, forKey: .items) {
      guard coded.level >= 0, coded.level <= ancestors.count else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: container.codingPath + [OutlineKey.items],
            debugDescription: "Item \(coded.id) at level \(coded.level) has no parent."))
      }
      ancestors.removeSubrange(coded.level...)
      guard nodes[coded.id] == nil else {
        let error = EditError.duplicateItems([coded.id])
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: container.codingPath + [OutlineKey.items], debugDescription: error.description,
            underlyingError: error))
      }
      nodes[coded.id] = Node(
        index: items.count, level: coded.level, parent: ancestors.last, isExpanded: coded.isExpanded)
      items.append(coded.id)
      ancestors.append(coded.id)
    }
  }
}

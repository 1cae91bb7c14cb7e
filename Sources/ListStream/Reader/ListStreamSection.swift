/// A section of a remote list as a reader has it.
public struct ListStreamSection: Hashable, Sendable {
  /// The section's id.
  public var id: String
  /// The ids of its items in order; `nil` for one whose id the reader does not have.
  public var items: [String?]

  /// Creates a section.
  public init(id: String, items: [String?]) {
    self.id = id
    self.items = items
  }

  /// Whether all items are known.
  public var isWhole: Bool { !items.contains(nil) }
}

extension ListStreamSection {
  /// Reads the sections of a snapshot or a range, or returns `nil` if they are not as a frame has them.
  static func sections(of frame: JSONValue) -> [ListStreamSection]? {
    var sections: [ListStreamSection] = []
    var room = maximumCount
    for value in frame["sections"]?.array ?? [] {
      guard let id = value["id"]?.string else { return nil }
      guard let count = value["count"]?.integer else {
        sections.append(ListStreamSection(id: id, items: (value["items"]?.array ?? []).compactMap(\.string)))
        continue
      }
      guard count >= 0, count <= room else { return nil }
      room -= count
      var items = [String?](repeating: nil, count: count)
      for window in value["windows"]?.array ?? [] {
        guard let parts = window.array, parts.count == 2, let from = parts[0].integer,
          let ids = parts[1].array,
          from >= 0, from <= count, ids.count <= count - from
        else { return nil }
        for (offset, id) in ids.enumerated() { items[from + offset] = id.string }
      }
      sections.append(ListStreamSection(id: id, items: items))
    }
    return isList(sections) ? sections : nil
  }

  /// Whether no id is there twice.
  static func isList(_ sections: [ListStreamSection]) -> Bool {
    var items: Set<String> = []
    var names: Set<String> = []
    return sections.allSatisfy { section in
      names.insert(section.id).inserted
        && section.items.allSatisfy { item in item.map { items.insert($0).inserted } ?? true }
    }
  }

  /// The most items of all sections together. A reader has an array element for each: a frame must not make it use up all memory.
  private static let maximumCount = 50_000_000
}

extension [ListStreamSection] {
  /// The ids that are known.
  func knownItems() -> Set<String> {
    Set(lazy.flatMap { $0.items.lazy.compactMap(\.self) })
  }
}

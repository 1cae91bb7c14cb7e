internal import Snapshots

/// The changes of sections and items that a change frame lists.
struct FrameChange {
  private struct Entry {
    var id: String
    var places: [Int]
  }

  private var deletedSections: [Entry] = []
  private var insertedSections: [Entry] = []
  private var movedSections: [Entry] = []
  private var deletedItems: [Entry] = []
  private var insertedItems: [Entry] = []
  private var movedItems: [Entry] = []

  /// Reads the changes, or answers `nil` if they are not as a frame has them.
  init?(_ frame: JSONValue) {
    guard let deletedSections = Self.entries(frame["sections"]?["deleted"], places: 1),
      let insertedSections = Self.entries(frame["sections"]?["inserted"], places: 1),
      let movedSections = Self.entries(frame["sections"]?["moved"], places: 2),
      let deletedItems = Self.entries(frame["items"]?["deleted"], places: 2),
      let insertedItems = Self.entries(frame["items"]?["inserted"], places: 2),
      let movedItems = Self.entries(frame["items"]?["moved"], places: 4)
    else { return nil }
    self.deletedSections = deletedSections
    self.insertedSections = insertedSections
    self.movedSections = movedSections
    self.deletedItems = deletedItems
    self.insertedItems = insertedItems
    self.movedItems = movedItems
  }

  private static func entries(_ value: JSONValue?, places: Int) -> [Entry]? {
    guard let value else { return [] }
    guard let list = value.array else { return nil }
    var entries: [Entry] = []
    for element in list {
      guard let parts = element.array, parts.count == places + 1, let id = parts[0].string else { return nil }
      let numbers = parts.dropFirst().compactMap(\.integer)
      guard numbers.count == places, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
      entries.append(Entry(id: id, places: numbers))
    }
    return entries
  }

  /// The list after the changes, or `nil` if they do not fit it.
  func applied(to list: DiffableSnapshot<String, String>) -> DiffableSnapshot<String, String>? {
    var sections = list.sections.map { (id: $0.id, items: Array($0.items)) }
    // 1. Everything is where the frame says.
    let leavingSections = deletedSections + movedSections
    let leavingItems = deletedItems + movedItems
    for entry in leavingSections {
      guard sections.indices.contains(entry.places[0]), sections[entry.places[0]].id == entry.id else {
        return nil
      }
    }
    for entry in leavingItems {
      guard list.itemIdentifier(at: path(entry.places)) == entry.id else { return nil }
    }
    // 2. Items leave, from the highest place to the lowest.
    let places = leavingItems.map { path($0.places) }.sorted(by: >)
    if Set(places).count != places.count { return nil }
    for place in places { sections[place.section].items.remove(at: place.item) }
    // 3. Sections leave.
    var moving: [String: [String]] = [:]
    for entry in movedSections { moving[entry.id] = sections[entry.places[0]].items }
    let indices = Set(leavingSections.map { $0.places[0] })
    if indices.count != leavingSections.count { return nil }
    for index in indices.sorted(by: >) { sections.remove(at: index) }
    // 4. Sections arrive, by ascending place.
    let arrivingSections =
      (insertedSections.map { (to: $0.places[0], id: $0.id, items: [String]()) }
      + movedSections.map { (to: $0.places[1], id: $0.id, items: moving[$0.id] ?? []) })
      .sorted { $0.to < $1.to }
    for section in arrivingSections {
      guard section.to <= sections.count else { return nil }
      sections.insert((section.id, section.items), at: section.to)
    }
    // 5. Items arrive, by ascending place.
    let arrivingItems =
      (insertedItems.map { (to: path($0.places), id: $0.id) }
      + movedItems.map { (to: path(Array($0.places.dropFirst(2))), id: $0.id) })
      .sorted { $0.to < $1.to }
    for item in arrivingItems {
      guard sections.indices.contains(item.to.section), item.to.item <= sections[item.to.section].items.count
      else { return nil }
      sections[item.to.section].items.insert(item.id, at: item.to.item)
    }
    // An identifier that is there twice is refused here.
    return try? DiffableSnapshot(sections: sections.map { ($0.id, $0.items) })
  }

  /// The items that are gone after the changes.
  func departures(
    from old: DiffableSnapshot<String, String>, to new: DiffableSnapshot<String, String>
  ) -> [String] {
    var items = deletedItems.map(\.id)
    for section in deletedSections { items += (try? old.itemIdentifiers(inSection: section.id)) ?? [] }
    return items.filter { new.indexPath(ofItem: $0) == nil }
  }

  private func path(_ places: [Int]) -> ListIndexPath {
    ListIndexPath(item: places[1], section: places[0])
  }
}

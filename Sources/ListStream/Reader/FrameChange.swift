internal import Snapshots

/// The changes of sections and items that a change frame lists.
struct FrameChange {
  private struct Entry {
    var id: String
    var numbers: [Int]
  }

  private var deletedSections: [Entry] = []
  private var insertedSections: [Entry] = []
  private var movedSections: [Entry] = []
  private var deletedItems: [Entry] = []
  private var insertedItems: [Entry] = []
  private var movedItems: [Entry] = []

  /// Reads the changes; the result is `nil` if they are not as a frame has them.
  init?(_ frame: JSONValue) {
    guard let deletedSections = Self.entries(frame["sections"]?["deleted"], count: 1),
      let insertedSections = Self.entries(frame["sections"]?["inserted"], count: 1),
      let movedSections = Self.entries(frame["sections"]?["moved"], count: 2),
      let deletedItems = Self.entries(frame["items"]?["deleted"], count: 2),
      let insertedItems = Self.entries(frame["items"]?["inserted"], count: 2),
      let movedItems = Self.entries(frame["items"]?["moved"], count: 4)
    else { return nil }
    self.deletedSections = deletedSections
    self.insertedSections = insertedSections
    self.movedSections = movedSections
    self.deletedItems = deletedItems
    self.insertedItems = insertedItems
    self.movedItems = movedItems
  }

  private static func entries(_ value: JSONValue?, count: Int) -> [Entry]? {
    guard let value else { return [] }
    guard let list = value.array else { return nil }
    var entries: [Entry] = []
    for element in list {
      guard let parts = element.array, parts.count == count + 1, let id = parts[0].string else { return nil }
      let numbers = parts.dropFirst().compactMap(\.integer)
      guard numbers.count == count, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
      entries.append(Entry(id: id, numbers: numbers))
    }
    return entries
  }

  /// The list after the changes, or `nil` if they do not fit it. Where items are not known, any fits, and what moves
  /// from there is as little known where it arrives.
  func applied(to list: [ListStreamSection]) -> [ListStreamSection]? {
    var sections = list
    // 1. Everything is at the position that the frame names.
    let leavingSections = deletedSections + movedSections
    let leavingItems = deletedItems + movedItems
    for entry in leavingSections {
      guard sections.indices.contains(entry.numbers[0]), sections[entry.numbers[0]].id == entry.id else {
        return nil
      }
    }
    var known: [String: String?] = [:]
    var strangers: [String] = []
    for entry in leavingItems {
      let source = path(entry.numbers)
      guard list.indices.contains(source.section), list[source.section].items.indices.contains(source.item)
      else {
        return nil
      }
      let item = list[source.section].items[source.item]
      guard item == nil || item == entry.id else { return nil }
      known[entry.id] = .some(item)
      if item == nil { strangers.append(entry.id) }
    }
    // What leaves from where nothing is known must not be known elsewhere.
    if !strangers.isEmpty, !list.knownItems().isDisjoint(with: strangers) { return nil }
    // 2. Items are removed, from the last index path to the first.
    let paths = leavingItems.map { path($0.numbers) }.sorted(by: >)
    if Set(paths).count != paths.count { return nil }
    for path in paths { sections[path.section].items.remove(at: path.item) }
    // 3. Sections are removed.
    var moving: [String: [String?]] = [:]
    for entry in movedSections { moving[entry.id] = sections[entry.numbers[0]].items }
    let indices = Set(leavingSections.map { $0.numbers[0] })
    if indices.count != leavingSections.count { return nil }
    for index in indices.sorted(by: >) { sections.remove(at: index) }
    // 4. Sections are inserted, by ascending index.
    let arrivingSections =
      (insertedSections.map { (to: $0.numbers[0], id: $0.id, items: [String?]()) }
      + movedSections.map { (to: $0.numbers[1], id: $0.id, items: moving[$0.id] ?? []) })
      .sorted { $0.to < $1.to }
    for section in arrivingSections {
      guard section.to <= sections.count else { return nil }
      sections.insert(ListStreamSection(id: section.id, items: section.items), at: section.to)
    }
    // 5. Items are inserted, by ascending index path.
    let arrivingItems =
      (insertedItems.map { (to: path($0.numbers), id: String?.some($0.id)) }
      + movedItems.map { (to: path(Array($0.numbers.dropFirst(2))), id: known[$0.id] ?? nil) })
      .sorted { $0.to < $1.to }
    for item in arrivingItems {
      guard sections.indices.contains(item.to.section), item.to.item <= sections[item.to.section].items.count
      else { return nil }
      sections[item.to.section].items.insert(item.id, at: item.to.item)
    }
    return ListStreamSection.isList(sections) ? sections : nil
  }

  private func path(_ numbers: [Int]) -> ListIndexPath {
    ListIndexPath(item: numbers[1], section: numbers[0])
  }
}

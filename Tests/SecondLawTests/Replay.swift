#if SQLite
  import LiveFetch
  import Snapshots

  /// A section of a list, without the library's own types.
  struct ListSection<Key: LawKey>: Hashable, CustomStringConvertible {
    var name: String
    var keys: [Key]

    var description: String { "\(name.debugDescription): \(keys)" }
  }

  extension Array {
    init<Key: LawKey>(_ snapshot: DiffableSnapshot<FetchSectionID, Key>) where Element == ListSection<Key> {
      self = snapshot.sections.map { ListSection(name: $0.id.text, keys: Array<Key>($0.items)) }
    }

    init<Key: LawKey>(_ expected: Expected<Key>) where Element == ListSection<Key> {
      self = expected.sections.map { ListSection(name: $0.name, keys: $0.keys) }
    }
  }

  /// Carries a difference out on plain arrays.
  enum Replay {
    static func apply<Key: LawKey>(
      _ difference: SnapshotDifference<FetchSectionID, Key>, to old: [ListSection<Key>]
    ) -> [ListSection<Key>] {
      var taken: Set<Int> = []
      let leaving = difference.deletedItems.map(\.path) + difference.movedItems.map(\.from)
      var lists = old
      for path in leaving.sorted(by: { $0 > $1 }) where lists.indices.contains(path.section) {
        guard lists[path.section].keys.indices.contains(path.item) else { return [] }
        lists[path.section].keys.remove(at: path.item)
      }
      let gone = Set(difference.deletedSections.map(\.index) + difference.movedSections.map(\.from))
      var result = lists.indices.filter { !gone.contains($0) }.map { lists[$0] }
      var coming = difference.insertedSections.map {
        ($0.index, ListSection<Key>(name: $0.id.text, keys: []))
      }
      for move in difference.movedSections where taken.insert(move.from).inserted {
        coming.append((move.to, lists[move.from]))
      }
      for (index, section) in coming.sorted(by: { $0.0 < $1.0 }) {
        guard index <= result.count else { return [] }
        result.insert(section, at: index)
      }
      var items = difference.insertedItems.map { ($0.path, $0.id) }
      items += difference.movedItems.map { ($0.to, $0.id) }
      for (path, id) in items.sorted(by: { $0.0 < $1.0 }) {
        guard result.indices.contains(path.section), path.item <= result[path.section].keys.count else {
          return []
        }
        result[path.section].keys.insert(id, at: path.item)
      }
      return result
    }
  }

  /// The rule by which a changed row is notified as moved or as updated (`FetchChange.moved`): it has another position
  /// among the rows that did not change.
  enum Moves {
    /// - Parameter isExact: Whether no more rows may be told as moved than had to move.
    /// - Returns: What is wrong.
    static func check<Key: LawKey>(
      old: [ListSection<Key>], new: [ListSection<Key>], updated: [Key], moved: [Key], isExact: Bool
    ) -> String? {
      let movedKeys = Set(moved)
      let told = movedKeys.union(updated)
      if movedKeys.count + updated.count != told.count { return "a row is told twice" }
      let oldSection = Dictionary(
        uniqueKeysWithValues: old.flatMap { list in list.keys.map { ($0, list.name) } })
      for list in new {
        guard let before = old.first(where: { $0.name == list.name }) else {
          for key in list.keys where oldSection[key] != nil && !movedKeys.contains(key) {
            return "\(key) came into a new section without having moved"
          }
          continue
        }
        let isHere = Set(list.keys)
        let staying = before.keys.filter { isHere.contains($0) }
        let stays = Set(staying)
        for key in list.keys where oldSection[key] != nil && !stays.contains(key) && !movedKeys.contains(key)
        {
          return "\(key) came from another section without having moved"
        }
        let now = list.keys.filter { stays.contains($0) }
        if let wrong = check(staying, now, told, movedKeys, isExact: isExact) { return wrong }
      }
      return nil
    }

    private static func check<Key: LawKey>(
      _ old: [Key], _ new: [Key], _ told: Set<Key>, _ moved: Set<Key>, isExact: Bool
    ) -> String? {
      if old.filter({ !moved.contains($0) }) != new.filter({ !moved.contains($0) }) {
        return "rows that did not move are in another order"
      }
      guard isExact else { return nil }
      // Between which two rows that were not told each one stands.
      func gaps(_ keys: [Key]) -> [Key: Int] {
        var gap = 0
        var result: [Key: Int] = [:]
        for key in keys { if told.contains(key) { result[key] = gap } else { gap += 1 } }
        return result
      }
      let (before, after) = (gaps(old), gaps(new))
      for key in old where told.contains(key) && before[key] != after[key] && !moved.contains(key) {
        return "\(key) has another position and is not notified as moved"
      }
      let position = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
      for gap in Set(before.values) {
        let rows = old.filter { before[$0] == gap && after[$0] == gap }
        let needed = rows.count - ascent(rows.compactMap { position[$0] })
        let count = rows.filter { moved.contains($0) }.count
        if count != needed { return "\(count) rows of \(rows) are told as moved, and \(needed) had to move" }
      }
      return nil
    }

    /// The length of a longest ascending part, by looking at all pairs.
    private static func ascent(_ values: [Int]) -> Int {
      var lengths: [Int] = []
      for (index, value) in values.enumerated() {
        lengths.append(1 + ((0..<index).filter { values[$0] < value }.map { lengths[$0] }.max() ?? 0))
      }
      return lengths.max() ?? 0
    }
  }
#endif

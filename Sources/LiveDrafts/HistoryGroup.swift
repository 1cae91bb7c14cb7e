/// The edits that are undone and redone together.
struct HistoryGroup: Sendable {
  var name: String
  /// The number of the edit. A row that was saved later is restored by its values, any other by what was pending.
  var serial: UInt64
  var steps: [HistoryStep]
  /// The number of the edit that it undoes or redoes; its own where it is that edit.
  var edit: UInt64
  /// Whether undo or redo has made it.
  var isInverse: Bool { edit != serial }
  /// A lower bound of the steps that saves have taken: the group may be searched for nothing, and is never skipped wrongly.
  private var savedCount = 0
  /// The positions of many steps by their rows, once they were asked for.
  private var positions: [DraftKey: Int] = [:]

  init(name: String, serial: UInt64, steps: [HistoryStep]) {
    (self.name, self.serial, self.edit, self.steps) = (name, serial, serial, steps)
  }

  /// Whether saves have taken all steps: no other save takes any of them.
  var isWhollySaved: Bool { savedCount == steps.count }

  /// Notes that a save takes a step.
  mutating func noteSaved(at position: Int) {
    if steps[position].isSaved { return }
    steps[position].isSaved = true
    savedCount += 1
  }

  /// - Parameter removed: The positions of steps that are taken out, all of them after the new ones.
  mutating func insert(_ new: [HistoryStep], at position: Int, removing removed: Set<Int> = []) {
    let rest = steps.indices.dropFirst(position).filter { !removed.contains($0) }.map { steps[$0] }
    steps.replaceSubrange(position..., with: new + rest)
    positions = [:]
    savedCount = steps.count(where: \.isSaved)
  }

  /// Removes the steps of rows.
  mutating func remove(_ keys: Set<DraftKey>) {
    if keys.isEmpty { return }
    steps.removeAll { keys.contains($0.key) }
    positions = [:]
    savedCount = steps.count(where: \.isSaved)
  }

  /// Returns the position of the step of a row.
  mutating func position(of key: DraftKey) -> Int? {
    if steps.count < 16 { return steps.firstIndex { $0.key == key } }
    if positions.isEmpty {
      positions = Dictionary(steps.indices.map { (steps[$0].key, $0) }) { first, _ in first }
    }
    return positions[key]
  }
}

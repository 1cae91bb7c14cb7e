/// The edits that are undone and redone together.
struct HistoryGroup: Sendable {
  var name: String
  /// The number of the edit. A row that was saved later is restored by its values, any other by what was pending.
  var serial: UInt64
  var steps: [HistoryStep]
  /// The number of the edit that it undoes or redoes; its own where it is that edit.
  var edit: UInt64
  /// A lower bound of the steps that saves have taken: the group may be searched for nothing, and is never skipped wrongly.
  private var savedCount = 0
  /// The positions of many steps by their rows, once they were asked for.
  private var positions = StepPositions()

  init(name: String, serial: UInt64, steps: [HistoryStep]) {
    (self.name, self.serial, self.edit, self.steps) = (name, serial, serial, steps)
  }

  /// Whether saves have taken all steps: no other save takes any of them.
  var isWhollySaved: Bool { savedCount == steps.count }

  /// Some of the steps as a group of their own.
  /// - Parameter serial: The number that it has.
  func part(_ steps: [HistoryStep], serial: UInt64) -> HistoryGroup {
    var part = HistoryGroup(name: name, serial: serial, steps: steps)
    part.edit = edit
    return part
  }

  /// Notes that a save takes a step.
  mutating func noteSaved(at position: Int) {
    if steps[position].isSaved { return }
    steps[position].isSaved = true
    savedCount += 1
  }

  /// - Parameter removed: The positions of steps that are taken out, all of them after the new ones.
  mutating func insert(_ new: [HistoryStep], at position: Int, removing removed: Set<Int> = []) {
    if !removed.isEmpty { remove { position, _ in removed.contains(position) } }
    steps.insert(contentsOf: new, at: position)
    savedCount += new.count(where: \.isSaved)
    positions.insert(new, at: position)
  }

  /// Removes the steps of rows.
  mutating func remove(_ keys: Set<DraftKey>) {
    if keys.isEmpty { return }
    remove { keys.contains($1.key) }
  }

  /// Removes the edits of rows. What saves have done to them stays with the deletions that led to it.
  /// - Returns: The steps, in their order.
  mutating func take(_ keys: Set<DraftKey>) -> [HistoryStep] {
    func isTaken(_ step: HistoryStep) -> Bool { !step.isEffect && keys.contains(step.key) }
    let taken = steps.filter(isTaken)
    if !taken.isEmpty { remove { isTaken($1) } }
    return taken
  }

  /// Removes the edits of rows but some. What saves have done to them stays, and is undone after the deletions that led to it.
  mutating func withdraw(except kept: Set<DraftKey>) {
    func isKept(_ step: HistoryStep) -> Bool { step.isEffect || kept.contains(step.key) }
    let joined = steps.flatMap { isKept($0) ? [] : $0.joined }
    remove { !isKept($1) }
    if !joined.isEmpty { insert(joined, at: 0) }
  }

  mutating func remove(where isRemoved: (_ position: Int, HistoryStep) -> Bool) {
    steps = steps.enumerated().filter { !isRemoved($0.offset, $0.element) }.map(\.element)
    positions = StepPositions()
    savedCount = steps.count(where: \.isSaved)
  }

  /// Returns the position of the step of a row.
  mutating func position(of key: DraftKey) -> Int? {
    if steps.count < 16 { return steps.firstIndex { $0.key == key } }
    return positions.position(of: key, in: steps)
  }
}

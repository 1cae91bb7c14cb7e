import LiveDrafts
import LiveListsTestSupport

// The effects of foreign keys on rows as a save deletes others, in the steps of undo and redo.
extension DraftOracle {
  struct EffectKey: Hashable {
    var id: Int
    var isGone: Bool
  }

  /// The last deletion of a row, and what takes it back on the other side: undo, where that is redo.
  func deletions(of id: Int) -> [(steps: WritableKeyPath<Self, [Step]>, step: Int)] {
    var last: [(number: Int, steps: WritableKeyPath<Self, [Step]>, step: Int, isDeletion: Bool)] = []
    for steps in [\Self.undo, \Self.redo] {
      guard let position = self[keyPath: steps].lastIndex(where: { $0.shownBefore[id] != nil }) else {
        continue
      }
      let step = self[keyPath: steps][position]
      let isDeletion = (step.shownBefore[id] ?? nil) != nil && (step.shownAfter[id] ?? nil) == nil
      last.append((step.number, steps, position, isDeletion))
    }
    last.sort { $0.number > $1.number }
    return last.first?.isDeletion == true ? last.filter(\.isDeletion).map { ($0.steps, $0.step) } : []
  }

  /// Whether what a deletion did to a row is undone, or redone, with it: no edit that is taken back before it has set the same.
  func isUndoneLater(
    _ effect: LawDatabase.Effect, in steps: WritableKeyPath<Self, [Step]>
  ) -> Bool {
    guard let deletion = deletions(of: effect.cause).first(where: { $0.steps == steps }) else { return false }
    return !self[keyPath: steps][deletion.step...].contains { step in
      guard let before = step.shownBefore[effect.id], !step.effects.contains(effect.id) else { return false }
      guard effect.after != nil, let before, let after = step.shownAfter[effect.id] ?? nil else {
        return true
      }
      return before.note != after.note
    }
  }

  /// Makes what a deletion did to a row part of it, so that both are undone together.
  mutating func record(
    _ effect: LawDatabase.Effect, _ ids: Set<Int>, _ steps: WritableKeyPath<Self, [Step]>, _ position: Int
  ) {
    var step = self[keyPath: steps][position]
    if step.shownBefore[effect.id] != nil {
      guard let after = effect.after else {
        // Another deletion of the step has set its note before.
        if step.effects.contains(effect.id) {
          step.shownAfter[effect.id] = .some(nil)
          self[keyPath: steps][position] = step
        }
        return
      }
      if ids.contains(effect.id) || step.effects.contains(effect.id) {
        if var shown = step.shownAfter[effect.id] ?? nil {
          shown.note = after.note
          step.shownAfter[effect.id] = shown
        }
      } else if step.before[effect.id].map({ $0?.seen != nil || $0 == nil }) ?? true {
        // Undo of an edit that was not saved leads to a row that is changed back.
        var row = (step.before[effect.id] ?? nil) ?? Pending(seen: Self.fields(after))
        if !row.isDeleted {
          row.mine["note"] = Self.fields(effect.before)["note"]
          step.before[effect.id] = row
        }
      }
    } else {
      step.before[effect.id] = .some(nil)
      step.shownBefore[effect.id] = effect.before
      step.shownAfter[effect.id] = .some(effect.after)
      step.stored[effect.id] = effect.before
      step.saved.insert(effect.id)
      step.taken.insert(effect.id)
      step.effects.insert(effect.id)
      step.ids.insert(effect.id, at: step.ids.firstIndex(of: effect.cause) ?? 0)
    }
    self[keyPath: steps][position] = step
  }
}

#if SQLite
  import GRDB
  import LiveDrafts
  import LiveFetch
  import LiveListsTestSupport
  import Snapshots

  extension KeyLaw {
    /// Saves all that is pending, with a commit of others, edits, undo and redo while the save is under way.
    ///
    /// Nobody knows then what foreign keys are to do. So edits are of rows that the save does not take, and in the model they come before
    /// it, as what is pending of other rows. Undo of what is being saved comes after it, and so does what follows that: edits of rows that
    /// are as if the save had not been, and discards of all.
    static func save(
      _ policy: DraftPolicy, _ steps: [DraftStep], _ fails: Bool, _ draft: FetchDraft,
      _ store: InterruptedStore, _ subject: SQLiteSubject, _ oracle: inout DraftOracle
    ) async throws -> String? {
      struct Failing: Error {}
      let taken = Set(oracle.pending.keys)
      if taken.isEmpty {
        try await draft.save(policy: policy)
        return nil
      }
      var steps = steps
      var theirs: (writes: [ConformanceWrite], isValid: Bool)?
      if case .commit(let writes)? = steps.first {
        theirs = (writes, oracle.commit(writes))
        steps.removeFirst()
      }
      let (saved, unsaved, meanwhile, expected) = models(oracle, policy, taken, steps)
      store.interrupt { [theirs] in
        if let theirs { _ = try await commit(theirs.writes, subject, theirs.isValid) }
        await draft.waitUntilCurrent()
        for step in meanwhile {
          switch step {
          case .edit(let writes): try draft.edit("edit") { edit in try edit.performWithKeys(writes) }
          case .undo: try draft.undo()
          case .redo: try draft.redo()
          case .discard: draft.discard()
          default: break
          }
        }
        if fails { throw Failing() }
      }
      do {
        let failure = try await compare(expected) { try await draft.save(policy: policy) }
        if failure == nil, fails { return "the save did not fail" }
        oracle = expected.isEmpty ? saved : unsaved
        return failure
      } catch is Failing {
        if !fails { return "it fails" }
        oracle = unsaved
        return nil
      }
    }

    /// Returns the model after the save, the model where that has failed, the steps that can be taken meanwhile, and what is in the way of
    /// the save.
    private static func models(
      _ oracle: DraftOracle, _ policy: DraftPolicy, _ taken: Set<Int>, _ steps: [DraftStep]
    ) -> (saved: DraftOracle, unsaved: DraftOracle, steps: [DraftStep], expected: Set<Int>) {
      var (saved, unsaved) = (oracle, oracle)
      var meanwhile: [DraftStep] = []
      var expected: Set<Int>?
      // How many steps were undone since.
      var undone = 0
      // How many were made since.
      var made = 0
      /// Whether a step can be undone or redone now: one of rows that are being saved alone after the save, one of others before it.
      func isPossible(_ event: DraftOracle.Step?) -> Bool {
        guard let event else { return false }
        let all = Set(event.before.keys)
        let ids = all.subtracting(event.effects)
        if expected == nil, all.isDisjoint(with: taken) { return true }
        if made > 0 { return true }
        guard ids.isSubset(of: taken) else { return false }
        if expected == nil {
          // What is pending of other rows may go along with what is deleted.
          guard saved.pending.keys.allSatisfy(taken.contains) else { return false }
          let inTheWay = saved.save(policy, only: taken)
          // Until it fails, a draft shows what it is to save.
          if !inTheWay.isEmpty { _ = saved.save(.mine, only: taken) }
          expected = inTheWay
        }
        return true
      }
      for step in steps {
        var step = step
        switch step {
        case .edit(let writes):
          let (rows, former) = (saved.rows, unsaved.rows)
          step = .edit(writes.filter { !taken.contains($0.id) && rows[$0.id] == former[$0.id] })
        // The model cannot say what is shown until the database has refused the save.
        case .discard(nil) where undone > 0 && expected?.contains(-1) == false: break
        case .undo where isPossible(saved.undo.last): break
        case .redo where expected == nil ? isPossible(saved.redo.last) : undone > 0: break
        default: continue
        }
        let number = saved.number
        DraftLaw.perform(step, &saved, &unsaved)
        meanwhile.append(step)
        if expected == nil { continue }
        switch step {
        case .undo: (made, undone) = (max(0, made - 1), undone + 1)
        case .redo: undone -= 1
        default: if let last = saved.undoNumber, last > number { (made, undone) = (made + 1, 0) }
        }
      }
      let inTheWay = expected ?? saved.save(policy, only: taken)
      return (saved, unsaved, meanwhile, inTheWay)
    }
  }
#endif

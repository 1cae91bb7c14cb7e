internal import Snapshots

extension DiffableDataSource {
  /// Performs one job: computes the next state, commits it and updates the target.
  nonisolated(nonsending) func run(_ job: Job) async -> Report {
    switch job.kind {
    case .snapshot(let snapshot, let known):
      return await commit(Proposal(snapshot: snapshot), known: known, job: job)
    case .reload(let snapshot):
      if targetState == .shown { targetState = .stale }
      return await commit(Proposal(snapshot: snapshot), known: nil, job: job)
    case .edit(let work):
      if let seen = job.shownAlready, seen != committed, targetState == .shown {
        // The view moved items of a list that has changed since: what it shows now is nobody's list.
        targetState = .stale
      }
      guard let proposal = work() else {
        if job.shownAlready != nil { await restore(job) }
        return Report(.refused)
      }
      return await commit(proposal, known: nil, job: job)
    }
  }

  /// Reloads a view that has moved items by itself which may not be where they are.
  private nonisolated(nonsending) func restore(_ job: Job) async {
    if targetState == .shown { targetState = .stale }
    _ = await commit(Proposal(snapshot: committed, outlines: outlines), known: nil, job: job)
  }

  private nonisolated(nonsending) func commit(
    _ proposal: Proposal, known: KnownDifference?, job: Job
  ) async -> Report {
    let before = committed
    let difference = difference(to: proposal.snapshot, known: known, job: job)
    committed = proposal.snapshot.removingMarks()
    if let trees = proposal.outlines {
      outlines = trees
    } else {
      outlines.follow(committed, from: before, by: difference)
    }
    proposal.didCommit?()
    let trackedSelection = job.options.tracking?.selection(from: before, to: committed)
    let update = ListUpdate(
      before: before, snapshot: committed, difference: difference ?? SnapshotDifference(),
      origins: job.options.origins, isAnimated: job.options.animatingDifferences, provider: provider)
    let outcome = await deliver(update, isReload: difference == nil, isShownAlready: job.shownAlready != nil)
    return Report(outcome, trackedSelection: trackedSelection)
  }

  /// Returns the difference from the snapshot that is shown to another, or `nil` if the target has to reload.
  private func difference(
    to snapshot: Snapshot, known: KnownDifference?, job: Job
  ) -> SnapshotDifference<SectionID, ItemID>? {
    guard targetState == .shown else { return nil }
    var difference: SnapshotDifference<SectionID, ItemID>
    if let known, known.from == committed {
      difference = known.difference
    } else {
      difference = snapshot.difference(from: committed)
      if let known {
        difference.addMarks(of: known.difference)
      }
    }
    if !job.changedItems.isEmpty {
      difference.addMarks(of: SnapshotDifference(reconfiguredItems: job.changedItems))
    }
    return difference
  }

  /// Gives the target an update, and reloads it if it can't show that.
  private nonisolated(nonsending) func deliver(
    _ update: ListUpdate<SectionID, ItemID, Target.Content>, isReload: Bool, isShownAlready: Bool
  ) async -> Report.Outcome {
    guard targetState != .gone else { return .targetGone }
    var failure: (any Error)?
    if !isReload {
      if update.difference.isEmpty {
        if !update.origins.isEmpty { await target.acknowledge(update.origins) }
        return .unchanged
      }
      do {
        if isShownAlready {
          try await target.adopt(update)
        } else {
          try await target.perform(update)
        }
        return .updated
      } catch let error as ListTargetError where error == .gone {
        targetState = .gone
        return .targetGone
      } catch {
        failureHandler?(error)
        failure = error
      }
    }
    do {
      // Stale until it says otherwise.
      targetState = .stale
      let reload = ListUpdate(
        before: update.before, snapshot: update.snapshot, difference: SnapshotDifference(),
        origins: update.origins, isAnimated: false, provider: update.provider)
      try await target.reload(reload)
      targetState = .shown
      return failure.map { .recovered($0) } ?? .reloaded
    } catch let error as ListTargetError where error == .gone {
      targetState = .gone
      return .targetGone
    } catch {
      failureHandler?(error)
      return .failed(error)
    }
  }
}

extension SnapshotDifference {
  /// Adds another difference's marks to one's own. An item that is to be reloaded need not be reconfigured.
  mutating func addMarks(of other: Self) {
    var sections = Set(reloadedSections)
    reloadedSections += other.reloadedSections.filter { sections.insert($0).inserted }
    var reloaded = Set(reloadedItems)
    reloadedItems += other.reloadedItems.filter { reloaded.insert($0).inserted }
    var seen = reloaded
    reconfiguredItems = (reconfiguredItems + other.reconfiguredItems).filter { seen.insert($0).inserted }
  }
}

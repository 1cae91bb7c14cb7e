public import Snapshots

extension DiffableDataSource {
  /// Shows a snapshot.
  ///
  /// The first snapshot reloads the view. Each further one is compared with what is shown when its turn comes; the
  /// structure changes first, then the marks are applied. A snapshot equal to what is shown, without marks, asks
  /// nothing of the view.
  ///
  /// The call returns when the target has the snapshot, whether there was a difference or not. It is performed also
  /// when the calling task is cancelled. From inside another apply of this data source it returns at once, and the
  /// snapshot is shown when that one is done; see ``ApplyReport/Outcome/queued``.
  ///
  /// - Parameters:
  ///   - snapshot: The list to show, with marks for items to be shown anew.
  ///   - options: How it is shown.
  /// - Returns: What became of it.
  /// - Complexity: That of the difference to what is shown: the number of changes for related snapshots, linear for
  ///   unrelated ones; then what the target needs.
  @discardableResult
  public nonisolated(nonsending) func apply(
    _ snapshot: Snapshot, options: Options = Options()
  ) async -> Report {
    await submit(Job(.snapshot(snapshot, known: nil), options))
  }

  /// Shows a change.
  ///
  /// Its own difference is used when it leads from exactly what is shown; else one is found.
  ///
  /// - Parameters:
  ///   - change: The change. Its origins travel with the update, ahead of those of the options.
  ///   - options: How it is shown.
  /// - Returns: What became of it.
  /// - Complexity: O(*c* log *n*), where *c* is the number of changes, if the difference can be used; else that of
  ///   applying the snapshot alone.
  @discardableResult
  public nonisolated(nonsending) func apply(
    _ change: some SnapshotChange<SectionID, ItemID>, options: Options = Options()
  ) async -> Report {
    var options = options
    options.origins = change.origins + options.origins
    let known = change.previousSnapshot.map { KnownDifference(from: $0, difference: change.difference) }
    return await submit(Job(.snapshot(change.snapshot, known: known), options))
  }

  /// Acknowledges mutations that changed nothing of this list, such as a move of items to where they are.
  ///
  /// It waits its turn like an apply, so it does not overtake changes that came first.
  ///
  /// - Parameter origins: The identifiers of the mutations.
  /// - Returns: What became of it.
  @discardableResult
  public nonisolated(nonsending) func acknowledge(_ origins: [String]) async -> Report {
    let work = { Proposal(snapshot: self.committed) }
    return await submit(Job(.edit(work), Options(origins: origins)))
  }

  /// Shows a snapshot by reloading the view, without looking for differences and without animation. Marks are dropped.
  ///
  /// - Parameters:
  ///   - snapshot: The list to show.
  ///   - options: Its origins and tracking are used.
  /// - Returns: What became of it.
  @discardableResult
  public nonisolated(nonsending) func applyUsingReloadData(
    _ snapshot: Snapshot, options: Options = Options()
  ) async -> Report {
    await submit(Job(.reload(snapshot), options))
  }
}

extension DiffableDataSource {
  /// A difference that came with a snapshot, and the list that it leads from.
  struct KnownDifference {
    var from: Snapshot
    var difference: SnapshotDifference<SectionID, ItemID>
  }

  /// A state that was worked out and is to be committed.
  struct Proposal {
    var snapshot: Snapshot
    /// The trees of its sections, or `nil` if those that are there follow the change of the list.
    var outlines: SectionOutlines<SectionID, ItemID>?
    /// Is called when it is committed, before the view is updated.
    var didCommit: (() -> Void)?
  }

  /// One slot of the queue.
  struct Job {
    enum Kind {
      case snapshot(Snapshot, known: KnownDifference?)
      case reload(Snapshot)
      /// Works out the next state when its turn comes, or refuses.
      case edit(() -> Proposal?)
    }

    var kind: Kind
    var options: Options
    /// Items whose content may be another, though the difference does not say so.
    var changedItems: [ItemID] = []
    /// Set if the user dragged things in the view, and it shows that by itself: the list in which that was done.
    var shownAlready: Snapshot?

    init(_ kind: Kind, _ options: Options) {
      self.kind = kind
      self.options = options
    }
  }

  /// Puts a job into the queue and performs it when it is its turn.
  nonisolated(nonsending) func submit(_ job: Job) async -> Report {
    let scope = ApplyScope.current
    switch queue.enter(job, within: scope) {
    case .leave:
      return Report(.queued)
    case .wait:
      let resumption = await withCheckedContinuation(isolation: #isolation) { queue.wait($0) }
      scope?.endWaiting(for: queue.id)
      if case .done(let report, let followers) = resumption {
        followers.resume()
        return report
      }
    case .run:
      break
    }
    var report: Report?
    while let job = queue.begin() {
      let own = await ApplyScope.$current.withValue(.entering(queue.id)) { await run(job) }
      let (done, next) = queue.finish { queueing == .latestSnapshot ? $0.superseded(by: $1) : nil }
      if report == nil { report = done.isEmpty ? own : Report(.superseded) }
      var followers = ApplyQueue<Job, Report>.Followers(
        followers: done[...], last: own, passedOver: Report(.superseded))
      switch next {
      case .idle:
        followers.resume()
        return report ?? own
      case .resume(let waiter):
        followers.next = waiter
        followers.resume()
        return report ?? own
      case .continue:
        followers.resume()
      }
    }
    return report ?? Report(.refused)
  }
}

extension DiffableDataSource.Job {
  /// Returns one job that replaces this one and a later one, or `nil` if both have to be done.
  func superseded(by later: Self) -> Self? {
    guard case .snapshot(let snapshot, let known) = kind, case .snapshot(let last, let lastKnown) = later.kind
    else { return nil }
    var merged = Self(.snapshot(Self.carryingMarks(of: snapshot, to: last), known: nil), later.options)
    merged.options.origins = options.origins + later.options.origins
    // What a skipped change inserted may have been there before it went: to the view it never left, but its content
    // may be another.
    merged.changedItems = changedItems + later.changedItems
    for difference in [known, lastKnown].compactMap({ $0?.difference }) {
      merged.changedItems += difference.insertedItems.map(\.id)
      merged.changedItems += difference.reloadedItems + difference.reconfiguredItems
    }
    return merged
  }

  /// The later snapshot with the marks of the earlier one on what is still there.
  private static func carryingMarks(
    of earlier: DiffableDataSource.Snapshot, to later: DiffableDataSource.Snapshot
  ) -> DiffableDataSource.Snapshot {
    var result = later
    let sections = earlier.reloadedSectionIdentifiers.filter { later.indexOfSection($0) != nil }
    let reloaded = earlier.reloadedItemIdentifiers.filter { later.indexPath(ofItem: $0) != nil }
    let reconfigured = earlier.reconfiguredItemIdentifiers.filter { later.indexPath(ofItem: $0) != nil }
    // Only marks on what is there are set, so these do not throw.
    try? result.reloadSections(sections)
    try? result.reloadItems(reloaded)
    try? result.reconfigureItems(reconfigured)
    return result
  }
}

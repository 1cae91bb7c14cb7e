public import LiveStore

extension FetchController {
  /// Waits until the list is not being read: until all commits made before the call are in ``snapshot``, or have
  /// failed to be.
  public func waitUntilCurrent() async {
    await store.waitUntilCurrent()
    await list?.waitUntilCurrent()
  }

  /// Waits until a commit is in the list.
  ///
  /// ```swift
  /// let (photo, position) = try await store.write { db in try Photo(title: title).inserted(db) }
  /// await photos.waitUntil(position)
  /// ```
  ///
  /// Afterwards ``snapshot`` has the commit, or ``failures`` the reason why it could not be read. A commit that does not
  /// concern the list is in it without a change, so ``position`` may then still be an earlier one. While the controller is
  /// paused, the commit is in what is held back.
  /// - Parameter position: The commit's position, as the store's write returned it.
  public func waitUntil(_ position: FetchPosition) async {
    if !(store is any OwnPositions), let latest = broadcaster.latest?.position, latest >= position { return }
    await waitUntilCurrent()
  }

  /// Delivers to all listeners the identifier of a mutation that may have changed nothing of the list, such as a move to where things are.
  ///
  /// Listeners receive the origins of writes with the changes that these made. Of a write that changed nothing here they would never
  /// learn, and wait: this delivers its origin, behind all commits that were made before the call. An origin that the list's changes had
  /// already, one of the last 512, is not delivered again.
  /// - Parameter origin: The identifier of the mutation.
  public func acknowledge(_ origin: String) async { await acknowledge([origin]) }

  /// Delivers to all listeners the identifiers of mutations that may have changed nothing of the list: all with one change, after one wait.
  ///
  /// Origins that the list's changes had already are left out, as by ``acknowledge(_:)-(String)``; where none is left, nothing is delivered.
  /// - Parameter origins: The identifiers, in the order in which they are delivered.
  /// - Complexity: O(*k*) for *k* identifiers, besides the commits that are waited for.
  public func acknowledge(_ origins: [String]) async {
    if origins.isEmpty { return }
    await waitUntilCurrent()
    broadcaster.acknowledge(origins).resumeAll()
  }

  /// Gives the live list another request without waiting for it, for callers that are not asynchronous, such as a search field.
  ///
  /// Of several calls the last wins. A failure is delivered to those who listen, and the list stays with its old request.
  /// - Parameter request: The contents of the list.
  public func update(request: FetchDescriptor<Model>) {
    let generation = beginUpdate()
    Task {
      do throws(FetchError) {
        _ = try await fetch(request, generation, again: true)
      } catch {
        // Nobody waits to hear of a request that a later one has replaced.
        if isNewest(generation) { report([error]) }
      }
    }
  }
}

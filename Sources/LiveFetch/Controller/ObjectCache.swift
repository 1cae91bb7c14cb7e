public import LiveStore
public import Snapshots
public import Synchronization

/// Objects of the rows of a list, until a commit touches them.
///
/// An object is at hand only while its row is in the list: so every commit that touches the row is reported, whatever it
/// changes. Kept is what was read since the last update, of rows that are in the list by then. Dropped are
/// rows that a commit touched (also one that changed only columns which the list does not show), rows that left the list,
/// and all when another list is followed, when it is not known what was touched, and when the list has failed.
///
/// Two generations: when the younger is full it becomes the older, and the older is forgotten. What is used
/// moves to the younger.
@usableFromInline
final class ObjectCache<Model: FetchModel>: Sendable {
  @usableFromInline
  struct Core {
    @usableFromInline var young: [Model.ID: Model] = [:]
    @usableFromInline var old: [Model.ID: Model] = [:]
    /// Counts what was dropped, so that what was read before is not kept after.
    @usableFromInline var epoch = 0
    /// The list as it is: no objects of other rows are kept, as their changes are not reported.
    @usableFromInline var listed = DiffableSnapshot<FetchSectionID, Model.ID>()
    /// The failures that were reported since the last update. Who asks for all objects whenever a change comes would else be
    /// given a change for asking, and so on for ever.
    @usableFromInline var reported: [String: FetchError] = [:]
    /// Rows that could not be read as the database failed: who shows them is to ask for them again.
    @usableFromInline var unread: Set<Model.ID> = []
  }

  @usableFromInline let core = Mutex(Core())
  @usableFromInline let limit: Int

  init(limit: Int) { self.limit = max(2, limit) }

  @inlinable
  var epoch: Int { core.withLock { $0.epoch } }

  @inlinable
  func object(_ id: Model.ID) -> Model? {
    core.withLock { core in
      if let object = core.young[id] { return object }
      guard let object = core.old.removeValue(forKey: id) else { return nil }
      insert(object, &core)
      return object
    }
  }

  /// Those of which no object is at hand, and one that is wanted in any case.
  ///
  /// The rows are neighbours. Where none of a few of them is at hand, hardly any is: all are then said to be missing, as
  /// looking for each costs more than reading one in vain.
  @inlinable
  func missing(_ ids: [Model.ID], but wanted: Model.ID) -> [Model.ID] {
    core.withLock { core in
      func isMissing(_ id: Model.ID) -> Bool {
        id == wanted || core.young.index(forKey: id) == nil && core.old.index(forKey: id) == nil
      }
      let step = max(1, ids.count / 8)
      if stride(from: ids.count - 1, through: 0, by: -step).allSatisfy({ isMissing(ids[$0]) }) { return ids }
      return ids.filter(isMissing)
    }
  }

  /// Keeps objects that were read in an epoch; those of an earlier one may be of rows that were touched since.
  /// - Parameter epoch: nil where what was read may be older than the last update.
  /// - Returns: Why the others could not be made, as far as it was not reported since the last update.
  @inlinable
  func store(_ made: [Result<Model, FetchError>], readIn epoch: Int?) -> [FetchError] {
    core.withLock { core in
      var failures: [FetchError] = []
      let isNew = core.epoch == epoch
      for result in made {
        switch result {
        case .success(let object): if isNew, isListed(object.id, core) { insert(object, &core) }
        case .failure(let error): if Self.note(error, &core) { failures.append(error) }
        }
      }
      return failures
    }
  }

  /// Notes that the object of a row could not be read.
  /// - Returns: Whether the reason was not reported since the last update.
  @inlinable
  func note(_ failure: FetchError, of id: Model.ID) -> Bool {
    core.withLock { core in
      if core.unread.count < limit { core.unread.insert(id) }
      return Self.note(failure, &core)
    }
  }

  @inlinable
  static func note(_ failure: FetchError, _ core: inout Core) -> Bool {
    core.reported.updateValue(failure, forKey: "\(failure)") == nil
  }

  /// Why objects could not be read or made since the last update. Of many some.
  var failures: [FetchError] {
    let reported = core.withLock { $0.reported }
    return reported.sorted { $0.key < $1.key }.prefix(Self.failureLimit).map(\.value)
  }

  static var failureLimit: Int { 100 }

  /// Returns whether a row is in the list, and not one whose key Swift takes for that of a listed row.
  @inlinable
  func isListed(_ id: Model.ID, _ core: borrowing Core) -> Bool {
    guard case .text = Model.ID.fetchColumnType else { return core.listed.containsItem(id) }
    guard let path = core.listed.indexPath(ofItem: id) else { return false }
    return core.listed.itemIdentifier(at: path)?.hasSameKey(as: id) ?? false
  }

  @inlinable
  func insert(_ object: Model, _ core: inout Core) {
    core.young[object.id] = object
    if core.young.count >= limit / 2 {
      core.old = core.young
      // What has been filled once will be again: it need not grow there step by step.
      core.young = Dictionary(minimumCapacity: limit / 2)
    }
  }

  /// Follows a list from now on.
  func begin(with snapshot: DiffableSnapshot<FetchSectionID, Model.ID>) { drop(.all, listed: snapshot) }

  /// Drops what an update of the list makes stale, and has it name the rows that could not be read.
  func follow(_ update: inout FetchUpdate<Model.ID>) {
    if update.cost.hasFailed {
      // While the store is cut off the list stays as it was, and its objects with it.
      if update.isInterruption { return }
      // After a failure nothing is known of what was touched, until the list has been read again.
      return drop(.all, listed: nil)
    }
    let unread = core.withLock { core in
      defer { core.unread = [] }
      return core.unread
    }
    if !unread.isEmpty {
      update.touched.merge(TouchedRows(unread.filter { update.snapshot.containsItem($0) }))
      update.touched.removeRepetitions()
      update.retained = nil
    }
    drop(update.touched, update.hidden, listed: update.snapshot)
  }

  /// Follows a list no longer: nothing is kept from now on.
  func end() { drop(.all, listed: DiffableSnapshot()) }

  func drop(
    _ touched: TouchedRows<Model.ID>..., listed: DiffableSnapshot<FetchSectionID, Model.ID>?
  ) {
    core.withLock { core in
      core.epoch += 1
      if !core.reported.isEmpty { core.reported = [:] }
      if let listed { core.listed = listed }
      if core.young.isEmpty, core.old.isEmpty { return }
      for touched in touched {
        if touched.isAll {
          core.young = [:]
          core.old = [:]
        }
        for row in touched.storedRows {
          core.young[row.id] = nil
          core.old[row.id] = nil
        }
      }
    }
  }
}

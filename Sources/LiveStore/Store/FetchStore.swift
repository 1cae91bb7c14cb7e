/// A database as live lists see it: reads that know their position in its history, and the commits after it.
///
/// ## What a store promises
/// - Every commit has a ``FetchPosition``, later than those before it.
/// - An observer is notified of each commit that touched a row which its plan lists, or listed before; of others it
///   may be notified, too. It is notified in the order of commits, never of two at once, and each row's values are those
///   that the commit left.
/// - A store that looks for commits may report several as one: the position is that of the last, the rows are as that one
///   left them, and the origins are those of all. Where the last that touched a row has others than that, the row has its
///   (``ChangeSet/Row/lastOrigins``).
/// - A store that cannot know of commits for a while says so by ``FetchStoreEvent/interrupted(_:)``. It reports what it has
///   missed, or a reset, and then ``FetchStoreEvent/resumed``. What is read meanwhile throws ``FetchError/interrupted(_:)``.
/// - A commit that cannot be reported row by row becomes a ``FetchStoreEvent/reset(_:)``.
/// - A read sees exactly the state at the position that it returns: the commits up to it, and none after.
/// - An observer that is there when a read is asked for is notified of every commit after the read's position.
/// - After ``FetchStoreEvent/closed`` nothing is delivered, and reads throw ``FetchError/closed``. Whoever begins to observe
///   later learns of it by that.
/// - An observer is not called from within the call that makes it one.
///
/// ## What observers promise
/// - They do little in the call: it is made on the store's own thread, perhaps within its write.
/// - They do not call the store from within it.
/// - They take an event at or before a position that they have read for known, and drop it.
///
/// The suite in `LiveListsTestSupport` holds a store to this.
public protocol FetchStore: AnyObject, Sendable {
  /// Begins to notify an observer of commits.
  /// - Parameters:
  ///   - plan: The list that is of concern.
  ///   - receive: What is called for each event.
  /// - Returns: The observation, which ends when it is cancelled or released.
  func observe(_ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void) -> FetchObservation

  /// Waits until observers have been notified of all commits made before the call.
  ///
  /// A store whose commits notify observers before they return need not implement this.
  func waitUntilCurrent() async

  /// Reads the rows of a plan, in the order of its list and within its limit.
  /// - Parameters:
  ///   - plan: The list.
  ///   - body: What makes a result of the rows. The cursor's columns are the plan's.
  /// - Returns: The result, and the position as of which the rows were read.
  /// - Throws: The database's error, or what `body` throws.
  func read<Result: Sendable>(
    _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
  ) async throws -> (Result, FetchPosition)

  /// Reads whole rows by their primary keys, in any order; those that are not there are left out.
  ///
  /// The call waits for the database.
  /// - Parameters:
  ///   - ids: The primary keys.
  ///   - plan: The list that they are in.
  ///   - make: What makes something of each row, which is valid within this call alone.
  /// - Returns: What was made, in any order.
  /// - Throws: The database's error.
  func rows<Made>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
  ) throws -> [Made]

  /// Like ``rows(_:of:_:)``, without keeping a thread waiting.
  func loadRows<Made: Sendable>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made]

  /// Reads whole rows that are in a run of the list, and hands over each with its primary key where the database has it.
  ///
  /// Rows beside the run may be handed over, too. The call waits for the database.
  /// A store need not implement this: by default it says that it cannot.
  /// - Parameters:
  ///   - range: The run.
  ///   - plan: The list.
  ///   - take: What takes a row, which is valid within this call alone, and says whether more are wanted.
  /// - Returns: Whether the store has an index for the run. If not, nothing was handed over.
  /// - Throws: The database's error.
  func rows(
    in range: FetchOrderRange, of plan: FetchPlan, _ take: (FetchRawValue, FetchRow) -> Bool
  ) throws -> Bool

  /// Like ``loadRows(_:of:_:)``, with the range of the list in which the rows stand.
  ///
  /// Neighbours are read faster as a range than by many keys, where the store has an index for it. Rows that are in the
  /// range and were not asked for are left out; rows that were asked for and are no longer in it are not.
  /// A store need not implement this: by default the rows are read by their keys.
  func loadRows<Made: Sendable>(
    _ ids: [FetchValue], in range: FetchOrderRange, of plan: FetchPlan,
    _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made]
}

extension FetchStore {
  /// Does nothing: each commit is reported by itself.
  public func waitUntilCurrent() async {}

  /// Returns false: a store need not be able to read ranges.
  public func rows(
    in range: FetchOrderRange, of plan: FetchPlan, _ take: (FetchRawValue, FetchRow) -> Bool
  ) throws -> Bool { false }

  /// Reads the rows by their keys.
  public func loadRows<Made: Sendable>(
    _ ids: [FetchValue], in range: FetchOrderRange, of plan: FetchPlan,
    _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] {
    try await loadRows(ids, of: plan, make)
  }
}

/// Ends an observation when it is cancelled or released.
public final class FetchObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Creates an observation.
  /// - Parameter end: What ends it. It may be called more than once.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the observation. Events that are under way may still arrive.
  public func cancel() { end() }

  deinit { end() }
}

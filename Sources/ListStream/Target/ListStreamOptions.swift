/// How a stream of a list behaves.
public struct ListStreamOptions: Sendable {
  /// The name of this life of the list. A new one for each target, unless numbers are continued on purpose.
  public var epoch: String
  /// The ids of the newest mutations of before this epoch, the oldest first. They come with the first snapshot, as readers may
  /// wait for them: their answers came when nobody followed the list, or from the process before. Read them before the list is,
  /// so that it has what they changed. Of more than ``ringCapacity`` the newest are named.
  public var recentMutationIDs: [String]
  /// How many changes are kept for readers that come back or are slow.
  public var ringCapacity: Int
  /// How many bytes of changes are kept at most. The last change is kept whatever its size.
  public var ringByteCapacity: Int
  /// The longest list that travels whole. Of a longer one, readers that ask for a window get that, and counts.
  public var maximumWholeList: Int
  /// The largest change of a longer list that travels as a change. Instead of a larger one readers get counts and
  /// windows anew, which are less to send.
  public var maximumChange: Int
  /// How many rows with their contents a reader gets at once.
  public var maximumRange: Int
  /// How many ids without contents a reader gets at once.
  public var maximumRangeOfIDs: Int
  /// The longest silence of a stream of events.
  public var heartbeat: Duration
  /// The message for readers when the list can't be shown. It is read by people who need not know the error.
  public var failureMessage: @Sendable (any Error) -> String

  /// Creates options.
  ///
  /// - Parameters:
  ///   - epoch: 1 to 64 letters, digits, `_` and `-`; anything else is replaced by a new epoch.
  ///   - recentMutationIDs: The newest mutations of before this epoch, which readers may wait for.
  ///   - ringCapacity: How many changes are kept.
  ///   - ringByteCapacity: How many bytes of changes are kept at most.
  ///   - maximumWholeList: The longest list that travels whole to readers that ask for windows.
  ///   - maximumChange: The largest change of a longer list that travels as a change.
  ///   - maximumRange: How many rows with their contents a reader gets at once.
  ///   - maximumRangeOfIDs: How many ids without contents a reader gets at once.
  ///   - heartbeat: The longest silence of a stream of events.
  ///   - failureMessage: The message that readers get for an error.
  public init(
    epoch: String = ListStreamVersion.makeEpoch(), recentMutationIDs: [String] = [], ringCapacity: Int = 512,
    ringByteCapacity: Int = 4 << 20, maximumWholeList: Int = 2000, maximumChange: Int = 4000,
    maximumRange: Int = 1000,
    maximumRangeOfIDs: Int = 50_000,
    heartbeat: Duration = .seconds(5),
    failureMessage: @escaping @Sendable (any Error) -> String = { _ in
      "The list can't be brought up to date at the moment."
    }
  ) {
    self.epoch = ListStreamVersion.isEpoch(epoch) ? epoch : ListStreamVersion.makeEpoch()
    self.recentMutationIDs = recentMutationIDs
    self.ringCapacity = ringCapacity
    self.ringByteCapacity = ringByteCapacity
    self.maximumWholeList = maximumWholeList
    self.maximumChange = max(1, maximumChange)
    self.maximumRange = max(1, maximumRange)
    self.maximumRangeOfIDs = max(1, maximumRangeOfIDs)
    self.heartbeat = heartbeat
    self.failureMessage = failureMessage
  }
}

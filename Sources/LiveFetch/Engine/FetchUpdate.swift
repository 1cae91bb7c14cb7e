import LiveStore
import Snapshots

/// A change of a list, or the list as it is, for the controllers that show it.
struct FetchUpdate<ID: FetchIdentifier>: Sendable {
  var snapshot: DiffableSnapshot<FetchSectionID, ID>
  var position: FetchPosition
  /// The rows that changed or left the list since the update before, whether or not it is known how. A row that left and
  /// came back may have changed meanwhile without a report.
  var touched: TouchedRows<ID>
  /// The rows of which only columns changed that the list does not show.
  var hidden = TouchedRows<ID>()
  /// The difference from the snapshot before to this one, where it is known.
  var step: SnapshotDifference<FetchSectionID, ID>?
  /// The positions of the touched rows that stayed, where they are known.
  var retained: [RetainedItem<ID>]?
  var isFetch = false
  /// Whether it is no change of the list: some of its rows could not be made into objects.
  var isOfObjects = false
  /// Whether the list is current again after its store was cut off: reported even where nothing has changed.
  var isResumption = false
  /// Whether it says that the store is cut off, and the list stays as it is.
  var isInterruption = false
  var origins: [String] = []
  var writers: FetchWriters = []
  var failures: [FetchError] = []
  /// Whether there is a key that may make the identifier of another row.
  var mayHaveTwins = false
  /// The reason why a list that has just been read cannot be what is meant.
  var refusal: FetchDescriptorError?
  var cost = FetchCost()
  var committed: ContinuousClock.Instant?
}

/// A notification of a list's subscribers. It is indirect, as an update is large and is handed on several times.
indirect enum ListEvent<ID: FetchIdentifier>: Sendable {
  /// The list as it is, for a subscriber that has just joined.
  case joined(FetchUpdate<ID>)
  case update(FetchUpdate<ID>)
  /// Rows of which only columns changed that the list does not show. There is nothing else to report.
  case hidden(TouchedRows<ID>)
  case closed
}

/// The counters of a list.
struct ListStatistics: Sendable {
  var reads = 0
  var commits = 0
  var deliveries = 0
  var failures = 0
  var statements = 0
  var rowsRead = 0
  var indexing = Duration.zero
}

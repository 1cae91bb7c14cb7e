/// Slows down whoever guesses passwords, and nobody else for long.
///
/// The first tries are free; then each failure doubles the wait, up to a minute. A try that comes too early is
/// refused unseen and does not lengthen the wait. Who has logged in before is counted by that browser and not by
/// its address: others' failures, even behind the same router, do not keep it out.
struct LoginThrottle: Sendable {
  /// Whose tries are counted together.
  enum Client: Hashable, Sendable {
    /// A browser that has logged in before.
    case device(String)
    /// All others of an address.
    case address(String)
  }

  private struct Record {
    var failures = 0
    var notBefore: Duration = .zero
    var last: Duration = .zero
  }

  /// Tries that cost no wait.
  static let freeTries = 5
  /// The longest wait.
  static let longestWait: Duration = .seconds(60)
  /// Failures are forgotten after this long without another.
  static let memory: Duration = .seconds(15 * 60)
  private static let mostRecords = 10_000

  private var records: [Client: Record] = [:]

  /// How many clients are remembered.
  var count: Int { records.count }

  /// Begins a try, which counts as a failure until `succeeded` says otherwise; so that many tries at the same
  /// time count as many.
  ///
  /// - Parameter now: The time since any fixed moment.
  /// - Returns: How long the client has to wait; `nil` where it may try.
  mutating func begin(_ client: Client, now: Duration) -> Duration? {
    var record = records[client] ?? Record()
    if now - record.last > Self.memory { record = Record() }
    if now < record.notBefore { return record.notBefore - now }
    record.failures += 1
    record.last = now
    record.notBefore = now + Self.wait(after: record.failures)
    if records[client] == nil, records.count >= Self.mostRecords { forget(now) }
    records[client] = record
    return nil
  }

  /// A try that was begun has failed: the wait is counted from when that was known.
  mutating func failed(_ client: Client, now: Duration) {
    guard let record = records[client] else { return }
    records[client]?.last = now
    records[client]?.notBefore = max(record.notBefore, now + Self.wait(after: record.failures))
  }

  private static func wait(after failures: Int) -> Duration {
    guard failures >= freeTries else { return .zero }
    return min(longestWait, .seconds(1 << min(failures - freeTries, 10)))
  }

  /// The password was right: the failures before it are forgotten.
  mutating func succeeded(_ client: Client) { records[client] = nil }

  /// Makes room: first of what has been forgotten anyway, then of what is oldest.
  private mutating func forget(_ now: Duration) {
    records = records.filter { now - $0.value.last <= Self.memory }
    guard records.count >= Self.mostRecords else { return }
    let ages = records.values.map(\.last).sorted()
    let middle = ages[ages.count / 2]
    records = records.filter { $0.value.last > middle }
  }
}

/// Slows down whoever guesses passwords, and nobody else for long.
///
/// The first tries are free; then each failure doubles the wait, up to a minute. A try that comes too early is
/// refused unseen and does not lengthen the wait. Who has logged in before is counted by that browser and not by
/// its address: others' failures, even behind the same router, do not keep it out.
///
/// Of IPv6 whoever has one network often has very many. So their tries are counted by the wider networks as well, of which
/// more are free; and how much has failed in the widest decides who waits longest where many come at once (`rank`).
package struct LoginThrottle: Sendable {
  /// Whose tries are counted together.
  enum Client: Hashable, Sendable {
    /// A browser that has logged in before.
    case device(String)
    /// All others of an address: of IPv6, of a network of 64 bits.
    case address(String)
    /// All of a network as large as a household or a small firm gets it: 56 bits of IPv6.
    case site(String)
    /// All of a network as large as a firm gets it: 48 bits of IPv6.
    case organization(String)
    /// All of a network as large as providers have it. It is only counted.
    case provider(String)

    /// Tries that cost no wait.
    fileprivate var freeTries: Int {
      switch self {
      case .device, .address: LoginThrottle.freeTries
      case .site: 16
      case .organization: 64
      case .provider: .max
      }
    }

    /// The longest wait: where many people may be behind a network it is short.
    fileprivate var maximumWait: Duration {
      if case .organization = self { .seconds(8) } else { LoginThrottle.maximumWait }
    }
  }

  /// Why a try has to wait.
  package struct Delay: Hashable, Sendable {
    package var wait: Duration
    /// Whether it is others' failures, in a wider network, that it has to wait for.
    package var isOfOthers = false
  }

  private struct Record {
    var failures = 0
    var notBefore: Duration = .zero
    var last: Duration = .zero
  }

  /// Tries that cost no wait.
  static let freeTries = 5
  /// The longest wait.
  static let maximumWait: Duration = .seconds(60)
  /// Failures are forgotten after this long without another.
  static let memory: Duration = .seconds(15 * 60)
  private static let recordCapacity = 10_000

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
    record.notBefore = now + Self.wait(after: record.failures, of: client)
    if records[client] == nil, records.count >= Self.recordCapacity { forget(now) }
    records[client] = record
    return nil
  }

  /// Returns the networks that an address belongs to, the narrowest first.
  ///
  /// - Parameter address: An address in the form that `WebContext` gives it.
  static func networks(of address: String) -> [Client] {
    if address.containsByte(of: ":") {
      let groups = address.parts(between: ":", maxSplits: 4).prefix(4).map { UInt16($0, radix: 16) ?? 0 }
      guard groups.count == 4 else { return [.address(address)] }
      let site = groups[..<3] + [groups[3] & 0xFF00]
      return [
        .address(address), .site(text(site)), .organization(text(groups[..<3])),
        .provider(text(groups[..<2])),
      ]
    }
    let numbers = address.parts(between: ".")
    guard numbers.count == 4 else { return [.address(address)] }
    return [.address(address), .provider(numbers[..<2].joined(separator: "."))]
  }

  private static func text(_ groups: some Sequence<UInt16>) -> String {
    groups.map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// Returns how much has failed in the networks of a try: 0 where nobody there has failed, and more the more did.
  func rank(_ clients: [Client], now: Duration) -> Int {
    clients.reduce(0) { sum, client in
      guard let record = records[client], now - record.last <= Self.memory else { return sum }
      return sum + Int.bitWidth - max(0, record.failures).leadingZeroBitCount
    }
  }

  /// Begins a try that is counted for several, as `begin` does for each. Where one has to wait nothing is counted.
  mutating func begin(_ clients: [Client], now: Duration) -> Delay? {
    var longest: Delay?
    for (index, client) in clients.enumerated() {
      guard let record = records[client], now - record.last <= Self.memory, now < record.notBefore else {
        continue
      }
      let wait = record.notBefore - now
      // Its own failures are the reason wherever they are one.
      longest = Delay(wait: max(wait, longest?.wait ?? wait), isOfOthers: longest?.isOfOthers ?? (index > 0))
    }
    if let longest { return longest }
    for client in clients { _ = begin(client, now: now) }
    return nil
  }

  /// A try that was begun was not looked at, and does not count.
  mutating func withdrawn(_ clients: [Client]) {
    for client in clients {
      guard var record = records[client] else { continue }
      record.failures -= 1
      record.notBefore = record.last + Self.wait(after: record.failures, of: client)
      records[client] = record.failures > 0 ? record : nil
    }
  }

  /// Of several: the password was right. Failures of others in the wider networks stay counted.
  mutating func succeeded(_ clients: [Client]) {
    guard let own = clients.first else { return }
    withdrawn(Array(clients.dropFirst()))
    succeeded(own)
  }

  /// Tries that were begun have failed, as `failed` says of each.
  mutating func failed(_ clients: [Client], now: Duration) {
    for client in clients { failed(client, now: now) }
  }

  /// A try that was begun has failed: the wait is counted from when that was known.
  mutating func failed(_ client: Client, now: Duration) {
    guard let record = records[client] else { return }
    records[client]?.last = now
    records[client]?.notBefore = max(record.notBefore, now + Self.wait(after: record.failures, of: client))
  }

  private static func wait(after failures: Int, of client: Client) -> Duration {
    guard failures >= client.freeTries else { return .zero }
    return min(client.maximumWait, .seconds(1 << min(failures - client.freeTries, 10)))
  }

  /// The password was right: the failures before it are forgotten.
  mutating func succeeded(_ client: Client) { records[client] = nil }

  /// Makes room: first of what has been forgotten anyway, then of what is oldest.
  private mutating func forget(_ now: Duration) {
    records = records.filter { now - $0.value.last <= Self.memory }
    guard records.count >= Self.recordCapacity else { return }
    let ages = records.values.map(\.last).sorted()
    let middle = ages[ages.count / 2]
    records = records.filter { $0.value.last > middle }
  }
}

import ContactSheetLibrary
import HummingbirdCore
import NIOCore
import Synchronization

/// The connections that are open: how many each address has, and which belong to people who have logged in.
///
/// Strangers can be many, and each costs a place. Where all are taken, a new connection gets that of the stranger who
/// has been there longest; who has logged in keeps theirs.
final class Connections: Sendable {
  fileprivate struct Entry {
    let channel: any Channel
    let address: String
    let number: Int
    var isKnown = false
    /// Whether the other side has said that nothing more comes from it.
    var isClosed = false
    /// The tasks that are cancelled then.
    var tasks: [Int: @Sendable () -> Void] = [:]

    /// Cancels its tasks. Cancelling runs code of theirs, so no lock is held meanwhile.
    func cancelTasks() { for cancel in tasks.values { cancel() } }
  }

  fileprivate struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var counts: [String: Int] = [:]
    var next = 0
    /// The most connections since memory was given back.
    var peak = 0
  }

  private let limits: WebLimits
  private let knowsPeople: @Sendable () -> Bool
  private let state = Mutex(State())

  /// Creates an empty register.
  ///
  /// - Parameters:
  ///   - limits: How many connections there may be, in all and for each address.
  ///   - knowsPeople: Whether people log in at the time. If not, no connection is closed in favour of another.
  init(_ limits: WebLimits, knowsPeople: @escaping @autoclosure @Sendable () -> Bool) {
    self.limits = limits
    self.knowsPeople = knowsPeople
  }

  /// The number of open connections.
  var count: Int { state.withLock { $0.entries.count } }

  /// Takes a connection in.
  ///
  /// - Parameter address: Where it comes from; `nil` is not counted: this machine, or a proxy that speaks for many.
  /// - Returns: Whether there is room; if not, the caller closes it.
  func admit(_ channel: any Channel, from address: String?) -> Bool {
    let knowsPeople = knowsPeople()
    let (isAdmitted, evicted) = state.withLock { (state) -> (Bool, Entry?) in
      if let address, state.counts[address, default: 0] >= limits.connectionsPerAddress {
        return (false, nil)
      }
      var evicted: Entry?
      // Without a login the server accepts no more connections than the limit, and the next one waits.
      if knowsPeople, state.entries.count >= limits.connections {
        guard
          let oldest = state.entries.values.filter({ !$0.isKnown }).min(by: { $0.number < $1.number })
        else { return (false, nil) }
        evicted = oldest
        _ = state.remove(ObjectIdentifier(oldest.channel))
      }
      let entry = Entry(channel: channel, address: address ?? "", number: state.next)
      state.next += 1
      state.entries[ObjectIdentifier(channel)] = entry
      state.counts[entry.address, default: 0] += 1
      state.peak = max(state.peak, state.entries.count)
      return (true, evicted)
    }
    evicted?.cancelTasks()
    evicted?.channel.close(promise: nil)
    return isAdmitted
  }

  /// Forgets a connection that has ended.
  func remove(_ channel: any Channel) {
    let (entry, isCrowdGone) = state.withLock { state in
      let entry = state.remove(ObjectIdentifier(channel))
      guard state.peak >= 64, state.entries.count <= state.peak / 4 else { return (entry, false) }
      state.peak = state.entries.count
      return (entry, true)
    }
    entry?.cancelTasks()
    if isCrowdGone { Heap.giveBack() }
  }

  /// Remembers that the other side of a connection has hung up.
  func close(_ channel: any Channel) {
    let entry = state.withLock { state in
      state.entries[ObjectIdentifier(channel)]?.isClosed = true
      return state.entries[ObjectIdentifier(channel)]
    }
    entry?.cancelTasks()
  }

  /// Runs what is of no use to anybody but the other side of a connection: its task is cancelled when that has hung up.
  ///
  /// - Throws: `CancellationError` in that case, or what `body` throws.
  func run<Result: Sendable>(
    for channel: any Channel, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let id = ObjectIdentifier(channel)
    let task = Task(operation: body)
    let (number, isClosed) = state.withLock { state in
      state.next += 1
      state.entries[id]?.tasks[state.next] = { task.cancel() }
      return (state.next, state.entries[id]?.isClosed == true)
    }
    defer { state.withLock { $0.entries[id]?.tasks[number] = nil } }
    if isClosed { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Remembers that a connection belongs to somebody who has logged in.
  func recognize(_ channel: any Channel) {
    state.withLock { $0.entries[ObjectIdentifier(channel)]?.isKnown = true }
  }

  /// Closes all that are left.
  func closeAll() {
    let channels = state.withLock { $0.entries.values.map(\.channel) }
    for channel in channels { channel.close(promise: nil) }
  }
}

extension Connections.State {
  fileprivate mutating func remove(_ id: ObjectIdentifier) -> Connections.Entry? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    let rest = counts[entry.address, default: 1] - 1
    counts[entry.address] = rest > 0 ? rest : nil
    return entry
  }
}

/// The limit of connections that are taken at the same time; others wait.
struct ConnectionLimit: AvailableConnectionsDelegate {
  let connections: Int
  /// Who may use the server.
  let access: Access?
  private var count = 0

  init(_ connections: Int, access: Access?) {
    self.connections = connections
    self.access = access
  }

  /// Connections beyond the limit that are taken where people log in, so that it can be decided who has to go.
  private static let spare = 16

  mutating func connectionOpened() { count += 1 }
  mutating func connectionClosed() { count -= 1 }

  func isAcceptingNewConnections() -> Bool {
    count < connections || (count < connections + Self.spare && access?.asksForPassword == true)
  }
}

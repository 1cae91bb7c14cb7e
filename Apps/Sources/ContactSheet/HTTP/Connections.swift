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
  }

  fileprivate struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var counts: [String: Int] = [:]
    var next = 0
  }

  private let limits: WebLimits
  private let knowsPeople: Bool
  private let state = Mutex(State())

  /// Creates an empty register.
  ///
  /// - Parameters:
  ///   - limits: How many connections there may be, in all and for each address.
  ///   - knowsPeople: Whether people log in. If not, no connection is closed in favour of another.
  init(_ limits: WebLimits, knowsPeople: Bool) {
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
    let (isAdmitted, evicted) = state.withLock { (state) -> (Bool, (any Channel)?) in
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
        state.remove(ObjectIdentifier(oldest.channel))
      }
      let entry = Entry(channel: channel, address: address ?? "", number: state.next)
      state.next += 1
      state.entries[ObjectIdentifier(channel)] = entry
      state.counts[entry.address, default: 0] += 1
      return (true, evicted?.channel)
    }
    evicted?.close(promise: nil)
    return isAdmitted
  }

  /// Forgets a connection that has ended.
  func remove(_ channel: any Channel) { state.withLock { $0.remove(ObjectIdentifier(channel)) } }

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
  fileprivate mutating func remove(_ id: ObjectIdentifier) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    let rest = counts[entry.address, default: 1] - 1
    counts[entry.address] = rest > 0 ? rest : nil
  }
}

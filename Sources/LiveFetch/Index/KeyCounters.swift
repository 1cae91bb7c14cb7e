#if DEBUG
  import Synchronization

  /// Counts the comparisons of keys in ordered indexes, so that tests can hold them to their promises. Debug builds only.
  package final class KeyCounters: Sendable {
    @TaskLocal static var current: KeyCounters?

    private let count = Atomic<Int>(0)

    static func compare() { current?.count.wrappingAdd(1, ordering: .relaxed) }

    /// Runs an operation and returns how many keys it compared.
    package static func comparisons(in body: () throws -> Void) rethrows -> Int {
      let counters = KeyCounters()
      try $current.withValue(counters) { try body() }
      return counters.count.load(ordering: .relaxed)
    }
  }
#else
  enum KeyCounters {
    @inline(__always) static func compare() {}
  }
#endif

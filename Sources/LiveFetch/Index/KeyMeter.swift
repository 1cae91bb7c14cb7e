#if DEBUG
  import Synchronization

  /// Counts the comparisons of keys in ordered indexes, so that tests can hold them to their promises. Debug builds only.
  package final class KeyMeter: Sendable {
    @TaskLocal static var current: KeyMeter?

    private let count = Atomic<Int>(0)

    static func compare() { current?.count.wrappingAdd(1, ordering: .relaxed) }

    /// Runs an operation and returns how many keys it compared.
    package static func comparisons(in body: () throws -> Void) rethrows -> Int {
      let meter = KeyMeter()
      try $current.withValue(meter) { try body() }
      return meter.count.load(ordering: .relaxed)
    }
  }
#else
  enum KeyMeter {
    @inline(__always) static func compare() {}
  }
#endif

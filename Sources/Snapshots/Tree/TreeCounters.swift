#if DEBUG
  import Synchronization

  /// Counters of the nodes that operations touch, by which tests hold them to their promises. Debug builds only.
  @usableFromInline
  package final class TreeCounters: Sendable {
    @TaskLocal package static var current: TreeCounters?

    private let count = Atomic<Int>(0)

    /// Creates counters that stand at zero.
    package init() {}

    /// The number of nodes touched while these were the current counters.
    package var visits: Int { count.load(ordering: .relaxed) }

    @usableFromInline
    static func visit() { current?.count.wrappingAdd(1, ordering: .relaxed) }

    /// Runs an operation and returns the number of nodes that it touched.
    package static func visits<Result>(of body: () throws -> Result) rethrows -> Int {
      let counters = TreeCounters()
      _ = try $current.withValue(counters) { try body() }
      return counters.visits
    }
  }
#else
  @usableFromInline
  enum TreeCounters {
    @inlinable static func visit() {}
  }
#endif

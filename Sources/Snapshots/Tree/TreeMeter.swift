#if DEBUG
  import Synchronization

  /// Counts the nodes that operations touch, so that tests can hold them to their promises. Debug builds only.
  @usableFromInline
  package final class TreeMeter: Sendable {
    @TaskLocal package static var current: TreeMeter?

    private let count = Atomic<Int>(0)

    /// Creates a meter that stands at zero.
    package init() {}

    /// The number of nodes touched while this was the current meter.
    package var visits: Int { count.load(ordering: .relaxed) }

    @usableFromInline
    static func visit() { current?.count.wrappingAdd(1, ordering: .relaxed) }

    /// Runs an operation and says how many nodes it touched.
    package static func visits<Result>(of body: () throws -> Result) rethrows -> Int {
      let meter = TreeMeter()
      _ = try $current.withValue(meter) { try body() }
      return meter.visits
    }
  }
#else
  @usableFromInline
  enum TreeMeter {
    @inlinable static func visit() {}
  }
#endif

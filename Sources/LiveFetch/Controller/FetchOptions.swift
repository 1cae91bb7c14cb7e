/// How a controller goes about its work.
public struct FetchOptions: Sendable, Hashable {
  /// How many rows around an asked one are read with it; where a list is traversed row by row, up to eight times as many.
  public var nearbyItemsSize = 40
  /// The most objects that are kept.
  public var cacheSize = 2_000
  /// Whether changed rows are marked as reloaded rather than as reconfigured.
  public var marksReloaded = false
  /// A name for the controller, with which its metrics are exported; nil exports none.
  public var metricsLabel: String?

  /// The usual way.
  public init() {}
}

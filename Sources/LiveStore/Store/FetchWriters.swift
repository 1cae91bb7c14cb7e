/// The writers of one or several commits, as a store distinguishes them.
public struct FetchWriters: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// This store: its own writes, and others through its writing connection.
  public static var thisStore: Self { Self(rawValue: 1) }
  /// Other connections and processes.
  public static var others: Self { Self(rawValue: 2) }
  /// This store and others: it is not known which of them.
  public static var all: Self { [.thisStore, .others] }
}

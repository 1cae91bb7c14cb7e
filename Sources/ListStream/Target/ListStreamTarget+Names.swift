public import Foundation

extension ListStreamTarget
where SectionID: LosslessStringConvertible, ItemID == UUID, Content: Encodable & Sendable {
  /// Creates a stream of a list whose items are named by UUIDs, in lower case, and whose sections by their descriptions.
  ///
  /// - Parameters:
  ///   - options: How it behaves.
  ///   - clock: What heartbeats are counted by.
  ///   - loading: Loads the contents of the rows that travel, if they are not to be kept.
  public convenience init(
    options: ListStreamOptions = ListStreamOptions(), clock: any Clock<Duration> = ContinuousClock(),
    loading: Loader? = nil
  ) {
    self.init(
      options: options, clock: clock, loading: loading, sectionName: { $0.description },
      itemName: { $0.uuidString.lowercased() })
  }
}

extension ListStreamTarget
where SectionID: LosslessStringConvertible, ItemID: LosslessStringConvertible, Content: Encodable & Sendable {
  /// Creates a stream of a list whose items and sections are named by their descriptions, such as numbers.
  ///
  /// - Parameters:
  ///   - options: How it behaves.
  ///   - clock: What heartbeats are counted by.
  ///   - loading: Loads the contents of the rows that travel, if they are not to be kept.
  public convenience init(
    options: ListStreamOptions = ListStreamOptions(), clock: any Clock<Duration> = ContinuousClock(),
    loading: Loader? = nil
  ) {
    self.init(
      options: options, clock: clock, loading: loading, sectionName: { $0.description },
      itemName: { $0.description })
  }
}

public import LiveStore

/// The table and primary key of a row.
public struct DraftKey: Sendable, Hashable {
  /// The table's name, as the draft has it.
  public let table: String
  /// The row's primary key, in the one form that all equal numbers share.
  public let id: FetchValue

  /// Names a row.
  /// - Parameters:
  ///   - table: The table's name, as the draft has it.
  ///   - id: The row's primary key, in any form.
  public init(_ table: String, _ id: FetchValue) {
    self.table = table
    self.id = id.normalized
  }
}

public import LiveStore

/// A change of a row that a save was not told to make: a foreign key has deleted the row, or set columns of it, as another row was deleted.
public struct DraftEffect: Sendable, Hashable {
  /// The row.
  public var key: DraftKey
  /// The row whose deletion led to it, among those that were to be saved.
  public var cause: DraftKey
  /// The rows by which it did: those that the row referred to, and that were deleted, or went along with the deletion.
  public var parents: [DraftKey]
  /// The whole row as it was right before, by column name.
  public var before: [String: FetchValue]
  /// The same with the columns that the foreign key has set; nil where the row was deleted.
  public var after: [String: FetchValue]?

  /// Describes an effect.
  /// - Parameters:
  ///   - key: The row.
  ///   - cause: The row whose deletion led to it.
  ///   - parents: The rows by which it did; where none is named, the deleted row itself.
  ///   - before: The whole row as it was right before.
  ///   - after: The same with the columns that the foreign key has set; nil where the row was deleted.
  public init(
    _ key: DraftKey, cause: DraftKey, parents: [DraftKey] = [], before: [String: FetchValue],
    after: [String: FetchValue]?
  ) {
    self.key = key
    self.cause = cause
    self.parents = parents.isEmpty ? [cause] : parents
    self.before = before
    self.after = after
  }
}

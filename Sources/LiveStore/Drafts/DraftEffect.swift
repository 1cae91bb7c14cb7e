/// A change of a row that a save was not told to make: a foreign key has deleted the row, or set columns of it, as another row was deleted.
public struct DraftEffect: Sendable, Hashable {
  /// The table's name, as the draft has it.
  public var table: String
  /// The row's primary key.
  public var id: FetchValue
  /// The position of the deletion that led to it, among the changes that were to be saved.
  public var cause: Int
  /// The whole row as it was right before, by column name.
  public var before: [String: FetchValue]
  /// The whole row right after; nil where it was deleted.
  public var after: [String: FetchValue]?

  /// Describes an effect.
  public init(
    table: String, id: FetchValue, cause: Int, before: [String: FetchValue], after: [String: FetchValue]?
  ) {
    self.table = table
    self.id = id
    self.cause = cause
    self.before = before
    self.after = after
  }
}

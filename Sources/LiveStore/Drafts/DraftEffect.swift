/// A change of a row that a save was not told to make: a foreign key has deleted the row, or set columns of it, as another row was deleted.
public struct DraftEffect: Sendable, Hashable {
  /// The table's name, as the draft has it.
  public var table: String
  /// The row's primary key.
  public var id: FetchValue
  /// The deletion that led to it, among the changes that were to be saved.
  public var cause: DraftChange
  /// The rows by which it did: those that the row referred to, and that were deleted, or went along with the deletion. Where none is named it
  /// counts as the deleted row itself.
  public var parents: [Row]
  /// The whole row as it was right before, by column name.
  public var before: [String: FetchValue]
  /// The same with the columns that the foreign key has set; nil where the row was deleted.
  public var after: [String: FetchValue]?

  /// A row of a table.
  public struct Row: Sendable, Hashable {
    /// The table's name, as the draft has it.
    public var table: String
    /// The row's primary key.
    public var id: FetchValue

    /// Names a row.
    public init(table: String, id: FetchValue) {
      self.table = table
      self.id = id
    }
  }

  /// Describes an effect.
  public init(
    table: String, id: FetchValue, cause: DraftChange, parents: [Row] = [], before: [String: FetchValue],
    after: [String: FetchValue]?
  ) {
    self.table = table
    self.id = id
    self.cause = cause
    self.parents = parents
    self.before = before
    self.after = after
  }
}

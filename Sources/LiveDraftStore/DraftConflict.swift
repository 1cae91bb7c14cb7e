public import Foundation
public import LiveStore

/// Somebody else has changed rows that a draft was to save. Nothing was written.
public struct DraftConflict: Error, Sendable, Hashable, CustomStringConvertible {
  /// A row that both have changed.
  public struct Row: Sendable, Hashable {
    /// The table's name.
    public var table: String
    /// The primary key.
    public var id: FetchValue
    /// The row that was edited, by column name; nil for one that was inserted.
    public var base: [String: FetchValue]?
    /// The row as the draft has it; nil when the draft deletes it.
    public var mine: [String: FetchValue]?
    /// The row as it is in the store; nil when it is gone.
    public var theirs: [String: FetchValue]?

    /// Describes a conflict.
    public init(
      table: String, id: FetchValue, base: [String: FetchValue]?, mine: [String: FetchValue]?,
      theirs: [String: FetchValue]?
    ) {
      self.table = table
      self.id = id
      self.base = base
      self.mine = mine
      self.theirs = theirs
    }

    /// Returns the row that was edited, as a value.
    /// - Parameter type: The model.
    /// - Returns: nil for a row that was inserted, and for a row of another model's table.
    /// - Throws: The model's error.
    public func base<Model: FetchModel>(as type: Model.Type) throws -> Model? { try model(type, of: base) }

    /// Returns the row as the draft has it, as a value.
    /// - Parameter type: The model.
    /// - Returns: nil when the draft deletes it, and for a row of another model's table.
    /// - Throws: The model's error.
    public func mine<Model: FetchModel>(as type: Model.Type) throws -> Model? { try model(type, of: mine) }

    /// Returns the row as it is in the store, as a value.
    /// - Parameter type: The model.
    /// - Returns: nil when it is gone, and for a row of another model's table.
    /// - Throws: The model's error.
    public func theirs<Model: FetchModel>(as type: Model.Type) throws -> Model? {
      try model(type, of: theirs)
    }

    private func model<Model: FetchModel>(
      _ type: Model.Type, of row: [String: FetchValue]?
    ) throws -> Model? {
      guard let row, type.fetchTable.name == table else { return nil }
      return try Model(fetchRow: FetchRow(DictionaryRow(row)))
    }

    /// The columns that both have set, to different values. Where the row is gone on one side, all that the other has changed. Where there
    /// are none, those that somebody else has changed: with ``DraftPolicy/fail``, or if you have set a column back.
    public var columns: Set<String> {
      let theirs = changed(theirs)
      let both = changed(mine).intersection(theirs).filter { mine?[$0] != self.theirs?[$0] }
      return both.isEmpty ? theirs : both
    }

    /// The columns in which a row differs from the base.
    private func changed(_ row: [String: FetchValue]?) -> Set<String> {
      let base = base ?? [:]
      guard let row else { return Set(base.keys) }
      return Set(row.keys.filter { !(base[$0]?.isStored(like: row[$0] ?? .null) ?? false) })
    }

    /// The columns that the conflict is about, in words.
    fileprivate var namedColumns: String { columns.sorted().joined(separator: ", ") }
  }

  /// The rows, in the order in which they were to be saved.
  public let rows: [Row]

  /// Creates a conflict.
  public init(rows: [Row]) { self.rows = rows }

  /// Returns the primary keys of the rows of a model, to save or discard these by themselves.
  /// - Parameter type: The model.
  public func ids<Model: FetchModel>(of type: Model.Type) -> [Model.ID] {
    let table = type.fetchTable
    return rows.filter { $0.table == table.name }
      .compactMap { Model.ID(fetchValue: $0.id, as: table.id.type) }
  }

  /// The first rows, in words.
  public var description: String {
    let named = rows.prefix(5).map { row -> String in
      let what =
        switch (row.mine, row.theirs) {
        case (nil, _): "was changed, and is to be deleted"
        case (_, nil): "was deleted, and is to be changed"
        default:
          row.base == nil
            ? "was inserted by somebody else"
            : "was changed in \(row.namedColumns)"
        }
      return "the row \(row.id.keyDescription) of “\(row.table)” \(what)"
    }
    let more = rows.count > named.count ? ", and \(rows.count - named.count) more" : ""
    return "Nothing was saved, as somebody else was there first: \(named.joined(separator: "; "))\(more). "
      + "Save with the policy `.mine` or `.theirs`, or discard these rows."
  }
}

extension DraftConflict: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

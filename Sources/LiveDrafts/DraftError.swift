public import Foundation
import LiveDraftStore
import LiveStore

/// An edit that cannot be made. The draft is as it was before.
public struct DraftError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of mistake.
  public enum Kind: Sendable, Hashable {
    /// There is no row with the primary key.
    case rowMissing
    /// There is a row with the primary key already.
    case rowExists
    /// An edit changed a row's primary key, or a new row has none.
    case identifier
    /// Columns that the store cannot name: of a raw SQL request, or of a store that does not name a row's columns.
    case unknownColumns
    /// A column that the table writes in other letters, as `albumid` for `albumID`.
    case columnName
    /// A row that a model knows by another column than the rest of the draft does.
    case keyColumn
    /// A ``DraftEdit`` was used after its call had ended.
    case editEnded
  }

  /// The kind of mistake.
  public let kind: Kind
  /// The table's name.
  public let table: String
  /// The row's primary key: a UUID as such, any other as SQL would write it.
  public let id: String
  /// The column's name in the model, and the one that it is to have.
  private var names: [String] = []

  init(_ kind: Kind, _ key: DraftKey, _ names: String...) {
    self.kind = kind
    self.names = names
    table = key.table
    id = key.id.keyDescription
  }

  /// The mistake, in words.
  public var description: String {
    switch kind {
    case .rowMissing:
      "There is no row \(id) in “\(table)” to be edited: somebody may have deleted it. Insert it again, or give the edit up."
    case .rowExists:
      "There is a row \(id) in “\(table)” already: update it, or give the new one a key of its own."
    case .identifier:
      "A row of “\(table)” keeps its primary key in a draft, and a new row has one before it is saved; found \(id). Give new rows a "
        + "key, such as a UUID. To change one, delete the row and insert it under the new key."
    case .unknownColumns:
      "The store does not name the columns of the row \(id) of “\(table)”, so it cannot be edited. Edit it through a list of the table itself."
    case .columnName:
      "The row \(id) of “\(table)” cannot be edited: its model calls the column “\(names[1])” “\(names[0])”. Write the name in the model as "
        + "the table does."
    case .keyColumn:
      "The row \(id) of “\(table)” cannot be edited: its model knows rows by the column “\(names[0])”, and this draft by “\(names[1])”. Use "
        + "one of them, or another draft for the other."
    case .editEnded:
      "The edit had ended when it was asked for the row \(id) of “\(table)”: it is valid within the closure that it is given to. Make all "
        + "changes there, or begin another edit."
    }
  }
}

extension DraftError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

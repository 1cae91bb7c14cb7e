public import LiveDraftStore
import LiveStore
import Synchronization

/// The edits that ``FetchDraft/edit(_:origin:_:)`` makes together.
///
/// Each edit sees those before it; lists see none of them until the call has ended. Used after it, each method throws
/// ``DraftError`` of the kind ``DraftError/Kind/editEnded``.
public final class DraftEdit {
  private let draft: FetchDraft
  private let session: FetchDraft.Session
  private(set) var edits: [(key: DraftKey, edit: RowEdit)] = []
  /// The rows as this group of edits has left them.
  private var shown: [DraftKey: RowInGroup] = [:]
  /// The rows that this group has deleted, so that it has taken an insertion back, where one was pending.
  private var withdrawn: Set<DraftKey> = []
  private(set) var keyColumns: [String: FetchPlan.Column] = [:]
  private var hasEnded = false

  init(_ draft: FetchDraft, _ session: FetchDraft.Session) {
    self.draft = draft
    self.session = session
  }

  /// Ends the group: what is called from now on is refused.
  func end() { hasEnded = true }

  /// Changes a row.
  ///
  /// The closure is given the row as the draft shows it now; the columns that it changes are set.
  /// - Parameters:
  ///   - type: The row's model.
  ///   - id: The primary key.
  ///   - change: Changes the value. Its primary key stays.
  /// - Throws: ``DraftError``, the model's or the store's error, or what `change` throws.
  /// - Complexity: One row read from the store, where it is not pending yet.
  public func update<Model: DraftModel>(
    _ type: Model.Type, id: Model.ID, _ change: (inout Model) throws -> Void
  ) throws {
    let key = try key(id, of: type)
    guard let row = try row(key) else { throw DraftError(.rowMissing, key) }
    var model = try Model(fetchRow: FetchRow(DictionaryRow(row)))
    let before = try model.fetchValues()
    try change(&model)
    guard model.id == id else { throw DraftError(.identifier, key) }
    // Values are compared as the model writes them, so that what it does not keep exactly is no change.
    let set = try model.fetchValues().filter { before[$0.key] != $0.value }
    if set.isEmpty { return }
    try checkNames(set, key, among: row.keys)
    shown[key] = RowInGroup(before: row, changes: set)
    edits.append((key, .set(set)))
  }

  /// Changes the row of a value, which may be older than the row.
  /// - Parameters:
  ///   - model: The value, of which the primary key counts.
  ///   - change: Changes the row as the draft shows it now.
  /// - Throws: As ``update(_:id:_:)``.
  public func update<Model: DraftModel>(_ model: Model, _ change: (inout Model) throws -> Void) throws {
    try update(Model.self, id: model.id, change)
  }

  /// Inserts a row.
  /// - Parameter model: The row, with a primary key that no row has.
  /// - Throws: ``DraftError``, the model's or the store's error.
  public func insert<Model: DraftModel>(_ model: Model) throws {
    let key = try key(model.id, of: Model.self)
    let values = try model.fetchValues()
    guard let id = values[Model.fetchTable.id.name], !id.isNull, DraftKey(key.table, id) == key else {
      throw DraftError(.identifier, key)
    }
    guard try row(key) == nil else { throw DraftError(.rowExists, key) }
    let columns = draft.core.withLock { $0.channels[key.table]?.rowColumns } ?? []
    try checkNames(values, key, among: columns)
    shown[key] = RowInGroup(before: values)
    edits.append((key, .insert(values)))
  }

  /// Deletes a row. One that is not there is none. Of a row that the draft has inserted nothing is left, also where others have inserted
  /// one with its key since: theirs then shows.
  /// - Parameters:
  ///   - type: The row's model.
  ///   - id: The primary key.
  /// - Throws: ``DraftError`` or the store's error.
  public func delete<Model: DraftModel>(_ type: Model.Type, id: Model.ID) throws {
    let key = try key(id, of: type)
    guard try row(key) != nil else { return }
    // Others may have inserted a row with the same key meanwhile: theirs shows once ours is withdrawn.
    let isFirst = withdrawn.insert(key).inserted
    shown[key] = RowInGroup(
      before: try isFirst ? keyColumns[key.table].flatMap { try draft.rowBeneathInsertion(key, $0) } : nil)
    edits.append((key, .delete))
  }

  /// Returns a row as the draft shows it, with the edits of this group.
  /// - Returns: nil when there is no such row.
  /// - Throws: ``DraftError``, the model's or the store's error.
  public func find<Model: DraftModel>(_ type: Model.Type, id: Model.ID) throws -> Model? {
    try row(key(id, of: type)).map { try Model(fetchRow: FetchRow(DictionaryRow($0))) }
  }

  private func key<Model: DraftModel>(_ id: Model.ID, of type: Model.Type) throws -> DraftKey {
    let column = type.fetchTable.id
    let key = DraftKey(type.fetchTable.name, id.fetchValue(as: column.type) ?? .null)
    if hasEnded { throw DraftError(.editEnded, key) }
    if key.id.isNull { throw DraftError(.identifier, key) }
    if keyColumns[key.table] == nil {
      keyColumns[key.table] = FetchPlan.Column(name: column.name, type: column.type)
    }
    if let known = draft.otherKey(of: key.table, than: column.name)
      ?? keyColumns[key.table]?.name.other(than: column.name)
    {
      throw DraftError(.keyColumn, key, column.name, known)
    }
    return key
  }

  /// Sees to it that columns have the names that the table has: those that differ in case only would be others to the draft.
  private func checkNames(
    _ values: StoredRow, _ key: DraftKey, among columns: some Collection<String>
  ) throws {
    for name in values.keys where !columns.contains(name) {
      if let found = columns.first(where: { $0.lowercased() == name.lowercased() }) {
        throw DraftError(.columnName, key, name, found)
      }
    }
  }

  private func row(_ key: DraftKey) throws -> StoredRow? {
    if let known = shown[key] { return known.row }
    guard let column = keyColumns[key.table] else { return nil }
    return try draft.shownRow(key, column, session)
  }
}

/// A row as a group of edits has left it. It is made when the group asks for it again, which is seldom.
private struct RowInGroup {
  /// The row without the last edit that has set columns.
  var before: StoredRow?
  /// The columns that that edit has set, with their values.
  var changes: StoredRow = [:]

  var row: StoredRow? { changes.isEmpty ? before : before?.merging(changes) { $1 } }
}

extension String {
  /// The name of a column, where it is not the same as another one; SQL takes no account of case.
  fileprivate func other(than name: String) -> String? {
    self == name || lowercased() == name.lowercased() ? nil : self
  }
}

extension FetchDraft {
  /// The column by which the draft knows the rows of a table; nil where it is the one that is given, or there is none yet.
  func otherKey(of table: String, than name: String) -> String? {
    core.withLock { $0.channels[table]?.key.name }?.other(than: name)
  }
}

@available(*, unavailable)
extension DraftEdit: Sendable {}

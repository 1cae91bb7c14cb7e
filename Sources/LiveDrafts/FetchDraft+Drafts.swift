import Foundation
public import LiveDraftStore
import LiveStore
import Synchronization

// A draft over a draft: saving the upper one is an edit of the lower one.
extension FetchDraft: DraftSaving {
  /// Returns the names of a table's columns, as the store has them or, where it cannot say, as the draft has found them in rows.
  public func columnNames(of table: String) throws -> [String]? {
    try base.columnNames(of: table)
      ?? core.withLock { $0.channels[table]?.rowColumns.map(Array.init) }
  }

  /// Takes what a draft over this one saves, as one edit, which can be undone and is saved with all else.
  /// - Parameters:
  ///   - changes: The changes, of each row one.
  ///   - policy: The rule for rows that this draft, or its store, has changed meanwhile.
  ///   - origins: Identifiers that travel with the change to every listener.
  /// - Throws: ``DraftConflict``, ``DraftError``, or the store's error; nothing was then changed.
  public func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
    try take(changes, policy, origins)
  }

  private func take(_ changes: [DraftChange], _ policy: DraftPolicy, _ origins: [String]) throws {
    editing.lock()
    defer { editing.unlock() }
    let session = beginSession()
    defer { endSession(session) }
    let columns = Dictionary(changes.map { ($0.table, $0.key) }) { first, _ in first }
    let keys = Set(changes.map { DraftKey($0.table, $0.id) })
    let conflict = try install(keys, columns, session) {
      core, bases throws(DraftError) -> (DraftConflict?, [DraftNotice]) in
      var edits: [(key: DraftKey, edit: RowEdit)] = []
      var conflicts: [DraftConflict.Row] = []
      for change in changes {
        let key = DraftKey(change.table, change.id)
        let row = core.layer[key].map(\.shown) ?? bases[key]
        let values = change.values ?? [:]
        switch change.decision(for: row.map { FetchRow(DictionaryRow($0)) }, policy: policy) {
        case .insert: edits.append((key, .insert(values)))
        case .update(let set): edits.append((key, .set(values.filter { set.contains($0.key) })))
        case .delete: edits.append((key, .delete))
        case .nothing: break
        case .conflict: conflicts.append(change.conflict(with: row))
        }
      }
      if !conflicts.isEmpty { return (DraftConflict(rows: conflicts), []) }
      let effects = try core.apply(edits, named: "", bases: bases)
      return (nil, core.notices(of: effects, origins: origins))
    }
    if let conflict { throw conflict }
  }
}

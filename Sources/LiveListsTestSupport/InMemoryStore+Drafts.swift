public import LiveDraftStore
import LiveStore

extension InMemoryStore: DraftSaving {
  /// Returns the names of the values that a table's rows have; nil while there is no row.
  public func columnNames(of table: String) -> [String]? {
    anyRow(of: table).map { Array($0.keys) }
  }

  /// Saves what a draft has changed, all or nothing.
  /// - Throws: `DraftConflict`, or `FetchError.closed`.
  public func save(_ changes: [DraftChange], policy: DraftPolicy, origins: [String]) async throws {
    try checkOpen()
    try write(origins: origins) { transaction throws(DraftConflict) in
      var decisions: [DraftDecision] = []
      var conflicts: [DraftConflict.Row] = []
      for change in changes {
        let row = transaction.rows(of: change.table)[change.id]
        let decision = change.decision(for: row.map { FetchRow(DictionaryRow($0)) }, policy: policy)
        if decision == .conflict { conflicts.append(change.conflict(with: row)) }
        decisions.append(decision)
      }
      if !conflicts.isEmpty { throw DraftConflict(rows: conflicts) }
      for (change, decision) in zip(changes, decisions) {
        let values = change.values ?? [:]
        switch decision {
        case .insert: transaction.put(values, in: change.table)
        case .update(let columns):
          let row = transaction.rows(of: change.table)[change.id] ?? [:]
          transaction.put(row.merging(values.filter { columns.contains($0.key) }) { $1 }, in: change.table)
        case .delete: transaction.remove(change.id, from: change.table)
        case .nothing, .conflict: break
        }
      }
    }
  }
}

extension ConformanceItem: DraftModel {}
extension ConformanceSample: DraftModel {}

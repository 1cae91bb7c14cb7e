/// The rows that foreign keys delete or change as a save deletes others.
///
/// A store has them read right before each deletion, by the foreign keys, and once more right after it: a database's notifications do not
/// tell what a foreign key has done from what a trigger has, and what a trigger does another trigger mostly takes back when the deletion is undone.
package struct ForeignKeyEffects {
  /// A foreign key that does something to its rows as a row is deleted that they refer to.
  package struct Reference: Sendable {
    package var table: String
    /// The columns that are set; nil where the row is deleted.
    package var columns: Set<String>?
    /// The table that is referred to.
    package var parent: String
    /// The columns that refer, and those that they refer to.
    package var pairs: [(child: String, parent: String)]

    package init(
      table: String, columns: Set<String>?, parent: String, pairs: [(child: String, parent: String)]
    ) {
      (self.table, self.columns, self.parent, self.pairs) = (table, columns, parent, pairs)
    }

    /// Whether a row refers to another one, as far as equal values tell: databases may take others for equal.
    fileprivate func refers(_ child: [String: FetchValue], to parent: [String: FetchValue]) -> Bool {
      pairs.allSatisfy { pair in
        guard let own = child[pair.child], let other = parent[pair.parent] else { return false }
        return own.normalized == other.normalized
      }
    }
  }

  /// Whole rows with their primary keys.
  package typealias Rows = [(id: FetchValue, row: [String: FetchValue])]

  /// A row that refers to one that is to be deleted.
  package struct Referring {
    fileprivate var key: DraftKey
    fileprivate var row: [String: FetchValue]
    /// The columns that are set; nil where the row is deleted.
    fileprivate var columns: Set<String>?
    /// The rows that it refers to and that are deleted.
    fileprivate var parents: Set<DraftKey> = []
    /// The number by which each deleted row follows those that it refers to.
    fileprivate var order = 0
    fileprivate var visits = 0
    /// The row as one of which columns are set, where it is not deleted after all: what is set first may be what the other key refers by.
    fileprivate var spared: [Referring] = []
  }

  /// The most effects that are reported. A draft's history has no more rows.
  package static let limit = 20_000

  private let references: [String: [(index: Int, reference: Reference)]]
  private let readReferring: (_ reference: Int, _ ids: [FetchValue]) throws -> Rows
  private let readRows: (_ table: String, _ ids: [FetchValue]) throws -> Rows
  private var effects: [DraftEffect] = []
  private var isTooMany = false

  /// The effects so far; none where they are too many.
  package var found: [DraftEffect] { isTooMany ? [] : effects }

  /// - Parameters:
  ///   - references: The foreign keys. Their tables have the names that the changes have.
  ///   - readReferring: Reads the rows that refer to some rows, by the position of the foreign key. No more than ``limit`` and one are needed.
  ///   - readRows: Reads rows by their primary keys.
  package init(
    _ references: [Reference],
    readReferring: @escaping (_ reference: Int, _ ids: [FetchValue]) throws -> Rows,
    readRows: @escaping (_ table: String, _ ids: [FetchValue]) throws -> Rows
  ) {
    self.references = Dictionary(
      grouping: references.enumerated().map { (index: $0, reference: $1) }, by: \.reference.parent)
    (self.readReferring, self.readRows) = (readReferring, readRows)
  }

  /// Reads the rows that refer to one that is to be deleted, and to those that go with it, each after all that it refers to.
  package mutating func rows(referringTo change: DraftChange) throws -> [Referring] {
    let first = DraftKey(change.table, change.id)
    var deleted: [DraftKey: Referring] = [:]
    var changed: [DraftKey: Referring] = [:]
    var order = 0
    var waiting = [(table: change.table, ids: [change.id])]
    var next = 0
    while next < waiting.count, !isTooMany {
      let (table, ids) = waiting[next]
      next += 1
      for (index, reference) in references[table] ?? [] {
        var children: [FetchValue] = []
        for (id, row) in try readReferring(index, ids) {
          let key = DraftKey(reference.table, id)
          if key == first { continue }
          order += 1
          let parents = parents(of: row, by: reference, among: ids, deleted)
          if let columns = reference.columns {
            changed[key, default: Referring(key: key, row: row, columns: [], order: order)].columns?
              .formUnion(columns)
            changed[key]?.parents.formUnion(parents)
          } else if deleted[key].map({ $0.visits < references.count }) ?? true {
            // What was found before follows this parent, too. References that go round in a ring would do so for ever.
            deleted[key, default: Referring(key: key, row: row)].order = order
            deleted[key]?.visits += 1
            deleted[key]?.parents.formUnion(parents)
            children.append(id)
          }
        }
        if !children.isEmpty { waiting.append((reference.table, children)) }
        isTooMany = isTooMany || effects.count + deleted.count + changed.count > Self.limit
      }
    }
    for (key, row) in changed where deleted[key] != nil { deleted[key]?.spared = [row] }
    let others = changed.values.filter { deleted[$0.key] == nil }
    return deleted.values.sorted { $0.order < $1.order } + others.sorted { $0.order < $1.order }
  }

  /// Returns the rows that a row refers to, of some that are deleted: all of these where values do not tell.
  private func parents(
    of row: [String: FetchValue], by reference: Reference, among ids: [FetchValue],
    _ deleted: [DraftKey: Referring]
  ) -> [DraftKey] {
    let all = ids.map { DraftKey(reference.parent, $0) }
    if all.count == 1 { return all }
    let found = all.filter { key in deleted[key].map { reference.refers(row, to: $0.row) } ?? false }
    return found.isEmpty ? all : found
  }

  /// Notes what has become of rows, now that the one is deleted which they referred to.
  package mutating func note(_ rows: [Referring], of change: DraftChange) throws {
    if rows.isEmpty || isTooMany { return }
    var left: [DraftKey: [String: FetchValue]] = [:]
    for (table, rows) in Dictionary(grouping: rows, by: \.key.table) {
      for (id, row) in try readRows(table, rows.map(\.key.id)) {
        left[DraftKey(table, id)] = row
      }
    }
    let spared = rows.flatMap { left[$0.key] == nil ? [] : $0.spared }.sorted { $0.order < $1.order }
    for row in rows + spared {
      var after = left[row.key]
      if let columns = row.columns {
        guard let now = after else { continue }
        // What triggers have made of other columns is theirs to take back.
        after = row.row.merging(now.filter { columns.contains($0.key) }) { $1 }
        if after == row.row { continue }
      } else if after != nil {
        continue
      }
      effects.append(
        DraftEffect(
          row.key, cause: DraftKey(change.table, change.id), parents: Array(row.parents), before: row.row,
          after: after))
    }
  }
}

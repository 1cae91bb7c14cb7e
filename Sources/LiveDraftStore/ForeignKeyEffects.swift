package import LiveStore

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
  }

  /// Whole rows with their primary keys.
  package typealias Rows = [(id: FetchValue, row: [String: FetchValue])]

  /// A row that refers to one that is to be deleted.
  package struct Referring {
    package fileprivate(set) var key: DraftKey
    fileprivate var row: [String: FetchValue]
    /// The columns that are set; nil where the row is deleted.
    fileprivate var columns: Set<String>?
    /// The rows that it refers to and that are deleted.
    fileprivate var parents: Set<DraftKey> = []
    /// The number of a row that is changed, in the order in which they were found.
    fileprivate var order = 0
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

  /// Reads the rows that refer to one that is to be deleted, and to those that go with it.
  ///
  /// Each row that is deleted comes after all that it refers to or, where references go round in a ring, after one of them.
  package mutating func rows(referringTo change: DraftChange) throws -> [Referring] {
    let first = DraftKey(change.table, change.id)
    var deleted: [DraftKey: Referring] = [:]
    var changed: [DraftKey: Referring] = [:]
    var referring: [DraftKey: [DraftKey]] = [:]
    var waiting = [(table: change.table, ids: [change.id])]
    var next = 0
    while next < waiting.count, !isTooMany {
      let (table, ids) = waiting[next]
      next += 1
      for (index, reference) in references[table] ?? [] {
        let all = Parents(ids, reference, deleted)
        var children: [FetchValue] = []
        for (id, row) in try readReferring(index, ids) {
          let key = DraftKey(reference.table, id)
          if key == first { continue }
          let parents = all.of(row)
          if let columns = reference.columns {
            if changed[key] == nil {
              changed[key] = Referring(key: key, row: row, columns: [], order: changed.count)
            }
            changed[key]?.columns?.formUnion(columns)
            changed[key]?.parents.formUnion(parents)
          } else {
            if deleted[key] == nil { children.append(id) }
            deleted[key, default: Referring(key: key, row: row)].parents.formUnion(parents)
            for parent in parents { referring[parent, default: []].append(key) }
          }
        }
        if !children.isEmpty { waiting.append((reference.table, children)) }
        isTooMany = isTooMany || effects.count + deleted.count + changed.count > Self.limit
      }
    }
    for (key, row) in changed where deleted[key] != nil { deleted[key]?.spared = [row] }
    let others = changed.values.filter { deleted[$0.key] == nil }
    return Self.parentsFirst(from: first, referring).compactMap { deleted[$0] }
      + others.sorted { $0.order < $1.order }
  }

  /// Returns all rows that lead to one by their references, in the reverse of the order in which a search that goes deep first leaves them.
  private static func parentsFirst(from first: DraftKey, _ referring: [DraftKey: [DraftKey]]) -> [DraftKey] {
    var left: [DraftKey] = []
    var seen: Set<DraftKey> = [first]
    var path = [(key: first, rest: referring[first] ?? [])]
    while let last = path.last {
      // From the last on, so that rows of one parent are in the order in which they were found.
      if let child = path[path.count - 1].rest.popLast() {
        if seen.insert(child).inserted { path.append((child, referring[child] ?? [])) }
      } else {
        left.append(last.key)
        path.removeLast()
      }
    }
    return left.reversed()
  }

  /// Rows that are deleted, by what refers to them.
  private struct Parents {
    private let all: [DraftKey]
    private let reference: Reference
    private var byValues: [[FetchValue]: [DraftKey]] = [:]

    init(_ ids: [FetchValue], _ reference: Reference, _ deleted: [DraftKey: Referring]) {
      all = ids.map { DraftKey(reference.parent, $0) }
      self.reference = reference
      if all.count == 1 { return }
      for key in all {
        guard let row = deleted[key]?.row else { continue }
        byValues[reference.pairs.map { row[$0.parent]?.normalized ?? .null }, default: []].append(key)
      }
    }

    /// Returns the rows that a row refers to: all where equal values do not tell, as databases may take others for equal.
    func of(_ child: [String: FetchValue]) -> [DraftKey] {
      if all.count == 1 { return all }
      return byValues[reference.pairs.map { child[$0.child]?.normalized ?? .null }] ?? all
    }
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

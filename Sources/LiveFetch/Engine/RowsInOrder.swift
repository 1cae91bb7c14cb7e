import LiveStore
import Snapshots

/// Puts the rows of a batch into order: sorting that is compiled once, and not for each kind of identifier.
enum RowsInOrder {
  /// A row that is removed from its old position.
  struct Leaving {
    /// Its number in the batch.
    var row: Int
    var position: Int
    var path: ListIndexPath
  }

  /// A row that is inserted.
  struct Coming {
    /// Its number in the batch.
    var row: Int
    var key: [UInt8]
  }

  /// Returns rows by their positions, ascending.
  @inline(never)
  static func leaving(_ rows: [Leaving]) -> [Leaving] { rows.sorted { $0.position < $1.position } }

  /// Returns rows by their keys, ascending.
  @inline(never)
  static func coming(_ rows: [Coming]) -> [Coming] {
    rows.sorted { a, b in a.key.withUnsafeBytes { a in b.key.withUnsafeBytes { compareBytes(a, $0) } } < 0 }
  }

  /// The numbers of keys, by the keys, ascending.
  @inline(never)
  static func numbers(byKey keys: [[UInt8]]) -> [Int] {
    keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
  }
}

import GRDB

/// The migrations that a database says it has seen.
struct SchemaHistory {
  /// The table that has them.
  static let table = "grdb_migrations"

  private let seen: Set<String>
  private let known = Schema.migrator().migrations

  /// Reads the migrations; `nil` where their table is missing, or lacks its column.
  init?(_ db: Database) throws {
    guard try DatabaseModel.columns(of: Self.table, db).contains("identifier") else { return nil }
    seen = try Set(
      String.fetchAll(db, sql: "SELECT coalesce(CAST(identifier AS TEXT), '') FROM \(Self.table)"))
  }

  /// A Boolean value that indicates whether the database has seen none.
  var isEmpty: Bool { seen.isEmpty }

  /// The position of the last migration of this release that the database has seen.
  var last: Int? { known.lastIndex { seen.contains($0) } }

  /// The migrations of this release up to that one.
  var expected: [String] { last.map { Array(known[...$0]) } ?? [] }

  /// The migrations that are missing before the last one.
  var missing: [String] { expected.filter { !seen.contains($0) } }

  /// The migrations that this release does not know, in their order.
  var unknown: [String] { seen.subtracting(known).sorted() }

  /// A Boolean value that indicates whether a newer release has made the database. It has seen all migrations of this one besides, or its
  /// own have numbers beyond ours; what else is unknown is damaged.
  var isNewer: Bool {
    !unknown.isEmpty
      && (seen.isSuperset(of: known)
        || unknown.contains { Self.number(of: $0) > known.count })
  }

  /// The number that a migration's name begins with; 0 where there is none.
  private static func number(of migration: String) -> Int {
    migration.parts(between: ":").first.flatMap { OutsideNumber.clamped($0, to: 0...1000) } ?? 0
  }
}

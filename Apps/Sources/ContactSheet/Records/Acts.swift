import Foundation
import GRDB

/// The acts that were carried out. A browser that is not sure whether an act arrived sends it again.
enum Acts {
  /// How long acts are remembered, in microseconds: a week.
  private static let memory: Int64 = 7 * 86_400 * 1_000_000

  /// Notes an act.
  ///
  /// - Returns: `false` where the act has been carried out already and must not be again.
  static func isNew(_ act: UUID, _ db: Database, now: Date = Date()) throws -> Bool {
    let known = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM act WHERE id = ?)", arguments: [act])
    if known == true { return false }
    let moment = Timestamp(now).microseconds
    try db.execute(sql: "INSERT INTO act (id, date) VALUES (?, ?)", arguments: [act, moment])
    try db.execute(sql: "DELETE FROM act WHERE date < ?", arguments: [moment - memory])
    return true
  }
}

extension UUID {
  /// The id as it travels to browsers: lower-case.
  var wireText: String { uuidString.lowercased() }
}

import Foundation
import LiveLists

/// The mutations that were performed: one that is sent twice counts once, and one that was a mistake can be undone.
///
/// The photos as they were before a mutation are rows of `act_photo`, which follow one another: a mutation names the first and how
/// many. So a mutation on a million photos is remembered and taken back by single statements, without any of it in memory.
enum Mutations {
  /// How long mutations are remembered, in microseconds: a week.
  private static let memory: Int64 = 7 * 86_400 * 1_000_000
  /// How many mutations of an album are remembered even longer.
  private static let remembered = 50
  /// How many mutations of an album are remembered however large they are.
  private static let rememberedWhateverTheirSize = 20
  /// How many photos the further mutations of an album may have in all.
  private static let rememberedPhotos = 2_000_000
  /// A mutation of so many photos is a reason to look whether there is too much.
  private static let large = 100_000

  /// The rows that say what photos were before a mutation.
  struct Before: Equatable {
    var first: Int64
    var count: Int

    /// The first of the rows and that behind the last; what a database that was tampered with says is believed as far
    /// as numbers reach.
    var bounds: [Int64] {
      let (end, isBeyond) = first.addingReportingOverflow(Int64(count))
      return [first, isBeyond ? .max : end]
    }
    /// Finds the rows, with `bounds` as arguments.
    static let condition = "act_photo.place >= ? AND act_photo.place < ?"
  }

  /// Notes a mutation.
  ///
  /// - Returns: `nil` where the mutation is new; where it has been performed already, and must not be again, whether it
  ///   changed anything.
  static func begin(_ mutationID: UUID, in albumID: UUID? = nil, _ db: Database, now: Date = Date()) throws
    -> Bool?
  {
    if let known = try isKnown(mutationID, db) { return known }
    let moment = Timestamp(now).microseconds
    try db.execute(
      sql: "INSERT INTO act (id, date, albumID) VALUES (?, ?, ?)", arguments: [mutationID, moment, albumID])
    let old = try UUID.fetchAll(
      db,
      sql: """
        SELECT id FROM act WHERE date < ? AND albumID IS ?
        AND id NOT IN (SELECT id FROM act WHERE albumID IS ? ORDER BY date DESC LIMIT ?)
        """, arguments: [moment - memory, albumID, albumID, remembered])
    for id in old { try forget(id, db) }
    return nil
  }

  /// Whether a mutation that has been performed changed anything; `nil` where it has not been.
  static func isKnown(_ mutationID: UUID, _ db: Database) throws -> Bool? {
    try Bool.fetchOne(db, sql: "SELECT changed FROM act WHERE id = ?", arguments: [mutationID])
  }

  /// How many mutations a list that is read anew names, and how old they may be, in microseconds: an hour.
  private static let (reportedCount, reportedAge): (Int, Int64) = (32, 3600 * 1_000_000)

  /// The newest mutations of an album, the oldest of them first.
  static func recent(in albumID: UUID?, _ db: Database, now: Date = Date()) throws -> [UUID] {
    try UUID.fetchAll(
      db, sql: "SELECT id FROM act WHERE albumID IS ? AND date > ? ORDER BY date DESC, rowid DESC LIMIT ?",
      arguments: [albumID, Timestamp(now).microseconds - reportedAge, reportedCount]
    ).reversed()
  }

  /// Notes that a mutation changed something; until then it counts as one that did not.
  static func noteChange(by mutationID: UUID, _ db: Database) throws {
    try db.execute(sql: "UPDATE act SET changed = 1 WHERE id = ?", arguments: [mutationID])
  }

  /// Remembers what photos are, before a mutation changes them.
  ///
  /// - Parameters:
  ///   - mutationID: The mutation, which has begun.
  ///   - albumID: Its album; `nil` for a mutation on the trash.
  ///   - select: Which photos: what follows `SELECT id, albumID, rank, trashedDate`, and its arguments. Called once
  ///     or several times, for photos that follow those of the call before.
  @discardableResult
  static func remember(
    of mutationID: UUID, in albumID: UUID?, _ db: Database,
    _ select: (_ insert: (_ sql: String, _ arguments: StatementArguments) throws -> Void) throws -> Void
  ) throws -> Before {
    let first = try Int64.fetchOne(db, sql: "SELECT coalesce(max(place), 0) + 1 FROM act_photo") ?? 1
    var count = 0
    try select { sql, arguments in
      let statement = try db.cachedStatement(
        sql: "INSERT INTO act_photo (photoID, albumID, rank, trashedDate) \(sql)")
      try statement.execute(arguments: arguments)
      count += db.changesCount
    }
    try db.execute(
      sql: "UPDATE act SET firstPlace = ?, photoCount = ?, changed = ? WHERE id = ?",
      arguments: [first, count, count > 0, mutationID])
    if count >= large { try forgetLargeOnes(in: albumID, db) }
    return Before(first: first, count: count)
  }

  /// Returns the photos as they were before a mutation, or `nil` where it is forgotten or cannot be undone.
  static func before(_ mutationID: UUID, _ db: Database) throws -> Before? {
    try Row.fetchOne(
      db, sql: "SELECT firstPlace, photoCount FROM act WHERE id = ? AND firstPlace IS NOT NULL",
      arguments: [mutationID]
    ).map { Before(first: try $0.value("firstPlace"), count: try $0.value("photoCount")) }
  }

  /// Has a mutation remember other rows than those that it was begun with, which follow them.
  static func replace(_ rows: Before, by others: Before, of mutationID: UUID, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM act_photo WHERE \(Before.condition)", arguments: StatementArguments(rows.bounds))
    try db.execute(
      sql: "UPDATE act SET firstPlace = ?, photoCount = ?, changed = ? WHERE id = ?",
      arguments: [others.first, others.count, others.count > 0, mutationID])
  }

  /// Forgets what photos were before a mutation, which then cannot be taken back; it counts as performed all the same.
  static func forgetPhotos(of mutationID: UUID, _ db: Database) throws {
    guard let before = try before(mutationID, db) else { return }
    try db.execute(
      sql: "DELETE FROM act_photo WHERE \(Before.condition)", arguments: StatementArguments(before.bounds))
    try db.execute(
      sql: "UPDATE act SET firstPlace = NULL, photoCount = 0 WHERE id = ?", arguments: [mutationID])
  }

  private static func forget(_ mutationID: UUID, _ db: Database) throws {
    try forgetPhotos(of: mutationID, db)
    try db.execute(sql: "DELETE FROM act WHERE id = ?", arguments: [mutationID])
  }

  private static func forgetLargeOnes(in albumID: UUID?, _ db: Database) throws {
    let tooMuch = try UUID.fetchAll(
      db,
      sql: """
        SELECT id FROM (
          SELECT id, row_number() OVER newest AS number, sum(photoCount) OVER newest AS total
          FROM act WHERE albumID IS ? WINDOW newest AS (ORDER BY date DESC, rowid DESC)
        ) WHERE number > ? AND total > ?
        """, arguments: [albumID, rememberedWhateverTheirSize, rememberedPhotos])
    for id in tooMuch { try forget(id, db) }
  }
}

extension UUID {
  /// The id as it travels to browsers: lower-case.
  package var wireText: String { uuidString.lowercased() }
}

import Foundation
package import LiveLists

/// When photos in the trash are removed for good by themselves: a number of days after they were deleted. What lay there when the
/// rule came, in a folder of an earlier release, has its days from then on.
package enum TrashRule {
  private static let day: Int64 = 86_400 * 1_000_000

  /// The moment since which the database has the rule; the present, where that cannot be read: then nothing is removed.
  package static func since(_ db: Database) throws -> Timestamp {
    guard try db.tableExists("trash_rule") else { return Timestamp(Date()) }
    return try Timestamp.fetchOne(db, sql: "SELECT since FROM trash_rule") ?? Timestamp(Date())
  }

  /// Puts into a database made anew since when the damaged one had the rule, so that photos keep the days that they had left. Of a moment
  /// that cannot be, nothing is taken: the days begin anew, and no photo is removed too early.
  static func restore(_ value: DatabaseValue?, now: Date, _ db: Database) throws {
    guard let microseconds = value.flatMap({ Int64.fromDatabaseValue($0) }),
      (earliest...Timestamp(now).microseconds).contains(microseconds)
    else { return }
    try db.execute(sql: "UPDATE trash_rule SET since = ?", arguments: [microseconds])
  }

  /// The beginning of 2024, in microseconds: no release had the rule before.
  private static let earliest: Int64 = 1_704_067_200 * 1_000_000

  /// The moment, in microseconds, at or before which a photo has to have been deleted to be removed now.
  static func limit(days: Int, now: Date) -> Int64 { Timestamp(now).microseconds - Int64(days) * day }

  /// The moment at which a photo is removed.
  package static func expiry(of trashed: Timestamp, since: Timestamp, days: Int) -> Timestamp {
    let (end, isBeyond) = max(trashed.microseconds, since.microseconds)
      .addingReportingOverflow(Int64(days) * day)
    return Timestamp(microseconds: isBeyond ? .max : end)
  }
}

import Foundation
import LiveLists

/// When photos in the trash are removed for good by themselves: a number of days after they were deleted. What lay there when the
/// rule came, in a folder of an earlier release, has its days from then on.
enum TrashRule {
  private static let day: Int64 = 86_400 * 1_000_000

  /// The moment since which the database has the rule; the present, where that cannot be read: then nothing is removed.
  static func since(_ db: Database) throws -> Timestamp {
    guard try db.tableExists("trash_rule") else { return Timestamp(Date()) }
    return try Timestamp.fetchOne(db, sql: "SELECT since FROM trash_rule") ?? Timestamp(Date())
  }

  /// The moment, in microseconds, at or before which a photo has to have been deleted to be removed now.
  static func limit(days: Int, now: Date) -> Int64 { Timestamp(now).microseconds - Int64(days) * day }

  /// The moment at which a photo is removed.
  static func expiry(of trashed: Timestamp, since: Timestamp, days: Int) -> Timestamp {
    let (end, isBeyond) = max(trashed.microseconds, since.microseconds)
      .addingReportingOverflow(Int64(days) * day)
    return Timestamp(microseconds: isBeyond ? .max : end)
  }
}

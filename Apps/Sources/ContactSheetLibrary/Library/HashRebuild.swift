import Foundation
import LiveLists

/// The hashes of photos' contents, in a database that is made anew of a damaged one.
///
/// A photo is tied to its original by the hash alone. Where bytes of it are damaged the original is still there, under its true name.
struct HashRebuild {
  /// How many of the 64 digits have to be as they were: two pictures agree in so many by no chance. The rest is too little to reach each of
  /// the groups of digits by which originals are found.
  private static let agreement = 49
  private static let group = 4

  private let originals: Set<String>
  /// The originals that no photo has, by each of their groups of digits.
  private var unnamed: [Group: [String]] = [:]

  private struct Group: Hashable {
    var position: Int
    var digits: [UInt8]
  }

  /// - Parameters:
  ///   - originals: The names of all originals.
  ///   - named: Those of which photos are known otherwise.
  init(_ originals: [String], named: Set<String>, _ db: Database) throws {
    self.originals = Set(originals)
    let taken = named.union(try String.fetchSet(db, sql: "SELECT contentHash FROM photo"))
    for name in originals where !taken.contains(name) {
      for group in Self.groups(Array(name.utf8)) { unnamed[group, default: []].append(name) }
    }
  }

  /// Gives photos whose hash names no original the one that it has named. Removes those of which nobody can say it.
  /// - Returns: How many were removed.
  func mend(_ db: Database) throws -> Int {
    var removed = 0
    let sql = "SELECT rowid AS number, CAST(contentHash AS BLOB) AS hash FROM photo"
    for row in try Row.fetchAll(db, sql: sql) {
      let (number, bytes) = (row["number"] as Int64, Array(row["hash"] as Data? ?? Data()))
      let text = String(decoding: bytes, as: UTF8.self)
      if originals.contains(text) { continue }
      // A byte that is no text has been replaced by a character of several.
      let digits = text.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "?") }
      if let name = original(digits) {
        try db.execute(
          sql: "UPDATE OR IGNORE photo SET contentHash = ? WHERE rowid = ?", arguments: [name, number])
        // Else the album has the photo already.
        if db.changesCount > 0 { continue }
      } else if ContentHash(text) != nil {
        // The file is missing: a backup may have it.
        continue
      }
      try db.execute(sql: "DELETE FROM photo WHERE rowid = ?", arguments: [number])
      removed += 1
    }
    return removed
  }

  /// Returns the one original whose name agrees with what is left of a hash.
  private func original(_ digits: [UInt8]) -> String? {
    let candidates = Set(Self.groups(digits).flatMap { unnamed[$0] ?? [] })
    let found = candidates.filter { name in
      zip(name.utf8, digits).count { $0 == $1 } >= Self.agreement
    }
    return found.count == 1 ? found.first : nil
  }

  private static func groups(_ digits: [UInt8]) -> [Group] {
    guard digits.count == 64 else { return [] }
    return stride(from: 0, to: 64, by: group).map {
      Group(position: $0, digits: Array(digits[$0..<$0 + group]))
    }
  }
}

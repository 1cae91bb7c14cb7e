import GRDB
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Databases in which the hash that ties a photo to its file is damaged.
@Suite struct HashAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Damages a column of the second photo and, unless told otherwise, the schema, so that the database is made anew.
  private func damage(_ value: String, of column: String = "contentHash", andSchema: Bool = true) throws {
    let queue = try DatabaseQueue(path: folder.data.database, configuration: DatabaseCheck.configuration)
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          UPDATE photo SET \(column) = \(value) WHERE id = (SELECT id FROM photo ORDER BY rank LIMIT 1 OFFSET 1);
          \(andSchema ? "DROP INDEX photo_rank" : "")
          """)
    }
    try queue.close()
  }

  @Test(arguments: [
    "'XYZ!' || substr(contentHash, 5)", "substr(contentHash, 1, 49) || '???????????????'",
    "CAST(x'FFC3' || substr(contentHash, 3) AS TEXT)",
    "translated",
  ])
  func aHashOfWhichEnoughIsLeftIsMended(_ hash: String) async throws {
    let before = try await folder.makeAlbum(count: 3)
    // Of a digit that is another nobody sees that it is damaged, but that there is no such file.
    let first = before[1].contentHash.first == "0" ? "1" : "0"
    try damage(hash == "translated" ? "'\(first)' || substr(contentHash, 2)" : hash)
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    let after = try await folder.photos()
    #expect(
      after.map(\.id) == before.map(\.id) && after.map(\.title) == before.map(\.title), "\(repair.text)")
    #expect(after.map(\.contentHash) == before.map(\.contentHash))
    let again = try await folder.run("check")
    #expect(again.status == 0 && again.text.contains("All is well"), "\(again.text)")
  }

  @Test(arguments: ["'?'", "substr(contentHash, 1, 48) || '????????????????'", "x''"])
  func aPhotoWhoseHashIsLostIsRecoveredFromItsFile(_ hash: String) async throws {
    let before = try await folder.makeAlbum(count: 3)
    try damage(hash)
    let repair = try await folder.run("check", "--repair")
    #expect(repair.text.contains("Recovered 1 photo"), "\(repair.text)")
    let after = try await folder.photos()
    #expect(after.prefix(2).map(\.id) == [before[0].id, before[2].id], "\(repair.text)")
    let again = try await folder.run("check")
    #expect(again.status == 0 && again.text.contains("All is well with 3 photos"), "\(again.text)")
    #expect(Set(after.map(\.contentHash)) == Set(before.map(\.contentHash)))
  }

  @Test(arguments: [("checksum", "12345"), ("byteCount", "byteCount + 1"), ("byteCount", "0")])
  func whatASoundDatabaseSaysOfAFileIsComparedWithIt(_ column: String, _ value: String) async throws {
    let before = try await folder.makeAlbum(count: 3)
    try damage(value, of: column, andSchema: false)
    let check = try await folder.run("check")
    #expect(check.status == 65 && check.text.contains("“\(before[1].title)” is whole"), "\(check.text)")
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0 && repair.text.contains("All is well with 3 photos"), "\(repair.text)")
    let after = try await folder.photos()
    #expect(after.map(\.byteCount) == before.map(\.byteCount))
    #expect(after.map(\.checksum) == before.map(\.checksum))
  }

  @Test(arguments: [("checksum", "12345"), ("byteCount", "byteCount + 1"), ("byteCount", "-7")])
  func whatTheFileSaysItselfIsTakenFromIt(_ column: String, _ value: String) async throws {
    let before = try await folder.makeAlbum(count: 3)
    try damage(value, of: column)
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    #expect(try await folder.photos().map(\.byteCount) == before.map(\.byteCount))
    let export = try await folder.run("export", folder.path + "/out.zip", "--album", "Alps")
    #expect(export.status == 0, "\(export.text)")
  }
}

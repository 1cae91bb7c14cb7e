import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// Databases that are made anew: every column comes along, and nothing is made up.
@Suite struct RebuiltRowsTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Two albums, of which the first has a chosen cover, dates and a photo in the trash.
  private func makeAlbums() async throws -> [Photo] {
    let photos = try await folder.makeAlbum(count: 12)
    let library = try await folder.library()
    try await library.setCover(photos[3].id, of: photos[0].albumID)
    try await library.delete([photos[5].id], from: photos[0].albumID, mutationID: UUID())
    let second = try await library.createAlbum("Zoo")
    let picture = try TestPictures.write(to: "\(folder.path)/p.jpg", number: 99, width: 24, height: 16)
    _ = try await library.importFile(picture, to: second.id)
    try await library.deleteAlbum(second.id)
    await library.close()
    // Pictures of tests say no dates.
    try await change("UPDATE photo SET captureDate = 1700000000000 + rowid, dateText = 'x' || rowid")
    try await change(
      "UPDATE album SET firstDate = (SELECT min(captureDate) FROM photo WHERE albumID = album.id AND trashedDate IS NULL), lastDate = (SELECT max(captureDate) FROM photo WHERE albumID = album.id AND trashedDate IS NULL)"
    )
    return photos
  }

  private func open(_ data: DataFolder? = nil) throws -> DatabaseQueue {
    try DatabaseQueue(path: (data ?? folder.data).database, configuration: DatabaseCheck.configuration)
  }

  private func change(_ sql: String) async throws {
    let queue = try open()
    try await queue.write { try $0.execute(sql: sql) }
    _ = try await queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try queue.close()
  }

  private func rows(_ table: String) async throws -> [[String: DatabaseValue]] {
    let queue = try open()
    defer { try? queue.close() }
    return try await queue.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY id").map { row in
        Dictionary(uniqueKeysWithValues: row.map { ($0, $1) })
      }
    }
  }

  /// Overwrites the last bytes of the page of an index.
  private func damage(_ index: String, last count: Int) async throws {
    try await change("SELECT 1")
    let queue = try open()
    let page = try await queue.read { db in
      try #require(
        try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [index]))
    }
    try queue.close()
    for ending in ["-wal", "-shm"] { try Files.remove(folder.data.database + ending) }
    var bytes = try TestPictures.bytes(folder.data.database)
    for offset in page * 4096 - count..<page * 4096 { bytes[offset] = 0 }
    try TestPictures.put(bytes, at: folder.data.database)
  }

  @Test(arguments: ["--repair", "--from"])
  func everyColumnComesAlong(_ option: String) async throws {
    _ = try await makeAlbums()
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    let before = (try await rows("album"), try await rows("photo"))
    for row in [before.0, before.1] {
      for column in row[0].keys.sorted() {
        // A column that the albums above give no value cannot be seen to be forgotten.
        #expect(row.contains { $0[column]?.isNull == false }, "\(column)")
      }
    }
    try await damage("photo_hash", last: 4096)
    let repair =
      option == "--from"
      ? try await folder.run("check", "--from", copy) : try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    #expect(try await rows("album") == before.0, "\(repair.text)")
    // Checksums are reckoned anew.
    func bare(_ rows: [[String: DatabaseValue]]) -> [[String: DatabaseValue]] {
      rows.map { $0.filter { $0.key != "checksum" } }
    }
    #expect(try await bare(rows("photo")) == bare(before.1), "\(repair.text)")
  }

  /// Photos that were in the trash when their folder got the rule have their days from then on.
  @Test func photosInTheTrashKeepTheDaysThatTheyHadLeft() async throws {
    _ = try await makeAlbums()
    let since = Timestamp(Date(timeIntervalSinceNow: -10 * 86_400)).microseconds
    #expect(try await ruleAfterRepair(since) == since)
  }

  /// A moment that cannot be would remove photos too early, or never.
  @Test(arguments: [0, -1, Int64.max, 1 << 60, 1 << 40])
  func aMomentThatCannotBeBeginsTheDaysAnew(_ since: Int64) async throws {
    let start = Timestamp(Date()).microseconds
    _ = try await makeAlbums()
    let now = try await ruleAfterRepair(since)
    #expect((start...Timestamp(Date()).microseconds).contains(now))
  }

  private func ruleAfterRepair(_ since: Int64) async throws -> Int64 {
    try await change("UPDATE trash_rule SET since = \(since)")
    try await damage("photo_hash", last: 4096)
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    let queue = try open()
    defer { try? queue.close() }
    let moments = try await queue.read { try Int64.fetchAll($0, sql: "SELECT since FROM trash_rule") }
    #expect(moments.count == 1)
    return try #require(moments.first)
  }

  @Test func aCoverWhosePhotoIsGoneIsSaid() async throws {
    _ = try await makeAlbums()
    try await change(
      "UPDATE album SET coverID = x'00112233445566778899aabbccddeeff' WHERE title LIKE 'Alps%'")
    try await damage("photo_hash", last: 4096)
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0 && repair.text.contains("chosen for the cover of “Alps"), "\(repair.text)")
  }

  @Test(arguments: [40, 60, 80, 100, 120])
  func aDamagedIndexMakesNothingUp(_ count: Int) async throws {
    _ = try await makeAlbums()
    let before = try await rows("album")
    try await damage("photo_rank", last: count)
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0 && !repair.text.contains("could not be read"), "\(repair.text)")
    #expect(try await rows("album") == before, "\(repair.text)")
  }

  @Test func aPhotoWhoseAlbumIsDamagedGoesHomeFromABackup() async throws {
    let photos = try await makeAlbums()
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    let before = try await rows("album")
    try await change(
      "UPDATE photo SET albumID = substr(albumID, 1, 15) || x'00' WHERE title = '\(photos[2].title)'")
    let repair = try await folder.run("check", "--from", copy)
    #expect(repair.status == 0 && !repair.text.contains("Recovered"), "\(repair.text)")
    #expect(try await rows("album") == before, "\(repair.text)")
    #expect(
      try await folder.photos().map(\.id) == photos.map(\.id).filter { $0 != photos[5].id }, "\(repair.text)")
  }
}

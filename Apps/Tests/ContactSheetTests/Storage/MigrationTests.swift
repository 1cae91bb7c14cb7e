import Foundation
import GRDB
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct MigrationTests {
  let folder: TestFolder
  init() throws {
    folder = try TestFolder()
    try folder.data.prepare()
  }

  /// A database as the first release left it.
  private func makeVersion1() throws -> DatabaseQueue {
    let url = try #require(
      Bundle.module.url(forResource: "version-1", withExtension: "sql", subdirectory: "Fixtures"))
    let queue = try DatabaseQueue(path: folder.data.database)
    try queue.write { try $0.execute(sql: String(contentsOf: url, encoding: .utf8)) }
    return queue
  }

  private func schema(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'grdb%' ORDER BY name"
      )
    }
  }

  @Test func theFixtureIsWhatTheFirstReleaseMade() throws {
    let fixture = try makeVersion1()
    let fresh = try DatabaseQueue()
    try Schema.migrator().migrate(fresh, upTo: "1: photos by capture date")
    #expect(try schema(fixture) == schema(fresh))
  }

  /// The data of version 1, as text.
  private struct Contents {
    var photos: [String]
    var albums: [String]

    init(_ queue: DatabaseQueue, order: String) throws {
      let columns =
        "id, albumID, title, fileName, captureDate, importedDate, contentHash, width, height, byteCount, format"
      (photos, albums) = try queue.read { db in
        (
          try Row.fetchAll(db, sql: "SELECT \(columns) FROM photo ORDER BY \(order)").map(\.description),
          try Row.fetchAll(db, sql: "SELECT id, title, createdDate FROM album ORDER BY id").map(\.description)
        )
      }
    }
  }

  @Test func showsTheSameOrderAfterwardsAndTouchesNothingElse() async throws {
    let queue = try makeVersion1()
    let before = try Contents(queue, order: "albumID, \(Schema.orderOfVersion1)")
    try queue.close()
    #expect(before.photos.count == 12)

    let library = try await folder.library()
    let after = try Contents(try DatabaseQueue(path: folder.data.database), order: "albumID, rank, id")
    #expect(after.photos == before.photos)
    #expect(after.albums == before.albums)
    let titles = try await library.albums().map(\.title)
    #expect(titles == ["Norway", "Kitchen"])
    let first = try #require(try await library.albums().first)
    #expect(
      try await library.photos(in: first.id).map(\.title) == [
        "Ferry", "Fjord", "Pier", "Cabin", "Path", "Scan B", "Scan A",
      ])
    // And the order is one's own from now on.
    let ids = try await library.photos(in: first.id).map(\.id)
    try await library.move(
      [ids[6]], in: first.id, to: DropPosition(after: nil, before: ids[0]), mutationID: UUID())
    #expect(try await library.photos(in: first.id).first?.title == "Scan A")
    await library.close()
  }

  @Test func takesBackWhatWasDoneBeforeTheMigration() async throws {
    let queue = try makeVersion1()
    try Schema.migrator().migrate(queue, upTo: "4: trash, albums in order, search")
    let (deletion, other) = (UUID(), UUID())
    let (photo, album) = try await queue.write { db in
      let row = try #require(
        try Row.fetchOne(
          db,
          sql: "SELECT id, albumID, lower(hex(rank)) AS rank FROM photo WHERE albumID IS NOT NULL LIMIT 1"))
      let (id, album): (UUID, UUID) = (try row.value("id"), try row.value("albumID"))
      let rank: String = try row.value("rank")
      let before = #"[{"id":"\#(id.uuidString)","albumID":"\#(album.uuidString)","rank":"\#(rank)"}]"#
      try db.execute(sql: "UPDATE photo SET trashedDate = 1 WHERE id = ?", arguments: [id])
      try db.execute(
        sql: "INSERT INTO act (id, date, albumID, before) VALUES (?, 1, ?, ?), (?, 1, ?, NULL)",
        arguments: [deletion, album, before, other, album])
      return (id, album)
    }
    try queue.close()
    let library = try await folder.library()
    #expect(try await !library.photos(in: album).map(\.id).contains(photo))
    #expect(await code { try await library.undo(other, in: album, mutationID: UUID()) } == .notFound)
    #expect(try await library.undo(deletion, in: album, mutationID: UUID()))
    #expect(try await library.photos(in: album).map(\.id).contains(photo))
    #expect(
      try await library.delete([photo], from: album, mutationID: deletion), "it is known, and was a change")
    #expect(try await library.photos(in: album).map(\.id).contains(photo))
    await library.close()
  }

  @Test func refusesADatabaseOfANewerRelease() async throws {
    let library = try await folder.library()
    try await library.records.write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99: from the future')")
    }
    await library.close()
    #expect(await code { try await folder.library() } == .databaseTooNew)
  }

  @Test func saysWhichFileIsDamaged() async throws {
    try TestPictures.put([UInt8](repeating: 7, count: 4096), at: folder.data.database)
    let failure = await #expect(throws: ContactSheetError.self) { try await folder.library() }
    #expect(failure?.code == .storage)
    #expect(failure?.message.contains(folder.data.database) == true)
  }
}

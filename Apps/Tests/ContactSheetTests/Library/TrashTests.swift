import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

@Suite struct TrashTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let day: TimeInterval = 86_400

  private func trashed(_ library: PhotoLibrary) async throws -> [UUID] {
    try await library.records.read { db in
      try UUID.fetchAll(db, sql: "SELECT id FROM photo WHERE trashedDate IS NOT NULL ORDER BY rank")
    }
  }

  /// Photos of several albums, each back in its own position among those that stayed and those that came since.
  @Test func bringsPhotosOfSeveralAlbumsBackToTheirPositions() async throws {
    let library = try await folder.library()
    let (one, two) = (try await library.createAlbum("A").id, try await library.createAlbum("B").id)
    let (ones, twos) = (try await library.insertRows(4, in: one), try await library.insertRows(3, in: two))
    try await library.delete([ones[1], ones[3]], from: one, mutationID: UUID())
    try await library.delete([twos[0]], from: two, mutationID: UUID())
    let late = try await library.insertRows(1, in: one)
    let mutationID = UUID()
    let result = try await library.restore([ones[3], twos[0]], mutationID: mutationID)
    #expect(result == TrashReturn(restored: 2, left: 0))
    #expect(try await library.photos(in: one).map(\.id) == [ones[0], ones[2], ones[3]] + late)
    #expect(try await library.photos(in: two).map(\.id) == twos)
    #expect(try await trashed(library) == [ones[1]])
    // Once, and answered as it was; and taken back like any mutation.
    #expect(try await library.restore([ones[1]], mutationID: mutationID) == result)
    #expect(try await trashed(library) == [ones[1]])
    let undo = UUID()
    #expect(try await library.undo(mutationID, in: nil, mutationID: undo))
    #expect(try await Set(trashed(library)) == [ones[1], ones[3], twos[0]])
    #expect(try await library.undo(undo, in: nil, mutationID: UUID()))
    #expect(try await library.photos(in: two).map(\.id) == twos)
    await library.close()
  }

  @Test func saysWhereTheAlbumIsGoneAndTakesAnother() async throws {
    let library = try await folder.library()
    let (gone, other) = (try await library.createAlbum("A").id, try await library.createAlbum("B").id)
    let ids = try await library.insertRows(2, in: gone)
    let there = try await library.insertRows(2, in: other)
    try await library.delete([there[0]], from: other, mutationID: UUID())
    try await library.deleteAlbum(gone)
    #expect(await code { try await library.restore(ids, mutationID: UUID()) } == .conflict)
    #expect(await code { try await library.restore(ids, to: gone, mutationID: UUID()) } == .notFound)
    #expect(try await library.photos(in: other).map(\.id) == [there[1]])
    // Those that have their album go there all the same, the others to the end of the one that was chosen.
    #expect(
      try await library.restore([ids[0], there[0]], mutationID: UUID()) == TrashReturn(restored: 1, left: 1))
    #expect(try await library.photos(in: other).map(\.id) == there)
    let mutationID = UUID()
    #expect(
      try await library.restore([ids[1], ids[0]], to: other, mutationID: mutationID)
        == TrashReturn(restored: 2, left: 0))
    #expect(try await library.photos(in: other).map(\.id) == there + [ids[1], ids[0]])
    // Back in the trash they are photos of the deleted album again.
    #expect(try await library.undo(mutationID, in: nil, mutationID: UUID()))
    #expect(try await Set(trashed(library)) == Set(ids))
    await library.close()
  }

  @Test func whatTheAlbumHasAlreadyStaysInTheTrash() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A").id
    let path = try TestPictures.write(to: "\(folder.path)/a.jpg", number: 1)
    let first = try await library.importFile(path, to: album).id
    try await library.delete([first], from: album, mutationID: UUID())
    let second = try await library.importFile(path, to: album).id
    #expect(await code { try await library.restore([first], mutationID: UUID()) } == .conflict)
    try await library.delete([second], from: album, mutationID: UUID())
    // Of two with the same content one goes back.
    #expect(
      try await library.restore([first, second], mutationID: UUID()) == TrashReturn(restored: 1, left: 1))
    #expect(try await library.photos(in: album).count == 1)
    #expect(try await library.trash().count == 1)
    #expect(try await library.trash().bytes == 0, "its file is the other's, too")
    await library.close()
  }

  @Test func removesSomeForGoodAndLeavesTheOthers() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A").id
    var ids: [UUID] = []
    for number in 0..<3 {
      let path = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
      ids.append(try await library.importFile(path, to: album).id)
    }
    let mutationID = UUID()
    try await library.delete([ids[0], ids[1]], from: album, mutationID: UUID())
    #expect(
      try await library.removeForGood([ids[0], ids[2]], mutationID: mutationID),
      "what is shown is not in the trash")
    #expect(try await trashed(library) == [ids[1]])
    #expect(folder.files(in: "originals").count == 2)
    #expect(try await library.photos(in: album).map(\.id) == [ids[2]])
    #expect(try await library.removeForGood([ids[1]], mutationID: mutationID), "an act counts once")
    #expect(try await trashed(library) == [ids[1]])
    #expect(try await !library.removeForGood([ids[0]], mutationID: UUID()))
    #expect(await code { try await library.undo(mutationID, in: nil, mutationID: UUID()) } == .notFound)
    await library.close()
  }

  @Test func removesWhatHasBeenThereForItsDays() async throws {
    var settings = Settings()
    settings.trashDays = 30
    let library = try await folder.library(settings)
    let album = try await library.createAlbum("A").id
    let ids = try await library.insertRows(3, in: album)
    let now = Date()
    // The rule is older than all that follows.
    try await library.records.write { try $0.execute(sql: "UPDATE trash_rule SET since = 0") }
    try await library.delete([ids[0], ids[1]], from: album, mutationID: UUID())
    try await library.records.write { db in
      try db.execute(
        sql: "UPDATE photo SET trashedDate = ? WHERE id = ?",
        arguments: [Timestamp(now.addingTimeInterval(-29 * Self.day)), ids[0]])
    }
    #expect(try await library.removeExpired(now: now) == 0)
    #expect(try await library.removeExpired(now: now.addingTimeInterval(1.5 * Self.day)) == 1)
    #expect(try await trashed(library) == [ids[1]])
    await library.close()
    settings.trashDays = nil
    let patient = try await folder.library(settings)
    #expect(try await patient.removeExpired(now: now.addingTimeInterval(9_999 * Self.day)) == 0)
    #expect(try await patient.trash().days == nil)
    await patient.close()
  }

  /// The release before promised that the trash stays until it is emptied.
  @Test func whatLayThereBeforeTheRuleHasItsDaysFromThenOn() async throws {
    let url = try #require(
      Bundle.module.url(forResource: "database", withExtension: "sql", subdirectory: "Fixtures/version-5"))
    try folder.data.prepare()
    let queue = try DatabaseQueue(path: folder.data.database)
    try await queue.write { db in
      try db.execute(sql: String(contentsOf: url, encoding: .utf8))
      try db.execute(sql: "UPDATE photo SET trashedDate = 1")
    }
    try queue.close()
    let library = try await folder.library()
    let count = try await library.trash().count
    #expect(count == 3)
    let opened = Date()
    for days in [0, 29.9] {
      #expect(try await library.removeExpired(now: opened.addingTimeInterval(days * Self.day)) == 0)
    }
    #expect(try await library.removeExpired(now: opened.addingTimeInterval(30.1 * Self.day)) == count)
    await library.close()
  }
}

import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

@Suite struct RecoveryTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func hash(_ digit: String) throws -> ContentHash {
    try #require(ContentHash(String(repeating: digit, count: 64)))
  }

  private func put(_ path: String) throws {
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try TestPictures.put([1, 2, 3], at: path)
  }

  @Test func takesBackWhatHasAnIntentAndNoRow() async throws {
    try await folder.library().close()
    let lost = try hash("a")
    for path in [folder.data.intent(lost), folder.data.original(lost), folder.data.thumbnail(lost)] {
      try put(path)
    }
    try put(folder.data.incoming + "/half.part")
    try put(folder.data.incoming + "/half.jpg")
    let library = try await folder.library()
    #expect(folder.files(in: "incoming").isEmpty)
    #expect(folder.files(in: "originals").isEmpty)
    #expect(folder.files(in: "thumbnails").isEmpty)
    await library.close()
  }

  @Test func keepsWhatHasARowAndEndsItsIntent() async throws {
    let first = try await folder.library()
    let album = try await first.createAlbum("A")
    _ = try await first.importFile(try TestPictures.write(to: folder.path + "/a.jpg"), to: album.id)
    let hash = try #require(
      try await first.photos(in: album.id).first.flatMap { ContentHash($0.contentHash) })
    await first.close()
    try Files.link(folder.data.original(hash), to: folder.data.intent(hash))
    let second = try await folder.library()
    #expect(folder.files(in: "incoming").isEmpty)
    #expect(folder.files(in: "originals").count == 1)
    #expect(try await second.albums().map(\.photoCount) == [1])
    await second.close()
  }

  @Test func keepsOriginalsWhoseDatabaseIsLost() async throws {
    let first = try await folder.library()
    let album = try await first.createAlbum("A")
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    _ = try await first.importFile(path, to: album.id)
    await first.close()
    for name in ["", "-wal", "-shm"] { try Files.remove(folder.data.database + name) }
    let second = try await folder.library()
    #expect(folder.files(in: "originals").count == 1)
    // Importing it again finds the file in its place; failing to would not take it away.
    let again = try await second.createAlbum("B")
    #expect(try await second.importFile(path, to: again.id).status == .imported)
    #expect(folder.files(in: "originals").count == 1)
    await second.close()
  }

  @Test func finishesDeletionsThatWereCutOff() async throws {
    let first = try await folder.library()
    let album = try await first.createAlbum("A")
    let other = try await first.createAlbum("B")
    for number in 0..<2 {
      let path = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
      _ = try await first.importFile(path, to: album.id)
      if number == 0 { _ = try await first.importFile(path, to: other.id) }
    }
    // The rows go and the notes are made, but the process ends before the files follow.
    try await first.records.write { db in
      try db.execute(
        sql: """
          INSERT INTO discarded SELECT contentHash FROM photo WHERE albumID = ?;
          DELETE FROM photo WHERE albumID = ?
          """, arguments: [album.id, album.id])
    }
    await first.close()
    #expect(folder.files(in: "originals").count == 2)
    let second = try await folder.library()
    // One of the two is still in the other album.
    #expect(folder.files(in: "originals").count == 1)
    #expect(folder.files(in: "thumbnails").count == 1)
    #expect(try await second.albums().map(\.photoCount) == [0, 1])
    await second.close()
  }

  @Test func emptyingTheTrashDeletesFilesThatNoPhotoHas() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let other = try await library.createAlbum("B")
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let one = try await library.importFile(path, to: album.id)
    let two = try await library.importFile(path, to: other.id)
    try await library.delete([one.id], from: album.id, mutationID: UUID())
    #expect(
      try await library.trash() == TrashSummary(count: 1, bytes: 0, days: 30), "the other album has the file")
    try await library.emptyTrash()
    #expect(folder.files(in: "originals").count == 1)
    try await library.delete([two.id], from: other.id, mutationID: UUID())
    #expect(folder.files(in: "originals").count == 1)
    #expect(try await library.trash() == TrashSummary(count: 1, bytes: Files.size(path) ?? 0, days: 30))
    try await library.emptyTrash()
    #expect(folder.files(in: "originals").isEmpty)
    #expect(folder.files(in: "thumbnails").isEmpty)
    #expect(try await library.trash() == TrashSummary(count: 0, bytes: 0, days: 30))
    await library.close()
  }
}

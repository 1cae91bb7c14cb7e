import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// Covers that somebody chose, and the dates of albums.
@Suite struct CoverTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func cover(_ library: PhotoLibrary, _ album: UUID) async throws -> String? {
    try await library.album(album)?.cover
  }

  @Test func aChosenPhotoIsTheCoverForAsLongAsTheAlbumShowsIt() async throws {
    let library = try await folder.library()
    let (album, other) = (try await library.createAlbum("A").id, try await library.createAlbum("B").id)
    let ids = try await library.insertRows(3, in: album)
    let hashes = try await library.photos(in: album).map(\.contentHash)
    #expect(try await cover(library, album) == hashes[0])
    #expect(try await library.setCover(ids[2], of: album).album.cover == hashes[2])
    // Neither a move nor an arrival changes it.
    try await library.move(
      [ids[1]], in: album, to: DropPosition(after: nil, before: ids[0]), mutationID: UUID())
    _ = try await library.insertRows(1, in: album)
    #expect(try await cover(library, album) == hashes[2])
    // In the trash, or elsewhere, it is no cover; back, it is again.
    try await library.delete([ids[2]], from: album, mutationID: UUID())
    #expect(try await cover(library, album) == hashes[1])
    try await library.restore([ids[2]], mutationID: UUID())
    #expect(try await cover(library, album) == hashes[2])
    try await library.transfer([ids[2]], from: album, to: other, mutationID: UUID())
    #expect(try await cover(library, album) == hashes[1])
    #expect(try await cover(library, other) == hashes[2])
    #expect(await code { try await library.setCover(ids[2], of: album) } == .notFound)
    #expect(await code { try await library.setCover(nil, of: UUID()) } == .notFound)
    #expect(try await library.setCover(ids[0], of: album).album.cover == hashes[0])
    #expect(try await library.setCover(nil, of: album).album.cover == hashes[1])
    await library.close()
  }

  @Test func aChoiceSaysWhichPhotoWasChosenBeforeWhereTheAlbumStillShowsIt() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A").id
    let ids = try await library.insertRows(3, in: album)
    #expect(try await library.setCover(ids[1], of: album).previous == nil)
    #expect(try await library.setCover(ids[2], of: album).previous == ids[1])
    #expect(try await library.setCover(nil, of: album).previous == ids[2])
    try await library.setCover(ids[2], of: album)
    try await library.delete([ids[2]], from: album, mutationID: UUID())
    #expect(try await library.setCover(ids[0], of: album).previous == nil)
    await library.close()
  }

  @Test func anAlbumHasTheDatesOfWhatItShows() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A").id
    func dates() async throws -> [String?] {
      let found = try #require(try await library.album(album))
      return [found.firstDate?.iso8601, found.lastDate?.iso8601]
    }
    #expect(try await dates() == [nil, nil])
    var ids: [UUID] = []
    for (number, date) in ["2024:05:06 07:08:09", "2023:01:02 03:04:05", "2025:01:01 00:00:00", nil]
      .enumerated()
    {
      let path = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number, captured: date)
      ids.append(try await library.importFile(path, to: album).id)
    }
    #expect(try await dates() == ["2023-01-02T03:04:05Z", "2025-01-01T00:00:00Z"])
    try await library.delete([ids[1], ids[2]], from: album, mutationID: UUID())
    #expect(try await dates() == ["2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"])
    try await library.restore([ids[1]], mutationID: UUID())
    #expect(try await dates() == ["2023-01-02T03:04:05Z", "2024-05-06T07:08:09Z"])
    #expect(try await library.check().isGood)
    await library.close()
  }

  /// Folders of both releases that there are fixtures of.
  @Test(arguments: ["version-1", "version-5/database"])
  func oldFoldersHaveTheDatesOfTheirPhotos(_ fixture: String) async throws {
    let parts = ("Fixtures/" + fixture).split(separator: "/").map(String.init)
    let url = try #require(
      Bundle.module.url(
        forResource: parts.last, withExtension: "sql", subdirectory: parts.dropLast().joined(separator: "/")))
    try folder.data.prepare()
    let queue = try DatabaseQueue(path: folder.data.database)
    try await queue.write { try $0.execute(sql: String(contentsOf: url, encoding: .utf8)) }
    try queue.close()
    let library = try await folder.library()
    for album in try await library.albums() {
      let taken = try await library.photos(in: album.id).compactMap(\.captureDate)
      #expect(album.firstDate == taken.min() && album.lastDate == taken.max())
      #expect(album.coverID == nil)
      #expect(try await album.cover == library.photos(in: album.id).first?.contentHash)
    }
    await library.close()
  }
}

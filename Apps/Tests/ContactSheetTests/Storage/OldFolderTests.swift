import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// A data folder, a password and an export as the version before the attack wrote them.
@Suite struct OldFolderTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func fixture(_ name: String) throws -> String {
    let parts = name.split(separator: ".").map(String.init)
    return try #require(
      Bundle.module.url(
        forResource: parts[0], withExtension: parts[1], subdirectory: "Fixtures/version-5")
    ).path
  }

  /// The folder: the database, and the originals, which the export holds as they are.
  private func makeFolder() throws {
    try folder.data.prepare()
    let queue = try DatabaseQueue(path: folder.data.database)
    try queue.write { try $0.execute(sql: String(contentsOfFile: fixture("database.sql"), encoding: .utf8)) }
    try queue.close()
    let archive = try ZipReader(fixture("export.zip"))
    for entry in archive.entries where entry.name != AlbumManifest.fileName {
      var bytes: [UInt8] = []
      try archive.read(entry, limit: 1 << 20) { bytes += $0 }
      let path = folder.path + "/entry"
      try TestPictures.put(bytes, at: path)
      let hash = try #require(try OriginalStore.hash(of: path))
      try Files.makeFolder("\(folder.data.originals)/\(hash.prefix)")
      try Files.rename(path, to: folder.data.original(hash))
    }
    try TestPictures.put(try TestPictures.bytes(fixture("password.json")), at: folder.data.credentials)
  }

  @Test func opensIsWholeAndCanBeBackedUp() async throws {
    try makeFolder()
    let library = try await folder.library()
    let album = try #require(try await library.albums().first { $0.title == "Before the attack" })
    let photos = try await library.photos(in: album.id)
    #expect(photos.map(\.title) == ["-rf", "CON", "two words "])
    #expect(photos.map(\.fileName) == ["-rf.jpg", "CON.jpg", "two words .jpg"])
    let check = try await library.check()
    #expect(check.isGood, "\(check)")
    let copy = DataFolder(path: folder.path + "/copy")
    #expect(try await library.backUp(to: copy).isComplete)
    await library.close()
  }

  @Test func itsPasswordOpens() async throws {
    try makeFolder()
    let access = try Access(folder.data, logger: .quiet, elapsed: { .zero })
    guard case .accepted = try await access.logIn("correct horse battery", from: "127.0.0.1", device: nil)
    else {
      Issue.record("The password is not taken.")
      return
    }
  }

  @Test func itsExportComesBackToTheByte() async throws {
    let library = try await folder.library()
    let zip = try fixture("export.zip")
    let title = try #require(try await FolderImport.parts(of: [zip], into: nil).first?.title)
    #expect(title == "Before the attack")
    let album = try await library.albumTitled(title)
    let summary = try await FolderImport(to: LibraryDestination(library, album: album)).run([zip])
    #expect(summary.imported == 3 && summary.failed == 0)
    let titles = try await library.photos(in: album.id).map { Array($0.title.utf8) }
    #expect(titles == ["-rf", "CON", "two words "].map { Array($0.utf8) })
    await library.close()
  }
}

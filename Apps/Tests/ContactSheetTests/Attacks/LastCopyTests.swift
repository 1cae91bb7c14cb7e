import Foundation
import Testing

@testable import ContactSheetLibrary

/// The only whole copy of a photo is in a backup or an export, and a command is about to write there.
@Suite struct LastCopyTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Damages the file of a photo without changing its length, as a failing disk does.
  private func damage(_ photo: Photo) throws {
    let path = folder.data.original(try #require(ContentHash(photo.contentHash)))
    try TestPictures.put([UInt8](repeating: 0, count: try #require(Files.size(path))), at: path)
  }

  @Test(arguments: ["in the trash", "in another album", "in the album"])
  func anExportWithTheOnlyWholeCopyIsNotReplaced(_ whereabouts: String) async throws {
    let photos = try await folder.makeAlbum(count: 3)
    let archive = folder.path + "/a.zip"
    #expect(try await folder.run("export", archive, "--album", "Alps").status == 0)
    let bytes = try TestPictures.bytes(archive)
    let library = try await folder.library()
    switch whereabouts {
    case "in the trash":
      try await library.delete([photos[0].id], from: photos[0].albumID, mutationID: UUID())
    case "in another album":
      let other = try await library.createAlbum("Other")
      try await library.transfer([photos[0].id], from: photos[0].albumID, to: other.id, mutationID: UUID())
    default: break
    }
    await library.close()
    try damage(photos[0])
    let again = try await folder.run("export", archive, "--album", "Alps")
    #expect(again.status != 0, "\(again.text)")
    #expect(try TestPictures.bytes(archive) == bytes)
    #expect(
      try await folder.run("export", archive, "--album", "Alps", "--replace").status
        == (whereabouts == "in the album" ? 65 : 0))
  }

  @Test func aBackupSaysWhatOnlyItHas() async throws {
    let photos = try await folder.makeAlbum(count: 3)
    let backup = folder.path + "/backup"
    #expect(try await folder.run("backup", backup).status == 0)
    let paths = try photos.map { folder.data.original(try #require(ContentHash($0.contentHash))) }
    try Files.remove(paths[0])
    try TestPictures.put(Array(try TestPictures.bytes(paths[1]).dropLast()), at: paths[1])
    let again = try await folder.run("backup", backup)
    #expect(again.status == 65)
    for photo in photos.prefix(2) {
      #expect(
        again.text.contains("The library has lost the file of “\(photo.title)”, which the backup still has."),
        "\(again.text)")
    }
    #expect(
      !again.text.contains(photos[2].title) && !again.text.contains("not in the backup"), "\(again.text)")
    #expect(try await folder.run("check", "--from", backup).status == 0)
    #expect(try await folder.run("backup", backup).status == 0)
  }

  @Test func aBackupHasFilesOfItsOwnWhereLinksLeadToTheLibrarys() async throws {
    let photos = try await folder.makeAlbum(count: 2)
    let backup = folder.data("backup")
    #expect(try await folder.run("backup", backup.path).status == 0)
    let hash = try #require(ContentHash(photos[0].contentHash))
    let (own, copied) = (folder.data.original(hash), backup.original(hash))
    try Files.remove(copied)
    try FileManager.default.createSymbolicLink(atPath: copied, withDestinationPath: own)
    #expect(try await folder.run("backup", backup.path).status == 0)
    #expect(!Files.areOne(own, copied))
    #expect(try OriginalStore.hash(of: copied) == hash && OriginalStore.hash(of: own) == hash)
  }

  /// `cp -a` of a library whose originals lie on another disk copies the link to them.
  @Test(arguments: ["originals", "a folder in it"])
  func aBackupWhoseFoldersAreTheLibrarysOwnIsRefused(_ which: String) async throws {
    let photos = try await folder.makeAlbum(count: 2)
    let backup = folder.data("backup")
    #expect(try await folder.run("backup", backup.path).status == 0)
    let prefix = try #require(ContentHash(photos[0].contentHash)).prefix
    let part = which == "originals" ? "" : "/\(prefix)"
    let (own, copied) = (folder.data.originals + part, backup.originals + part)
    try FileManager.default.removeItem(atPath: copied)
    try FileManager.default.createSymbolicLink(atPath: copied, withDestinationPath: own)
    let refused = try await folder.run("backup", backup.path)
    #expect(
      refused.status != 0 && refused.text.contains("link to the library's own photos"), "\(refused.text)")
    #expect(try await folder.run("check").status == 0)
  }
}

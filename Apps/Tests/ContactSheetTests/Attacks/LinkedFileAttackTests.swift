import Foundation
import Testing

@testable import ContactSheetLibrary

/// Files that have a name in the library and one in a backup, or more names than ContactSheet knows of.
@Suite struct LinkedFileAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private var copy: DataFolder { folder.data("copy") }

  /// Makes an album of three photos, and a backup of it.
  private func makeBackup() async throws -> [Photo] {
    let photos = try await folder.makeAlbum(count: 3)
    #expect(try await folder.run("backup", copy.path).status == 0)
    return photos
  }

  private func original(_ photo: Photo, of data: DataFolder) throws -> String {
    data.original(try #require(ContentHash(photo.contentHash)))
  }

  /// Gives a file another name, in place of what has that name.
  private func link(_ path: String, as name: String) throws {
    try Files.remove(name)
    try FileManager.default.linkItem(atPath: path, toPath: name)
  }

  private func copyByLinks(_ path: String, to other: String) async throws {
    try? FileManager.default.removeItem(atPath: other)
    let run = try Run(["-al", path, other], program: "/bin/cp")
    #expect(await run.wait() == 0, "\(run.text)")
  }

  @Test(arguments: ["lock", "backup.lock", "reserve", "backup.unfinished"])
  func noPhotoIsWrittenIntoByTheNameOfAFileOfOurs(_ name: String) async throws {
    let photos = try await makeBackup()
    let photo = try original(photos[0], of: folder.data)
    let bytes = try TestPictures.bytes(photo)
    for data in [copy, folder.data] {
      try link(photo, as: "\(data.path)/\(name)")
      _ = try await folder.run("backup", copy.path)
      let library = try Run(["serve", "--port", "0", "--data", data.path])
      if (try? await library.url()) != nil { library.signal(SIGTERM) }
      await library.wait()
      #expect(try TestPictures.bytes(photo) == bytes, "\(data.path)")
      try Files.remove("\(data.path)/\(name)")
    }
    #expect(try await folder.run("check").status == 0)
    #expect(try await folder.run("backup", copy.path).status == 0)
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func noPhotoIsWrittenIntoByTheNameOfAJournal(_ ending: String) async throws {
    let photos = try await makeBackup()
    let photo = try original(photos[0], of: folder.data)
    let bytes = try TestPictures.bytes(photo)
    try link(photo, as: copy.database + ending)
    let refused = try await folder.run("backup", copy.path)
    #expect(refused.status == 74 && refused.text.contains("has other names, too"), "\(refused.text)")
    #expect(try TestPictures.bytes(photo) == bytes)
    try Files.remove(copy.database + ending)
    #expect(try await folder.run("backup", copy.path).status == 0)
  }

  @Test(arguments: [true, false])
  func aBackupWhoseDatabaseIsTheLibrarysOwnIsRefused(isHardLink: Bool) async throws {
    let photos = try await makeBackup()
    try Files.remove(copy.database)
    if isHardLink {
      try link(folder.data.database, as: copy.database)
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: copy.database, withDestinationPath: folder.data.database)
    }
    let refused = try await folder.run("backup", copy.path)
    #expect(refused.status != 0 && refused.text.contains("are the same file"), "\(refused.text)")
    #expect(try await folder.run("check").status == 0)
    #expect(try await folder.photos().map(\.id) == photos.map(\.id))
  }

  /// The library would go with its backup.
  @Test(arguments: ["database", "original"])
  func aLibraryThatLeadsIntoItsBackupIsRefused(_ which: String) async throws {
    let photos = try await makeBackup()
    let (own, theirs) =
      which == "database"
      ? (folder.data.database, copy.database)
      : (try original(photos[0], of: folder.data), try original(photos[0], of: copy))
    for ending in which == "database" ? ["", "-wal", "-shm"] : [""] { try Files.remove(own + ending) }
    try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: theirs)
    let refused = try await folder.run("backup", copy.path)
    #expect(refused.status != 0 && refused.text.contains("link"), "\(refused.text)")
    let other = try await folder.run("backup", folder.path + "/other")
    #expect(other.status == 0, "another place is as good as ever: \(other.text)")
  }

  /// Yesterday's state of a backup is kept by links in many a script: `cp -al backup backup.1`.
  @Test func aBackupGoesOnWhoseFilesHaveOtherNames() async throws {
    let photos = try await makeBackup()
    let kept = folder.data("copy.1")
    try await copyByLinks(copy.path, to: kept.path)
    let library = try await folder.library()
    try await library.delete([photos[0].id], from: photos[0].albumID, mutationID: UUID())
    await library.close()
    let again = try await folder.run("backup", copy.path)
    #expect(again.status == 0, "\(again.text)")
    for (data, count) in [(kept, 3), (copy, 2)] {
      #expect(try await folder.run("check", data: data).status == 0)
      let photos = try await folder.use(data) { try await $0.photos(in: photos[0].albumID) }
      #expect(photos.count == count)
    }
  }

  /// A copy by links as the base of the first backup spares the disk the photos; its database is one with the library's.
  @Test func aCopyOfTheLibraryByLinksBecomesABackupWithADatabaseOfItsOwn() async throws {
    let photos = try await folder.makeAlbum(count: 3)
    try await copyByLinks(folder.data.path, to: copy.path)
    let refused = try await folder.run("backup", copy.path)
    #expect(refused.status != 0 && refused.text.contains("are the same file"), "\(refused.text)")
    #expect(try await folder.photos().map(\.id) == photos.map(\.id))
    for name in Files.names(in: copy.path) where Files.size("\(copy.path)/\(name)") != nil {
      try Files.remove("\(copy.path)/\(name)")
    }
    let made = try await folder.run("backup", copy.path)
    #expect(made.status == 0, "\(made.text)")
    for data in [folder.data, copy] { #expect(try await folder.run("check", data: data).status == 0) }
  }

  @Test func twoFoldersOfOneLockFileAreTwo() throws {
    try folder.data.prepare()
    try copy.prepare()
    try FolderLock.acquire(folder.data).release()
    try link(folder.data.lock, as: copy.lock)
    let (first, second) = (try FolderLock.acquire(folder.data), try FolderLock.acquire(copy))
    #expect(!Files.areOne(folder.data.lock, copy.lock))
    first.release()
    second.release()
  }
}

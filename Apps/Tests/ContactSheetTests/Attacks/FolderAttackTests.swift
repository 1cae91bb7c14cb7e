import Foundation
import Testing

@testable import ContactSheetLibrary

/// Folders that were opened to others, that lost their database, or that are unfinished.
@Suite struct FolderAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func makeAlbum(_ count: Int = 2) async throws -> [Photo] {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    for number in 0..<count {
      let path = try TestPictures.write(to: "\(folder.path)/p.jpg", number: number, width: 24, height: 16)
      let photo = try await library.importFile(path, to: album.id)
      try await library.rename(photo: photo.id, in: album.id, to: "Title \(number)")
    }
    let photos = try await library.photos(in: album.id)
    await library.close()
    return photos
  }

  private func loseDatabase(of data: DataFolder) throws {
    for name in ["", "-wal", "-shm"] { try Files.remove(data.database + name) }
  }

  @Test func everyCommandClosesAFolderThatWasOpenedToOthers() async throws {
    _ = try await makeAlbum()
    try AccessTests.setPassword("correct horse", of: folder.data)
    let data = folder.data
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    let commands = [
      ["albums"], ["photos", "--album", "A"], ["export", folder.path + "/a.zip", "--album", "A"], ["check"],
      ["backup", folder.path + "/copy"], ["reorder", "--reversed", "--album", "A"],
      ["import", folder.path + "/p.jpg", "--album", "A"], ["check", "--repair"], ["password", "--remove"],
    ]
    for arguments in commands {
      for path in [data.path, data.originals] { chmod(path, 0o777) }
      chmod(data.database, 0o666)
      let run = try Run(arguments + ["--data", data.path])
      #expect(await run.wait() == 0, "\(arguments): \(run.text)")
      #expect(try mode(data.path) == 0o700, "\(arguments)")
      #expect(try mode(data.originals) == 0o700, "\(arguments)")
      #expect(try mode(data.database) == 0o600, "\(arguments)")
    }
  }

  @Test func whatIsSharedOnPurposeStaysShared() async throws {
    let shared = folder.path + "/shared"
    try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
    chmod(shared, 0o1777)
    let data = DataFolder(path: shared)
    try data.prepare()
    let modes = try [shared, data.originals, data.database].map {
      try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
    }
    #expect(modes == [0o1777, 0o700, 0o600])
  }

  @Test(arguments: ["gone", "empty"])
  func aMissingDatabaseIsCalledMissing(_ state: String) async throws {
    _ = try await makeAlbum()
    try loseDatabase(of: folder.data)
    if state == "empty" { try TestPictures.put([], at: folder.data.database) }
    let commands = [
      ["albums"], ["check"], ["serve", "--port", "0"], ["backup", folder.path + "/copy"],
      ["import", folder.path + "/p.jpg"],
    ]
    for arguments in commands {
      let run = try Run(arguments + ["--data", folder.data.path])
      #expect(await run.wait() == 74, "\(arguments): \(run.text)")
      #expect(run.text.contains("is missing") && run.text.contains("check --from BACKUP"), "\(run.text)")
      #expect(!run.text.contains("damaged"), "\(run.text)")
    }
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0 && repair.text.contains("The database is missing."), "\(repair.text)")
    #expect(!repair.text.contains("damaged") && repair.text.contains("Recovered 2 photos"), "\(repair.text)")
  }

  @Test func aMissingDatabaseComesBackFromABackup() async throws {
    let before = try await makeAlbum()
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    try loseDatabase(of: folder.data)
    let repair = try await folder.run("check", "--from", copy)
    #expect(repair.status == 0 && repair.text.contains("The database is missing."), "\(repair.text)")
    let library = try await folder.library()
    let album = try #require(try await library.albums().first { $0.title == "A" })
    #expect(try await library.photos(in: album.id).map(\.title) == before.map(\.title))
    await library.close()
  }

  /// Of a first backup that was cut off there are photos and no database.
  @Test func anUnfinishedBackupIsNamedAndNotTakenForOne() async throws {
    _ = try await makeAlbum()
    let copy = DataFolder(path: folder.path + "/copy")
    #expect(try await folder.run("backup", copy.path).status == 0)
    try loseDatabase(of: copy)
    try TestPictures.put([], at: copy.database)
    let used = try Run(["serve", "--port", "0", "--data", copy.path])
    #expect(await used.wait() == 74)
    #expect(used.text.contains("a backup that was not finished, make the backup again"), "\(used.text)")
    let repair = try await folder.run("check", "--from", copy.path)
    #expect(repair.status == 66 && repair.text.contains("was not finished"), "\(repair.text)")
    #expect(try await folder.run("backup", copy.path).status == 0)
    #expect(try await folder.run("check", "--from", copy.path).status == 0)
  }

  /// A backup that was cut off has the albums of the one before, and originals of the next.
  @Test func aLaterBackupThatIsCutOffIsNamed() async throws {
    _ = try await makeAlbum()
    let copy = DataFolder(path: folder.path + "/copy")
    #expect(try await folder.run("backup", copy.path).status == 0)
    for number in 50..<54 {
      let picture = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
      #expect(try await folder.run("import", picture, "--album", "A").status == 0)
    }
    // They are copied in the order of their names; the last one finds a folder in its stead.
    let missing = Set(OriginalStore(folder: folder.data).names).subtracting(OriginalStore(folder: copy).names)
    let blocked = copy.original(try #require(missing.max().flatMap { ContentHash($0) }))
    try Files.makeFolder(blocked, withParents: true)
    #expect(try await folder.run("backup", copy.path).status != 0)
    try FileManager.default.removeItem(atPath: blocked)
    let check = try await folder.run("check", data: copy)
    #expect(check.status == 65 && check.text.contains("a backup that was cut off"), "\(check.text)")
    #expect(check.text.contains("3 originals") && !check.text.contains("No album has"), "\(check.text)")
    #expect(try await folder.run("backup", copy.path).status == 0)
    #expect(try await folder.run("check", data: copy).status == 0)
  }

  /// A link that leads to itself stands for a file without the right to read it, which the user of the tests may have all the same.
  @Test func anOriginalThatCannotBeReadIsNotCalledMissing() async throws {
    let photos = try await makeAlbum()
    let original = folder.data.original(try #require(ContentHash(photos[0].contentHash)))
    let away = folder.path + "/away"
    try Files.rename(original, to: away)
    try FileManager.default.createSymbolicLink(atPath: original, withDestinationPath: original)
    for arguments in [["check"], ["backup", folder.path + "/copy"]] {
      let run = try Run(arguments + ["--data", folder.data.path])
      #expect(await run.wait() == 65)
      #expect(run.text.contains("cannot be read") && !run.text.contains("is missing"), "\(run.text)")
    }
    try Files.remove(original)
    try Files.rename(away, to: original)
    #expect(try await folder.run("check").status == 0)
    #expect(try await folder.run("backup", folder.path + "/copy").status == 0)
  }

  @Test func whatIsNoDataFolderIsNotMendedIntoOne() async throws {
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 66 && repair.text.contains("is not a data folder"), "\(repair.text)")
    #expect(Files.names(in: folder.data.path).isEmpty)
  }

  @Test func behindHTTPSTheAddressOfBrowsersIsNamed() async throws {
    let server = try Run([
      "serve", "--port", "0", "--behind-https", "--without-password", "--allow-host", "photos.example",
      "--path",
      "/club", "--data", folder.data.path,
    ])
    _ = try await server.url()
    server.signal(SIGTERM)
    #expect(await server.wait() == 0)
    #expect(server.text.contains("https://photos.example/club\n"), "\(server.text)")
    let nameless = try Run([
      "serve", "--port", "0", "--behind-https", "--without-password", "--data", folder.data.path,
    ])
    _ = try await nameless.url()
    nameless.signal(SIGTERM)
    #expect(await nameless.wait() == 0)
    #expect(nameless.text.contains("Say --allow-host"), "\(nameless.text)")
  }
}

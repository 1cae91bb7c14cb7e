import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// Links in the place of ContactSheet's own folders, backups inside of data folders, intents without a database.
@Suite struct OwnFolderAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @discardableResult
  private func makeAlbum() async throws -> Photo {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let picture = try TestPictures.write(to: folder.path + "/p.jpg", width: 24, height: 16)
    let photo = try await library.importFile(picture, to: album.id)
    let photos = try await library.photos(in: album.id)
    await library.close()
    return try #require(photos.first { $0.id == photo.id })
  }

  private func loseDatabase() throws {
    for name in ["", "-wal", "-shm"] { try Files.remove(folder.data.database + name) }
  }

  @Test(arguments: ["incoming", "originals", "thumbnails", "previews"], ["link", "dangling", "file"])
  func aLinkInThePlaceOfAFolderIsRefusedAndNotFollowed(_ name: String, _ what: String) async throws {
    try await makeAlbum()
    let (path, others) = ("\(folder.data.path)/\(name)", folder.path + "/others")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    if what != "dangling" { try Files.makeFolder(others) }
    if what == "link" {
      chmod(others, 0o755)
      for file in ["letter.txt", String(repeating: "a", count: 64)] {
        try TestPictures.put([1], at: "\(others)/\(file)")
      }
    }
    if what == "file" {
      try TestPictures.put([1], at: path)
    } else {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: others)
    }
    chmod(folder.data.path, 0o755)
    for arguments in [
      ["serve", "--port", "0"], ["import", folder.path + "/p.jpg", "--album", "A"], ["check", "--repair"],
      ["password", "--remove"],
    ] {
      let run = try Run(arguments + ["--data", folder.data.path])
      let guardian = Guardian(run, seconds: 60)
      let status = await run.wait()
      guardian.dismiss()
      if arguments[0] == "password" { continue }
      #expect(status == 74, "\(arguments): \(run.text)")
      #expect(run.text.contains("\(path)” is a link, or no folder"), "\(arguments): \(run.text)")
    }
    if what == "link" {
      #expect(Files.names(in: others).count == 2, "nothing of it was removed")
      #expect(try mode(others) == 0o755, "nor closed to others")
    }
    try Files.remove(path)
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
    #expect(try await folder.run("check", "--repair").status == 0)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func aLinkToAFolderOfOriginalsIsNotFollowed() async throws {
    let photo = try await makeAlbum()
    let path = folder.data.originals + "/" + photo.contentHash.prefix(2)
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/others")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path + "/others")
    let refused = try await folder.run("check", "--repair")
    #expect(refused.status == 74 && refused.text.contains(path), "\(refused.text)")
    #expect(Files.names(in: folder.path + "/others") == [photo.contentHash])
  }

  /// `incoming` may become a link after the look at the start.
  @Test func clearingUpDoesNotFollowALink() throws {
    try folder.data.prepare()
    try Files.makeFolder(folder.path + "/others")
    try TestPictures.put([1], at: folder.path + "/others/letter.txt")
    try FileManager.default.removeItem(atPath: folder.data.incoming)
    try FileManager.default.createSymbolicLink(
      atPath: folder.data.incoming, withDestinationPath: folder.path + "/others")
    #expect(OriginalStore(folder: folder.data).recover { _ in false }.isEmpty)
    #expect(Files.names(in: folder.path + "/others") == ["letter.txt"])
  }

  /// It may become one while it is being cleared up, too.
  @Test func clearingUpGoesOnInTheFolderThatItBeganIn() throws {
    try folder.data.prepare()
    let names = ["letter.part", String(repeating: "a", count: 64), String(repeating: "b", count: 64)]
    let (others, away) = (folder.path + "/others", folder.path + "/away")
    try Files.makeFolder(others)
    for name in names {
      try TestPictures.put([1], at: "\(others)/\(name)")
      try TestPictures.put([1], at: "\(folder.data.incoming)/\(name)")
    }
    try Files.makeFolder(folder.data.incoming + "/demo/more", withParents: true)
    try TestPictures.put([1], at: folder.data.incoming + "/demo/more/x.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.data.incoming + "/demo/link", withDestinationPath: others)
    var isFirst = true
    let withdrawn = try OriginalStore(folder: folder.data).recover { _ in
      defer { isFirst = false }
      if isFirst {
        try FileManager.default.moveItem(atPath: folder.data.incoming, toPath: away)
        try FileManager.default.createSymbolicLink(
          atPath: folder.data.incoming, withDestinationPath: others)
      }
      return false
    }
    #expect(withdrawn.count == 2)
    #expect(Files.names(in: others).sorted() == names.sorted(), "nothing of it was removed")
    #expect(Files.names(in: away) == [], "all of what was cleared up was")
  }

  @Test(arguments: ["linked", "alone", "damaged original"], [false, true])
  func anIntentCostsNoPhotoWhoseDatabaseIsLost(_ state: String, hasBackup: Bool) async throws {
    let photo = try await makeAlbum()
    let hash = try #require(ContentHash(photo.contentHash))
    let copy = folder.path + "/copy"
    if hasBackup { #expect(try await folder.run("backup", copy).status == 0) }
    try loseDatabase()
    try Files.link(folder.data.original(hash), to: folder.data.intent(hash))
    if state != "linked" { try Files.remove(folder.data.original(hash)) }
    if state == "damaged original" { try TestPictures.put([1, 2, 3], at: folder.data.original(hash)) }
    // With an original that is whole elsewhere the folder is known to be one of ContactSheet.
    try TestPictures.put([], at: folder.data.database)
    if state == "alone" {
      try Files.makeFolder(folder.data.originals + "/00")
      try TestPictures.put([0], at: folder.data.originals + "/00/" + String(repeating: "0", count: 64))
    }
    let repair =
      hasBackup ? try await folder.run("check", "--from", copy) : try await folder.run("check", "--repair")
    #expect(repair.text.contains(hasBackup ? "1 photos" : "Recovered 1 photos"), "\(repair.text)")
    #expect(try OriginalStore.hash(of: folder.data.original(hash)) == hash)
    #expect(folder.files(in: "incoming") == [])
  }

  @Test func anIntentCostsNoPhotoWhoseRowCouldNotBeRead() async throws {
    let photo = try await makeAlbum()
    let hash = try #require(ContentHash(photo.contentHash))
    try TestPictures.put(Array(repeating: 0x5A, count: 8192), at: folder.data.database)
    for name in ["-wal", "-shm"] { try Files.remove(folder.data.database + name) }
    try Files.link(folder.data.original(hash), to: folder.data.intent(hash))
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0 && repair.text.contains("Recovered 1 photos"), "\(repair.text)")
  }

  @Test(arguments: [
    "D/incoming/bk", "D/originals", "D/originals/b", "D/thumbnails/b", "D/previews/b", "D/sub", "D/sub/x/y",
    "D/../data/sub", "L/sub", "L", "M/b", "D/none/../sub", "none/../data/b", "none/../L/b", ".",
  ])
  func aBackupInsideOfTheDataFolderIsRefused(_ target: String) async throws {
    try await makeAlbum()
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path + "/L", withDestinationPath: folder.data.path)
    try files.createSymbolicLink(atPath: folder.path + "/M", withDestinationPath: folder.data.originals)
    let before = try files.subpathsOfDirectory(atPath: folder.path)
    let path = "\(folder.path)/" + target.replacing("D/", with: "data/")
    let refused = try await folder.run("backup", path)
    #expect(refused.status == 64, "\(refused.text)")
    let after = try files.subpathsOfDirectory(atPath: folder.path)
    #expect(after.filter { !$0.contains("sqlite") } == before.filter { !$0.contains("sqlite") })
    // A name that begins as the data folder's does is another.
    #expect(try await folder.run("backup", folder.path + "/data2").status == 0)
  }

  private static let foreign = [
    "CREATE TABLE photo (id INTEGER PRIMARY KEY, path TEXT); INSERT INTO photo VALUES (1, 'x')",
    "CREATE TABLE album (id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('v1');"
      + " CREATE TABLE photo (id BLOB, path TEXT)",
    "CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('v1');"
      + " CREATE TABLE photo (albumID BLOB, contentHash TEXT, importedDate INTEGER)",
    "CREATE TABLE bookmark (url TEXT); INSERT INTO bookmark VALUES ('x')",
  ]

  @Test(arguments: foreign)
  func anotherProgramsDatabaseIsLeftAlone(_ schema: String) async throws {
    try folder.data.prepare()
    let queue = try DatabaseQueue(path: folder.data.database)
    try await queue.write { try $0.execute(sql: schema) }
    try queue.close()
    let before = try TestPictures.bytes(folder.data.database)
    for arguments in [["albums"], ["check"], ["check", "--repair"], ["serve", "--port", "0"]] {
      let run = try Run(arguments + ["--data", folder.data.path])
      let guardian = Guardian(run, seconds: 60)
      #expect(await run.wait() == 74, "\(arguments): \(run.text)")
      guardian.dismiss()
      #expect(run.text.contains("is a database of another program"), "\(arguments): \(run.text)")
    }
    #expect(try TestPictures.bytes(folder.data.database) == before)
  }

  @Test(arguments: foreign + ["text"])
  func aBackupDoesNotOverwriteWhatIsNoBackup(_ schema: String) async throws {
    try await makeAlbum()
    let copy = DataFolder(path: folder.path + "/copy")
    try Files.makeFolder(copy.path)
    if schema == "text" {
      try TestPictures.put(Array(repeating: 0x41, count: 5000), at: copy.database)
    } else {
      let queue = try DatabaseQueue(path: copy.database)
      try await queue.write { try $0.execute(sql: schema) }
      try queue.close()
    }
    let before = try TestPictures.bytes(copy.database)
    let refused = try await folder.run("backup", copy.path)
    #expect([74, 75].contains(refused.status), "\(refused.text)")
    #expect(try TestPictures.bytes(copy.database) == before)
    try Files.remove(copy.database)
    for _ in 0..<2 { #expect(try await folder.run("backup", copy.path).status == 0) }
  }
}

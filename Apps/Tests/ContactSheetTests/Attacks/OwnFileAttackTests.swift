import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// Names of ContactSheet's own files that something else has: a link, a pipe, a device, a folder.
@Suite struct OwnFileAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let precious = Array("somebody else's".utf8)

  private func makeAlbum() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let picture = try TestPictures.write(to: folder.path + "/p.jpg", width: 24, height: 16)
    _ = try await library.importFile(picture, to: album.id)
    await library.close()
  }

  /// Brings what the journal holds into the database, and takes SQLite's own files away.
  private func dropJournals(of data: DataFolder) throws {
    let queue = try DatabaseQueue(path: data.database)
    _ = try queue.inDatabase { try $0.checkpoint(.truncate) }
    try queue.close()
    for ending in ["-wal", "-shm"] { try Files.remove(data.database + ending) }
  }

  /// Puts something under a name; `link` leads to a file of somebody else's.
  private func put(_ what: String, at path: String) throws {
    for name in [path, folder.path + "/precious"] { try? FileManager.default.removeItem(atPath: name) }
    switch what {
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "folder": try Files.makeFolder(path)
    case "device": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    default:
      try TestPictures.put(Self.precious, at: folder.path + "/precious")
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/precious")
    }
  }

  @Test(arguments: ["lock", "backup.lock", "reserve"], ["link", "pipe", "folder", "device"])
  func whatIsNoFileOfOursIsNamedAndLeftAlone(_ name: String, _ what: String) async throws {
    try await makeAlbum()
    let path = "\(folder.data.path)/\(name)"
    try put(what, at: path)
    var commands = [["serve", "--port", "0"], ["import", folder.path + "/p.jpg"], ["check", "--repair"]]
    if name == "backup.lock" { commands.append(["backup", folder.path + "/copy"]) }
    for arguments in commands {
      let run = try Run(arguments + ["--data", folder.data.path])
      let guardian = Guardian(run, seconds: 60)
      #expect(await run.wait() == 74, "\(arguments): \(run.text)")
      guardian.dismiss()
      #expect(run.text.contains(path) && run.text.contains("Take it away"), "\(arguments): \(run.text)")
    }
    // Commands that only read go on, and wait for nobody.
    #expect(try await folder.run("albums").status == 0)
    #expect(try await folder.run("reorder", "--reversed", "--album", "A").status == 74)
    if what == "link" { #expect(try TestPictures.bytes(folder.path + "/precious") == Self.precious) }
    try FileManager.default.removeItem(atPath: path)
    #expect(try await folder.run("import", folder.path + "/p.jpg", "--album", "A").status == 0)
  }

  /// Between the look and the opening somebody may be quicker.
  @Test(arguments: ["link", "pipe", "folder", "device"])
  func whoeverIsQuickerIsNotFollowed(_ what: String) async throws {
    try folder.data.prepare()
    try put(what, at: folder.data.lock)
    #expect(throws: ContactSheetError.self) { try FolderLock.acquire(folder.data) }
    #expect(FolderLock.holder(of: folder.data) == nil)
    try FileManager.default.removeItem(atPath: folder.data.lock)
    try put(what, at: folder.data.backupLock)
    #expect(throws: ContactSheetError.self) { try DeletionTurn.removingFiles(of: folder.data) }
    #expect(throws: ContactSheetError.self) { try DeletionTurn.keepingFiles(of: folder.data) }
    if what != "folder" {
      // What is under the name that the reserve has while it is written is taken away, and not written to.
      try put(what, at: folder.data.reserve + ".new")
      let reserve = Reserve(folder.data)
      #expect(reserve.fill())
      #expect(
        try FileManager.default.attributesOfItem(atPath: folder.data.reserve)[.type] as? FileAttributeType
          == .typeRegular)
    }
    if what == "link" { #expect(try TestPictures.bytes(folder.path + "/precious") == Self.precious) }
  }

  /// A file of a few bytes that has become as long as somebody likes.
  @Test func whatIsTooLongIsNotRead() async throws {
    try AccessTests.setPassword(AccessTests.password, of: folder.data)
    let access = try Access(folder.data, logger: .quiet, elapsed: { .zero })
    guard case .accepted(let token, _) = try await access.logIn(AccessTests.password, from: "a", device: nil)
    else {
      Issue.record("The password is not taken.")
      return
    }
    let lock = try FolderLock.acquire(folder.data)
    try lock.announce(url: "http://127.0.0.1:9")
    func standing() throws -> Access.Standing {
      try Access(folder.data, logger: .quiet, elapsed: { .zero }).standing(of: token)
    }
    #expect(try standing() == .valid && FolderLock.holder(of: folder.data)?.url != nil)
    for path in [folder.data.sessions, folder.data.lock] {
      // The bytes behind it are no part of the value.
      let bytes = try TestPictures.bytes(path)
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      let blanks = [UInt8](repeating: 0x20, count: Files.maximumOwnLength - bytes.count)
      try handle.seekToEnd()
      try handle.write(contentsOf: blanks)
      if path == folder.data.sessions { #expect(try standing() == .valid) }
      #expect(FolderLock.holder(of: folder.data)?.url != nil)
      try handle.write(contentsOf: [0x20])
      try handle.close()
    }
    #expect(try standing() == .none)
    #expect(FolderLock.holder(of: folder.data)?.url == nil && FolderLock.holder(of: folder.data) != nil)
    // A length of which nothing is on the disk takes no memory either.
    try access.admitCommands()
    for path in [folder.data.token, folder.data.sessions] {
      #expect(truncate(path, 1 << 40) == 0)
      #expect(throws: SystemError.tooLong) { try Files.ownContents(path) }
    }
    lock.release()
  }

  /// SQLite would wait for a pipe for ever, remove it, or call a sound database damaged.
  @Test(arguments: ["-wal", "-shm", "-journal"], ["link", "pipe", "folder", "device"])
  func aJournalThatIsNoFileIsNamedAndLeftAlone(_ ending: String, _ what: String) async throws {
    try await makeAlbum()
    let copy = folder.data("copy")
    #expect(try await folder.run("backup", copy.path).status == 0)
    for data in [folder.data, copy] {
      try dropJournals(of: data)
      let (path, before) = (data.database + ending, try TestPictures.bytes(data.database))
      try put(what, at: path)
      var commands = [
        ["albums"], ["check"], ["check", "--repair"], ["serve", "--port", "0"],
        ["backup", folder.path + "/other"],
        ["import", folder.path + "/p.jpg"], ["export", folder.path + "/a.zip", "--album", "A"],
      ]
      if data == copy { commands = [["backup", copy.path], ["check", "--from", copy.path]] }
      for arguments in commands {
        let run = try Run(arguments + ["--data", folder.data.path])
        let guardian = Guardian(run, seconds: 60)
        #expect(await run.wait() == 74, "\(arguments): \(run.text)")
        guardian.dismiss()
        #expect(run.text.contains(path) && run.text.contains("Take it away"), "\(arguments): \(run.text)")
        #expect(!run.text.contains("damaged"), "\(arguments): \(run.text)")
      }
      #expect(try TestPictures.bytes(data.database) == before)
      if what == "link" { #expect(try TestPictures.bytes(folder.path + "/precious") == Self.precious) }
      #expect(
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
          != .typeRegular)
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(try await folder.run("check").status == 0)
    #expect(try await folder.run("backup", copy.path).status == 0)
  }

  /// The disk that holds the database is away.
  @Test func aDatabaseThatALinkHasLostIsNotMadeAnew() async throws {
    try await makeAlbum()
    let (disk, away) = (folder.path + "/disk", folder.path + "/away")
    try Files.makeFolder(disk)
    try dropJournals(of: folder.data)
    try Files.rename(folder.data.database, to: disk + "/photos")
    try FileManager.default.createSymbolicLink(
      atPath: folder.data.database, withDestinationPath: disk + "/photos")
    #expect(try await folder.run("albums").status == 0)
    try Files.rename(disk, to: away)
    for command in [
      ["albums"], ["check"], ["check", "--repair"], ["serve", "--port", "0"],
      ["import", folder.path + "/p.jpg"],
    ] {
      let run = try Run(command + ["--data", folder.data.path])
      #expect(await run.wait() == 74, "\(command): \(run.text)")
      #expect(run.text.contains("is a link that leads nowhere"), "\(command): \(run.text)")
    }
    try Files.rename(away, to: disk)
    let albums = try await folder.run("albums")
    #expect(albums.status == 0 && albums.text.contains("A"), "\(albums.text)")
    #expect(try await folder.run("check").status == 0)
  }

  @Test(arguments: ["pipe", "folder", "device"])
  func aDatabaseThatIsNoFileIsNamed(_ what: String) async throws {
    try await makeAlbum()
    for ending in ["-wal", "-shm"] { try Files.remove(folder.data.database + ending) }
    try put(what, at: folder.data.database)
    for arguments in [
      ["albums"], ["check"], ["check", "--repair"], ["serve", "--port", "0"],
      ["import", folder.path + "/p.jpg"],
    ] {
      let run = try Run(arguments + ["--data", folder.data.path])
      let guardian = Guardian(run, seconds: 60)
      #expect(await run.wait() == 74, "\(arguments): \(run.text)")
      guardian.dismiss()
      #expect(
        run.text.contains("is no file, and the database of the photos belongs there"),
        "\(arguments): \(run.text)")
    }
  }
}

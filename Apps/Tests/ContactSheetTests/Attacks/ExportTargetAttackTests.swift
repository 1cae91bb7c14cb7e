import Foundation
import NIOCore
import Testing

@testable import ContactSheetLibrary

/// Names for an export under which something else lies, or nothing can be made.
@Suite struct ExportTargetAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func export(_ path: String, _ flags: String...) async throws -> CommandResult {
    _ = try await folder.makeAlbum(count: 2)
    let run = try Run(["export", path, "--album", "Alps", "--data", folder.data.path] + flags)
    return (await run.wait(), run.text)
  }

  @Test func aFolderIsNotReplaced() async throws {
    let path = folder.path + "/Pictures"
    try Files.makeFolder(path)
    try TestPictures.put([1], at: path + "/letter.txt")
    let refused = try await export(path)
    #expect(refused.status == 73 && refused.text.contains("it is a folder"), "\(refused.text)")
    #expect(Files.names(in: path) == ["letter.txt"])
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let linked = try await folder.run("export", link, "--album", "Alps")
    #expect(linked.status == 73 && linked.text.contains("it is a folder"), "\(linked.text)")
    #expect(Files.names(in: path) == ["letter.txt"] && Files.names(in: folder.path).contains("link"))
  }

  @Test(arguments: ["pipe", "device"])
  func whatIsNoFileIsNotReplaced(_ what: String) async throws {
    let path = folder.path + "/out.zip"
    if what == "pipe" {
      #expect(mkfifo(path, 0o600) == 0)
    } else {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
    }
    let refused = try await export(path)
    #expect(refused.status == 73 && refused.text.contains("a link, a pipe or a device"), "\(refused.text)")
    #expect(access(path, F_OK) == 0 && Files.size(path) == nil)
  }

  @Test func theReasonIsSaid() async throws {
    let nowhere = try await export(folder.path + "/none/out.zip")
    #expect(
      nowhere.status == 73 && nowhere.text.contains("there is no folder “\(folder.path)/none”"),
      "\(nowhere.text)")
    let long = try await folder.run(
      "export", folder.path + "/" + String(repeating: "x", count: 300), "--album", "Alps")
    #expect(long.status == 73 && long.text.contains("File name too long"), "\(long.text)")
    try TestPictures.put([1], at: folder.path + "/file")
    let below = try await folder.run("export", folder.path + "/file/out.zip", "--album", "Alps")
    #expect(below.status == 73 && below.text.contains("Not a directory"), "\(below.text)")
  }

  /// The words of a system's library are no answer.
  @Test(.enabled(if: SmallDisk.isPermitted, SmallDisk.skipped), arguments: [false, true])
  func aFullDiskIsSaidAndTheFileThatIsThereStays(_ hasRoomToBegin: Bool) async throws {
    let disk = try SmallDisk(megabytes: 1, files: hasRoomToBegin ? nil : 3, in: folder)
    let path = disk.path + "/out.zip"
    try TestPictures.put([1, 2, 3], at: path)
    try disk.fill()
    let refused = try await export(path, "--replace")
    #expect(
      refused.status == 74 && refused.text.contains("The disk that holds “\(path)” is full"),
      "\(refused.text)")
    #expect(!refused.text.contains("Error Domain") && !refused.text.contains("NSCocoa"), "\(refused.text)")
    #expect(try TestPictures.bytes(path) == [1, 2, 3] && Files.size(path + ".part") == nil)
  }

  @Test func aFileIsReplacedAndTheOneBesideItIsNot() async throws {
    let path = folder.path + "/out.zip"
    for path in [path, path + ".part"] {
      try TestPictures.put([UInt8](repeating: 1, count: 100_000), at: path)
    }
    let done = try await export(path, "--replace")
    #expect(done.status == 0, "\(done.text)")
    #expect(try ZipReader(path).entries.count == 3 && Files.size(path + ".part") == 100_000)
  }

  /// A zip archive of a user's with a file in it, beside an export or not.
  private func archive(_ entries: [(name: String, content: String)], at path: String) throws {
    let entries = entries.map { name, content in
      var checksum = CRC32()
      let bytes = Array(content.utf8)
      bytes.withUnsafeBytes { checksum.update($0) }
      return ZipArchive.Entry(
        name: name, source: .bytes(bytes), size: bytes.count, checksum: checksum.value,
        date: Timestamp(microseconds: 0))
    }
    let reader = ArchiveReader(ZipArchive(entries: entries).pieces().0)
    var bytes: [UInt8] = []
    while let portion = try reader.next() { bytes += portion.readableBytesView }
    try TestPictures.put(bytes, at: path)
  }

  @Test(arguments: ["text", "picture", "database", "archive", "extension", "export and more", "cut off"])
  func anotherProgramsFileIsNotReplaced(_ what: String) async throws {
    let path = folder.path + "/out.zip"
    let manifest = #"{"format":1,"album":"A","photos":[{"file":"a.jpg"}]}"#
    switch what {
    case "picture": try Files.rename(try TestPictures.write(to: folder.path + "/a.jpg"), to: path)
    case "database": try TestPictures.put("SQLite format 3\0".utf8, at: path)
    case "archive": try archive([("word/document.xml", "<x/>")], at: path)
    case "extension": try archive([("manifest.json", #"{"manifest_version":3}"#)], at: path)
    case "export and more": try archive([("manifest.json", manifest), ("letter.txt", "kept")], at: path)
    case "cut off": try TestPictures.put([0x50, 0x4B, 3, 4, 0, 0], at: path)
    default: try TestPictures.put("kept".utf8, at: path)
    }
    let before = try TestPictures.bytes(path)
    let refused = try await export(path)
    #expect(
      refused.status == 73 && refused.text.contains("no export of ContactSheet")
        && refused.text.contains("--replace"), "\(refused.text)")
    #expect(try TestPictures.bytes(path) == before)
    #expect(!Files.names(in: folder.path).contains { $0.hasSuffix(".part") })
    #expect(try await export(path, "--replace").status == 0)
    // It is an export now.
    #expect(try await export(path).status == 0)
  }

  @Test func anEarlierExportAndAnEmptyFileAreReplaced() async throws {
    let path = folder.path + "/out.zip"
    try TestPictures.put([UInt8](), at: path)
    #expect(try await export(path).status == 0)
    #expect(try await export(path).status == 0)
  }

  /// The export may be all that there is of a photo.
  @Test(arguments: ["another library", "an emptied trash", "a photo changed in it"])
  func anExportWithPhotosThatTheLibraryDoesNotHaveIsNotReplaced(_ what: String) async throws {
    let path = folder.path + "/out.zip"
    let photos = try await folder.makeAlbum(count: 2)
    #expect(try await folder.run("export", path, "--album", "Alps").status == 0)
    switch what {
    case "another library":
      let fixture = try #require(
        Bundle.module.url(forResource: "export", withExtension: "zip", subdirectory: "Fixtures/version-5"))
      try TestPictures.put(try TestPictures.bytes(fixture.path), at: path)
    case "an emptied trash":
      let library = try await folder.library()
      try await library.delete([photos[0].id], from: photos[0].albumID, mutationID: UUID())
      await library.close()
      // What is in the trash is not lost; the export of before comes back for what follows.
      let before = try TestPictures.bytes(path)
      #expect(try await folder.run("export", path, "--album", "Alps").status == 0)
      try TestPictures.put(before, at: path)
      let again = try await folder.library()
      try await again.emptyTrash()
      await again.close()
    default:
      try archive(
        [
          ("a.jpg", "changed"),
          (
            "manifest.json",
            #"{"format":1,"album":"A","photos":[{"file":"a.jpg","hash":"\#(photos[0].contentHash)"}]}"#
          ),
        ], at: path)
    }
    let before = try TestPictures.bytes(path)
    let refused = try await folder.run("export", path, "--album", "Alps")
    #expect(refused.status == 73 && refused.text.contains("has no photo like"), "\(refused.text)")
    #expect(refused.text.contains("--replace") && !refused.text.contains("is no export"), "\(refused.text)")
    #expect(try TestPictures.bytes(path) == before)
    #expect(try await folder.run("export", path, "--album", "Alps", "--replace").status == 0)
  }

  /// Whoever exports one album after the other to the same file has all of it in the library still.
  @Test func anExportOfAnotherAlbumIsReplacedWhereTheLibraryHasItsPhotos() async throws {
    let path = folder.path + "/out.zip"
    _ = try await folder.makeAlbum(count: 2)
    let library = try await folder.library()
    let other = try await library.createAlbum("Other")
    _ = try await library.importFile(
      try TestPictures.write(to: folder.path + "/o.jpg", number: 77), to: other.id)
    await library.close()
    for album in ["Alps", "Other", "Alps"] {
      #expect(try await folder.run("export", path, "--album", album).status == 0)
    }
  }

  /// Where photos lie on another disk, by a link in the data folder, they are in it all the same.
  @Test(arguments: ["originals", "a folder of originals", "thumbnails", "database"], [false, true])
  func whatTheDataFolderLinksToIsNotWritten(_ what: String, replacing: Bool) async throws {
    let photos = try await folder.makeAlbum(count: 2)
    let original = folder.data.original(try #require(ContentHash(photos[0].contentHash)))
    let elsewhere = folder.path + "/elsewhere"
    let (linked, target) =
      switch what {
      case "originals": (folder.data.originals, String(original.dropFirst(folder.data.originals.utf8.count)))
      case "thumbnails": (folder.data.thumbnails, "/ab/new.zip")
      case "database": (folder.data.database, "")
      default: (Files.parent(of: original), "/" + photos[0].contentHash)
      }
    try FileManager.default.moveItem(atPath: linked, toPath: elsewhere)
    try? FileManager.default.moveItem(atPath: linked + "-wal", toPath: elsewhere + "-wal")
    try FileManager.default.createSymbolicLink(atPath: linked, withDestinationPath: elsewhere)
    if what == "thumbnails" { try Files.makeFolder(elsewhere + "/ab") }
    // SQLite makes its own.
    func files() -> [String] {
      Files.tree(folder.path).sorted().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }
    let before = files()
    let run = try Run(
      ["export", elsewhere + target, "--album", "Alps", "--data", folder.data.path]
        + (replacing ? ["--replace"] : []))
    #expect(await run.wait() == 73)
    #expect(run.text.contains("it lies in the data folder"), "\(run.text)")
    #expect(files() == before)
    #expect(try OriginalStore.hash(of: original)?.text == photos[0].contentHash)
  }

  /// As where a disk was full, and a large photo was moved to another by hand.
  @Test(arguments: ["originals", "thumbnails"])
  func aSingleFileThatLiesElsewhereIsInTheDataFolder(_ what: String) async throws {
    let photos = try await folder.makeAlbum(count: 2)
    let hash = try #require(ContentHash(photos[0].contentHash))
    let (name, elsewhere) = (
      what == "originals" ? folder.data.original(hash) : folder.data.thumbnail(hash),
      folder.path + "/elsewhere"
    )
    try Files.rename(name, to: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: elsewhere)
    let bytes = try TestPictures.bytes(elsewhere)
    let run = try Run(["export", elsewhere, "--album", "Alps", "--replace", "--data", folder.data.path])
    #expect(await run.wait() == 73)
    #expect(run.text.contains("it lies in the data folder"), "\(run.text)")
    #expect(try TestPictures.bytes(elsewhere) == bytes)
  }

  /// A file that is being written is locked by its writer.
  @Test func whatAKilledExportLeftIsTakenAwayByTheNext() async throws {
    let (left, written, others) = (
      "\(folder.path)/.contact-sheet-123.part", "\(folder.path)/.contact-sheet-456.part",
      "\(folder.path)/.contact-sheet-mine.part"
    )
    for path in [left, written, others] { try TestPictures.put("PK".utf8, at: path) }
    let descriptor = open(written, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let done = try await export(folder.path + "/out.zip")
    #expect(done.status == 0, "\(done.text)")
    #expect(Files.size(left) == nil && Files.size(written) == 2 && Files.size(others) == 2)
  }

  @Test func anEmptyNameIsNoFolder() async throws {
    for arguments in [["export", ""], ["backup", ""], ["albums", "--data", ""], ["check", "--from", ""]] {
      let run = try Run(arguments + (arguments.contains("--data") ? [] : ["--data", folder.data.path]))
      #expect(await run.wait() == 64)
      #expect(run.text.contains("is empty."), "\(arguments): \(run.text)")
    }
  }
}

import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// Commands that write a file or a folder of the user's, over something that is not theirs to lose.
@Suite struct OverwriteAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func run(_ arguments: String..., data: String? = nil) async throws -> (status: Int32, text: String)
  {
    let run = try Run(arguments + ["--data", data ?? folder.data.path])
    return (await run.wait(), run.text)
  }

  /// Imports a photo of its own for each number into an album of the data folder, or of another.
  private func importPhotos(_ numbers: Range<Int>, to album: String, of data: String? = nil) async throws {
    let photos = "\(folder.path)/photos-\(album)"
    try Files.makeFolder(photos)
    for number in numbers { try TestPictures.write(to: "\(photos)/\(number).jpg", number: number) }
    #expect(try await run("import", photos, "--album", album, data: data).status == 0)
  }

  @Test(arguments: ["folder", "link", "link to nothing", "pipe", "device", "name with a slash"])
  func anExportReplacesNothingButAFile(_ what: String) async throws {
    try await importPhotos(0..<1, to: "A")
    let path = folder.path + "/target"
    let others = folder.path + "/others"
    try TestPictures.put("kept".utf8, at: others)
    switch what {
    case "folder", "name with a slash":
      try Files.makeFolder(path)
      try TestPictures.put("kept".utf8, at: path + "/keep.txt")
    case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: others)
    case "link to nothing":
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/nothing")
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    default: break
    }
    let target = what == "device" ? "/dev/full" : path + (what == "name with a slash" ? "/" : "")
    let before = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
    let export = try await run("export", target, "--album", "A")
    #expect(export.status == 73, "\(export.text)")
    #expect(export.text.contains("cannot be written: it is a"), "\(export.text)")
    let after = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
    #expect(before == after)
    #expect(try TestPictures.bytes(others) == Array("kept".utf8))
    if what == "folder" || what == "name with a slash" { #expect(Files.names(in: path) == ["keep.txt"]) }
    #expect(!Files.names(in: folder.path).contains { $0.hasSuffix(".part") })
  }

  @Test(arguments: [
    "", "/", "/contactsheet.sqlite", "/originals", "/originals/new.zip", "/new.zip", "/../link/new.zip",
  ])
  func anExportWritesNothingIntoTheDataFolder(_ name: String) async throws {
    try await importPhotos(0..<1, to: "A")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.data.path)
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.data.path).sorted()
    let export = try await run("export", folder.data.path + name, "--album", "A")
    #expect(export.status == 73, "\(export.text)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.data.path).sorted() == before)
    #expect(try await run("check").status == 0)
  }

  @Test func anExportThatFailsLeavesTheFileAndThatBesideIt() async throws {
    try await importPhotos(0..<2, to: "A")
    let path = folder.path + "/a.zip"
    for file in [path, path + ".part"] { try TestPictures.put("kept".utf8, at: file) }
    let library = try await folder.library()
    let album = try #require(try await library.albums().first { $0.title == "A" })
    let photo = try #require(try await library.photos(in: album.id).last)
    await library.close()
    // The same length with other bytes: noticed while it is sent.
    let original = folder.data.original(try #require(ContentHash(photo.contentHash)))
    var bytes = try TestPictures.bytes(original)
    bytes[bytes.count / 2] ^= 1
    try TestPictures.put(bytes, at: original)
    let failed = try await run("export", path, "--album", "A", "--replace")
    #expect(failed.status == 65, "\(failed.text)")
    for file in [path, path + ".part"] { #expect(try TestPictures.bytes(file) == Array("kept".utf8)) }
    bytes[bytes.count / 2] ^= 1
    try TestPictures.put(bytes, at: original)
    #expect(try await run("export", path, "--album", "A", "--replace").status == 0)
    #expect(try TestPictures.bytes(path).starts(with: Array("PK".utf8)))
    #expect(try TestPictures.bytes(path + ".part") == Array("kept".utf8))
    #expect(!Files.names(in: folder.path).contains { $0.hasPrefix(".contact-sheet") })
  }

  @Test func anExportIsItsOwnersAloneUnlessTheFileWasOpened() async throws {
    try await importPhotos(0..<1, to: "A")
    let path = folder.path + "/a.zip"
    for mode in [0o600, 0o644] {
      #expect(try await run("export", path, "--album", "A").status == 0)
      let now = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(now == mode)
      #expect(chmod(path, 0o644) == 0)
    }
  }

  @Test func twoExportsToOneFileLeaveAWholeOne() async throws {
    try await importPhotos(0..<2, to: "A")
    let path = folder.path + "/a.zip"
    let runs = try (0..<3).map { _ in try Run(["export", path, "--album", "A", "--data", folder.data.path]) }
    for run in runs { #expect(await run.wait() == 0, "\(run.text)") }
    #expect(try await run("import", path, "--album", "B").status == 0)
  }

  @Test func aBackupDoesNotOverwriteAFolderThatHasMore() async throws {
    try await importPhotos(0..<2, to: "Old")
    let copy = folder.path + "/copy"
    #expect(try await run("backup", copy).status == 0)
    try await importPhotos(2..<4, to: "New")
    // The arguments the wrong way round.
    let swapped = try await run("backup", folder.data.path, data: copy)
    #expect(swapped.status == 75, "\(swapped.text)")
    #expect(swapped.text.contains("2 photos (“2”, “3”) and 1 album (“New”)"), "\(swapped.text)")
    #expect(try await run("albums").text.contains("2\tNew"))
    #expect(try await run("check").status == 0)
    // The right way round it is a backup as ever, again and again, also where somebody has looked into it.
    for _ in 0..<2 {
      #expect(try await run("backup", copy).status == 0)
      #expect(try await run("check", data: copy).status == 0)
    }
  }

  @Test func aBackupDoesNotOverwriteACopyThatWasUsed() async throws {
    try await importPhotos(0..<2, to: "A")
    let copy = folder.path + "/copy"
    #expect(try await run("backup", copy).status == 0)
    try await importPhotos(2..<3, to: "Own", of: copy)
    let refused = try await run("backup", copy)
    #expect(refused.status == 75 && refused.text.contains("--replace"), "\(refused.text)")
    #expect(try await run("albums", data: copy).text.contains("1\tOwn"))
    #expect(try await run("check", data: copy).status == 0)
    #expect(try await run("backup", copy, "--replace").status == 0)
    #expect(try await !run("albums", data: copy).text.contains("Own"))
  }

  @Test func aTitleThatOnlyTheCopyHasIsNotOverwritten() async throws {
    try await importPhotos(0..<2, to: "A")
    let copy = DataFolder(path: folder.path + "/copy")
    #expect(try await run("backup", copy.path).status == 0)
    let used = try await PhotoLibrary.open(copy, decoder: InProcessDecoder(), logger: .quiet)
    let album = try #require(try await used.albums().first { $0.title == "A" })
    _ = try await used.rename(album.id, to: "B")
    await used.close()
    #expect(try await run("backup", copy.path).status == 75)
    #expect(try await run("albums", data: copy.path).text.contains("2\tB"))
  }

  /// Photos that are removed here for good are in the backup still, which is no reason to keep them.
  @Test(arguments: [false, true])
  func whatIsRemovedForGoodIsRemovedFromTheBackup(wasLookedAt: Bool) async throws {
    try await importPhotos(0..<2, to: "A")
    let copy = folder.path + "/copy"
    #expect(try await run("backup", copy).status == 0)
    if wasLookedAt { #expect(try await run("albums", data: copy).status == 0) }
    let library = try await folder.library()
    let album = try #require(try await library.albums().first { $0.title == "A" })
    try await library.delete(
      [try #require(try await library.photos(in: album.id).first).id], from: album.id, mutationID: UUID())
    try await library.emptyTrash()
    await library.close()
    #expect(try await run("backup", copy).status == 0)
    #expect(try await run("albums", data: copy).text.contains("1\tA"))
    #expect(try await run("check", data: copy).status == 0)
  }

  @Test(arguments: ["albums", "photos"])
  func aListThatCannotBeWrittenIsAnError(_ command: String) async throws {
    try await importPhotos(0..<1, to: "A")
    let album = command == "photos" ? "--album A" : ""
    for (output, status) in [(">/dev/full", 74), (">&-", 74), ("| true", 0), (">/dev/null", 0)]
      as [(String, Int32)]
    {
      let shell = try Run(
        ["-c", "\(Program.path) \(command) \(album) --data \(folder.data.path) \(output)"], program: "/bin/sh"
      )
      #expect(await shell.wait() == status, "\(command) \(output): \(shell.text)")
    }
    #expect(try await run("check").status == 0)
  }

  @Test func whatIsMeantByATitleThatTwoAlbumsHaveIsSaid() async throws {
    let library = try await folder.library()
    for _ in 0..<2 { _ = try await library.createAlbum("A") }
    await library.close()
    #expect(try await run("photos", "--album", "A").text.contains("There are 2 albums “A”"))
  }

  @Test func aDataFolderThatWasReplacedTakesNothing() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let (data, away) = (folder.data.path, folder.path + "/away")
    let photo = try TestPictures.write(to: folder.path + "/0.jpg", number: 0)
    try FileManager.default.moveItem(atPath: data, toPath: away)
    try FileManager.default.copyItem(atPath: away, toPath: data)
    let bytes = try TestPictures.bytes(photo)
    let refused = await code {
      try await library.importStream(named: "0.jpg", to: album.id) { append in
        try bytes.withUnsafeBytes { try append($0) }
      }
    }
    #expect(refused == .storage)
    #expect(await code { try await library.importFile(photo, to: album.id) } == .storage)
    #expect(await code { try await library.rename(album.id, to: "B") } == .storage)
    #expect(folder.files(in: "originals").isEmpty && folder.files(in: "incoming").isEmpty)
    try FileManager.default.removeItem(atPath: data)
    try FileManager.default.moveItem(atPath: away, toPath: data)
    #expect(try await library.importFile(photo, to: album.id).status == .imported)
    await library.close()
  }

  @Test func theFolderOfIncomingFilesIsMadeAgain() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    try FileManager.default.removeItem(atPath: folder.data.incoming)
    let photo = try TestPictures.write(to: folder.path + "/0.jpg", number: 0)
    #expect(try await library.importFile(photo, to: album.id).status == .imported)
    await library.close()
  }

  /// Some file systems take these for one name.
  @Test func namesThatAreOneWithoutTheirCaseAreTwoInAnExport() {
    let names = ExportNames.make(for: ["SS.jpg", "ß.jpg", "ﬁ.jpg", "fi.jpg", "FI.jpg"], numbered: false)
    #expect(names == ["SS.jpg", "ß (2).jpg", "ﬁ.jpg", "fi (2).jpg", "FI (3).jpg"])
  }
}

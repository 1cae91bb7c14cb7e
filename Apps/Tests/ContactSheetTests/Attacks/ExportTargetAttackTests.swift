import Foundation
import Testing

@testable import ContactSheet

/// Names for an export under which something else lies, or nothing can be made.
@Suite struct ExportTargetAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func export(_ path: String) async throws -> CommandResult {
    _ = try await folder.makeAlbum(count: 2)
    return try await folder.run("export", path, "--album", "Alps")
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
    let refused = try await export(path)
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
    let done = try await export(path)
    #expect(done.status == 0, "\(done.text)")
    #expect(try ZipReader(path).entries.count == 3 && Files.size(path + ".part") == 100_000)
  }
}

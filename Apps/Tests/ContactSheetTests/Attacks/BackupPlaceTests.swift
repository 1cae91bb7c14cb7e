import Foundation
import Testing

@testable import ContactSheetLibrary

/// Places that a backup cannot be made at, and what is said of them.
@Suite struct BackupPlaceTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private var target: String { folder.path + "/copy" }

  private func refusal(_ status: Int32) async throws -> String {
    _ = try await folder.makeAlbum(count: 1)
    let refused = try await folder.run("backup", target)
    #expect(refused.status == status, "\(refused.text)")
    #expect(!refused.text.contains("right to write") && !refused.text.contains("--data"), "\(refused.text)")
    return refused.text
  }

  @Test func aFileIsCalledAFile() async throws {
    try TestPictures.put("mine".utf8, at: target)
    #expect(try await refusal(73).contains("“\(target)” is a file, and no folder"))
    #expect(try TestPictures.bytes(target) == Array("mine".utf8))
    let server = try await folder.run("import", folder.path, data: DataFolder(path: target))
    #expect(server.status == 73 && server.text.contains("is a file, and no folder"), "\(server.text)")
  }

  @Test func aLinkThatLeadsToNothingIsCalledSo() async throws {
    try FileManager.default.createSymbolicLink(atPath: target, withDestinationPath: folder.path + "/disk")
    #expect(try await refusal(73).contains("is a link to a folder that does not exist"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/disk"))
  }

  @Test func aBackupBesideAnotherIsToldToWait() async throws {
    let copy = DataFolder(path: target)
    try copy.prepare()
    let lock = try FolderLock.acquire(copy)
    defer { lock.release() }
    #expect(try await refusal(75).contains("perhaps by another backup. Wait until it has ended"))
  }
}

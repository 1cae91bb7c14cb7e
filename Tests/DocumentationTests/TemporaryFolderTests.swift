import Foundation
import Testing

@testable import _TestTools

@Suite("Temporary folders")
struct TemporaryFolderTests {
  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test("A temporary folder is removed with its last reference")
  func lastReference() throws {
    var folder: TemporaryFolder? = try TemporaryFolder()
    let path = try #require(folder?.path)
    try Data([1]).write(to: URL(fileURLWithPath: path + "/file"))
    #expect(exists(path))
    folder = nil
    #expect(!exists(path))
  }

  @Test("A temporary folder is removed where the store in it cannot be made")
  func failedStore() throws {
    final class Holder {
      let folder: TemporaryFolder
      init(_ path: inout String) throws {
        folder = try TemporaryFolder()
        path = folder.path
        throw CancellationError()
      }
    }
    var path = ""
    #expect(throws: CancellationError.self) { try Holder(&path) }
    #expect(!path.isEmpty && !exists(path))
  }

  @Test("A folder that a process leaves is removed at its end")
  func endOfProcess() async throws {
    let root = try TemporaryFolder()
    await #expect(processExitsWith: .exitCode(7)) { [root = root.path as String] in
      setenv("TMPDIR", root, 1)
      let folder = try TemporaryFolder()
      try Data([1]).write(to: URL(fileURLWithPath: folder.path + "/file"))
      let count = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()).count
      precondition(count == 1)
      withExtendedLifetime(folder) { exit(7) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == [])
  }

  @Test("A folder that a killed process leaves is removed by the next one, and no other")
  func killedProcess() async throws {
    let root = try TemporaryFolder()
    await #expect(processExitsWith: .signal(SIGKILL)) { [root = root.path as String] in
      setenv("TMPDIR", root, 1)
      let folder = try TemporaryFolder()
      _ = try ProcessFolder(in: folder.path)
      withExtendedLifetime(folder) { _ = kill(getpid(), SIGKILL) }
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: root.path)
    #expect(left.count == 1)
    // One that is in use stays.
    let living = try ProcessFolder(in: root.path)
    try Data().write(to: URL(fileURLWithPath: root.path + "/another"))
    ProcessFolder.removeAbandoned(in: root.path)
    #expect(!exists(root.path + "/" + left[0]))
    #expect(exists(living.path) && exists(root.path + "/another"))
  }
}

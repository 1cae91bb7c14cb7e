import CVipsShim
import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// First starts, and starts without room for SQLite's own files, on disks that others have filled.
///
/// One after the other: making and filling disks blocks threads that other tests need.
@Suite(.serialized, .enabled(if: SmallDisk.isPermitted, SmallDisk.skipped)) struct FirstStartAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func expectFull(_ arguments: [String], _ data: DataFolder) async throws {
    let run = try Run(arguments + ["--data", data.path])
    let guardian = Guardian(run)
    #expect(await run.wait() == 74, "\(arguments): \(run.text)")
    #expect(
      run.text.contains("is full") && run.text.contains("Make room and try again"),
      "\(arguments): \(run.text)")
    guardian.dismiss()
  }

  private func expectThatItBegins(_ data: DataFolder) async throws {
    let library = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
    #expect(try await library.check().isGood)
    await library.close()
  }

  @Test(arguments: [0, 12, 44, 600, 1100])
  func aFirstStartOnAFullDiskSaysSoAndMakesNothing(leaving kilobytes: Int) async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = DataFolder(path: disk.path + "/deep/data")
    try disk.fill(leaving: kilobytes)
    try await expectFull(["serve", "--port", "0"], data)
    #expect(Files.names(in: disk.path) == ["filler"])
    try Files.remove(disk.path + "/filler")
    try await expectThatItBegins(data)
  }

  @Test func whateverBeginsADataFolderSaysThatTheDiskIsFull() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = DataFolder(path: disk.path + "/data")
    let picture = try TestPictures.write(to: folder.path + "/a.jpg", width: 90, height: 70)
    try disk.fill(leaving: 40)
    for arguments in [["import", picture], ["demo", "--count", "1"]] { try await expectFull(arguments, data) }
    #expect(throws: ContactSheetError.self) { try Access.setPassword("correct horse", of: data) }
    #expect(Files.names(in: disk.path) == ["filler"])
  }

  /// There are bytes, but no more files: systems call that full, too.
  @Test(arguments: [2, 5, 7, 8, 9, 11])
  func aFirstStartWhereNoMoreFilesFitSaysSoAndMakesNothing(files: Int) async throws {
    let disk = try SmallDisk(megabytes: 8, files: files, in: folder)
    try await expectFull(["serve", "--port", "0"], DataFolder(path: disk.path + "/data"))
    #expect(Files.names(in: disk.path).isEmpty)
  }

  /// Between too few files for all and enough for some: it begins, or makes nothing and says so.
  @Test(arguments: [12, 15, 17, 18, 20, 22, 24])
  func aFirstStartWithFewFilesLeftBeginsOrMakesNothing(files: Int) async throws {
    let disk = try SmallDisk(megabytes: 8, files: files, in: folder)
    let data = DataFolder(path: disk.path + "/deep/data")
    let run = try Run(["serve", "--port", "0", "--data", data.path])
    let guardian = Guardian(run)
    if (try? await run.url()) != nil {
      run.signal(SIGTERM)
      #expect(await run.wait() == 0, "\(run.text)")
    } else {
      #expect(await run.wait() == 74, "\(run.text)")
      #expect(run.text.contains("inodes") && run.text.contains("Nothing was made"), "\(run.text)")
      #expect(Files.names(in: disk.path).isEmpty)
    }
    guardian.dismiss()
  }

  @Test func aFolderWhoseFilesFindNoRoomSaysThatTheDiskIsFull() async throws {
    let disk = try SmallDisk(megabytes: 8, files: 100, in: folder)
    let data = DataFolder(path: disk.path + "/data")
    try await expectThatItBegins(data)
    let queue = try DatabaseQueue(path: data.database)
    _ = try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
    for path in [data.lock, data.reserve] { try Files.remove(path) }
    for number in 0..<100 { _ = try? OpenFile(writing: "\(disk.path)/\(number)") }
    // First the lock finds no room, then SQLite's files.
    #expect(throws: ContactSheetError.self) { try FolderLock.acquire(data) }
    for command in [["serve", "--port", "0"], ["check"]] { try await expectFull(command, data) }
    try Files.remove(disk.path + "/0")
    try await expectFull(["serve", "--port", "0"], data)
  }

  /// SQLite makes sure of one block for each page of its index in memory; where a page lies in several, the system ended
  /// whoever wrote to another one.
  @Test(
    .enabled(if: SmallDisk.hasSmallBlocks, SmallDisk.skipped),
    arguments: [0, 20, 36, 48, 64], [true, false])
  func smallBlocksEndNoStart(leaving kilobytes: Int, isFirst: Bool) async throws {
    let disk = try SmallDisk(smallBlocksIn: folder)
    let data = DataFolder(path: disk.path + "/data")
    if !isFirst {
      try await expectThatItBegins(data)
      let queue = try DatabaseQueue(path: data.database)
      _ = try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
      try queue.close()
      try Files.remove(data.reserve)
    }
    try disk.fill(leaving: kilobytes)
    try await expectFull(["serve", "--port", "0"], data)
    #expect(isFirst ? Files.size(data.database) == nil : Files.size(data.database) ?? 0 > 0)
    try Files.remove(disk.path + "/filler")
    try await expectThatItBegins(data)
  }

  #if os(Linux)
    @Test func aMappedPageWithoutABlockEndsWithTheReason() async throws {
      let result = await #expect(processExitsWith: .exitCode(74), observing: [\.standardErrorContent]) {
        let words: StaticString = "the disk is full"
        words.withUTF8Buffer { text in
          text.withMemoryRebound(to: CChar.self) { cs_explain_bus_errors($0.baseAddress, 74) }
        }
        var path = Array("/tmp/mapped-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        unlink(path)
        ftruncate(descriptor, 4096)
        let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        ftruncate(descriptor, 0)
        page?.storeBytes(of: 1, as: UInt8.self)
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("the disk is full"))
    }
  #endif
}

import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// A database that cannot be reached is not damaged.
@Suite struct UnreachableDatabaseTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test(arguments: [["check"], ["check", "--repair"]])
  func oneThatAnotherProgramHasLockedIsNotMadeAnew(_ command: [String]) async throws {
    let photos = try await folder.makeAlbum(count: 2)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: folder.data.database, configuration: configuration)
    let run = try other.inDatabase { db in
      try db.execute(sql: "PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE; UPDATE album SET title = 'Kept'")
      return try Run(command + ["--data", folder.data.path])
    }
    #expect(await run.wait() == 75, "\(run.text)")
    #expect(!run.text.contains("damaged") && run.text.contains("locked by another program"), "\(run.text)")
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    try other.close()
    #expect(try await folder.photos().map(\.id) == photos.map(\.id))
    #expect(try await folder.run("albums").text.contains("Kept"))
    #expect(Files.size(folder.data.database + ".damaged") == nil)
  }

  /// Who has locked a database may be writing its header.
  @Test(arguments: ["by SQLite", "by the system"], [16, 512])
  func oneThatIsLockedIsNotMadeAnewThoughItsHeaderIsNotWhole(_ how: String, _ count: Int) async throws {
    let photos = try await folder.makeAlbum(count: 2)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: folder.data.database, configuration: configuration)
    try await other.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
      if how == "by SQLite" { try db.execute(sql: "BEGIN EXCLUSIVE; SELECT * FROM album") }
    }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.data.database))
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    if how != "by SQLite" { #expect(fcntl(handle.fileDescriptor, F_SETLK, &lock) == 0) }
    let header = try #require(try handle.read(upToCount: count))
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: [UInt8](repeating: 0, count: count))
    let before = try #require(Files.size(folder.data.database))
    for command in [["check"], ["check", "--repair"]] {
      let run = try Run(command + ["--data", folder.data.path])
      #expect(await run.wait() == 75, "\(command): \(run.text)")
      #expect(run.text.contains("locked by another program"), "\(command): \(run.text)")
    }
    #expect(
      Files.size(folder.data.database) == before && Files.size(folder.data.database + ".damaged") == nil)
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: header)
    if how == "by SQLite" { try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") } }
    try other.close()
    try handle.close()
    #expect(try await folder.run("check").status == 0)
    #expect(try await folder.photos().map(\.id) == photos.map(\.id))
  }

  @Test func oneWhoseIndexCannotBeOpenedIsNotMadeAnew() async throws {
    let photos = try await folder.makeAlbum(count: 2)
    let index = folder.data.database + "-shm"
    try? Files.remove(index)
    try FileManager.default.createSymbolicLink(
      atPath: index, withDestinationPath: folder.path + "/nowhere/index")
    for command in [["check"], ["check", "--repair"]] {
      let run = try Run(command + ["--data", folder.data.path])
      #expect(await run.wait() != 0)
      #expect(!run.text.contains("damaged"), "\(run.text)")
    }
    try Files.remove(index)
    #expect(try await folder.photos().map(\.id) == photos.map(\.id))
    #expect(try await folder.run("check").status == 0)
  }

  @Test func tooFewOpenFilesAreSaidBeforeAnything() async throws {
    _ = try await folder.makeAlbum(count: 2)
    for count in [9, 16, 40] {
      let run = try Run(
        [
          "-c", "ulimit -n \(count); exec \"$0\" check --repair --data \"$1\"", Program.path,
          folder.data.path,
        ], program: "/bin/sh")
      #expect(await run.wait() == 69, "\(run.text)")
      #expect(run.text.contains("ulimit -n 1024"), "\(run.text)")
    }
    #expect(try await folder.run("check").status == 0)
  }
}

#if os(Linux)
  @testable import ContactSheetLibrary
  import Foundation
  import GRDB
  import Testing

  @testable import ContactSheet

  /// Files that take the name of the database, or its content, while a server has it open.
  @Suite struct ReplacedDatabaseTests {
    let folder: TestFolder
    init() throws { folder = try TestFolder() }

    /// Makes the library of a folder with one album, and gives its database.
    private func makeOther() async throws -> (path: String, bytes: [UInt8]) {
      let other = DataFolder(path: folder.path + "/other")
      let library = try await PhotoLibrary.open(other, decoder: InProcessDecoder(), logger: .quiet)
      _ = try await library.createAlbum("Other")
      await library.close()
      // All of it in one file, as others make one to be copied.
      let queue = try DatabaseQueue(path: other.database)
      try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try queue.close()
      return (other.database, try TestPictures.bytes(other.database))
    }

    private func rename(_ server: RunningProgram, to title: String) throws -> String {
      try server.ask("POST", "/api/albums", json: #"{"title":"\#(title)"}"#)
    }

    /// Writes over a file as `cp` does, and gives it a time of its own.
    private func copy(_ bytes: [UInt8], over path: String) throws {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(bytes))
      try file.close()
    }

    @Test(arguments: ["mv", "cp", "rm"])
    func aDatabaseThatIsReplacedTakesNothingAndIsNotChanged(_ way: String) async throws {
      _ = try await folder.makeAlbum(count: 3)
      let other = try await makeOther()
      let server = try await RunningProgram(folder)
      for number in 0..<3 {
        #expect(RunningProgram.status(try rename(server, to: "A\(number)")) == 201)
      }
      switch way {
      case "mv": try Files.rename(other.path, to: folder.data.database)
      case "cp": try copy(other.bytes, over: folder.data.database)
      default: try Files.remove(folder.data.database)
      }
      for _ in 0..<2 {
        let refused = try rename(server, to: "B")
        #expect(RunningProgram.status(refused) == 500, "\(refused)")
        #expect(
          refused.contains("was replaced") && refused.contains("Start ContactSheet again"), "\(refused)")
      }
      // New connections to the database would read another file, and open ones a mixture of the two.
      #expect(try server.status("GET", "/api/albums") == 500)
      await server.stop()
      #expect(server.run.text.contains("was replaced"), "the log says it: \(server.run.text)")
      guard way != "rm" else { return }
      #expect(try TestPictures.bytes(folder.data.database) == other.bytes, "nothing was written to it")
      // What belonged to the former one is kept beside it, and not read into the new one.
      let again = try await RunningProgram(folder)
      let albums = try again.ask("GET", "/api/albums")
      #expect(albums.contains("Other") && !albums.contains("A0"), "\(albums)")
      await again.stop()
      #expect(try await folder.run("check").text.contains("A0") == false)
    }

    @Test(arguments: ["mv", "cp", "rm"])
    func aJournalThatIsReplacedTakesNothing(_ way: String) async throws {
      _ = try await folder.makeAlbum(count: 3)
      let server = try await RunningProgram(folder)
      #expect(RunningProgram.status(try rename(server, to: "A")) == 201)
      let journal = folder.data.database + "-wal"
      let former = try TestPictures.bytes(journal)
      #expect(RunningProgram.status(try rename(server, to: "B")) == 201)
      switch way {
      case "mv":
        try TestPictures.put(former, at: folder.path + "/former")
        try Files.rename(folder.path + "/former", to: journal)
      case "cp": try copy(former, over: journal)
      default: try Files.remove(journal)
      }
      let refused = try rename(server, to: "C")
      #expect(RunningProgram.status(refused) == 500 && refused.contains("was replaced"), "\(refused)")
      #expect(try server.status("GET", "/api/albums") == 500)
      await server.stop()
      // A journal that was written over is gone; what is confirmed is there where it was not.
      guard way != "cp" else { return }
      let again = try await RunningProgram(folder)
      let albums = try again.ask("GET", "/api/albums")
      #expect(albums.contains("\"A\"") && albums.contains("\"B\"") && !albums.contains("\"C\""), "\(albums)")
      await again.stop()
    }

    /// Another library's journal has its pages where the index says that our own are.
    @Test func theJournalOfAnotherLibraryIsNeitherReadNorWritten() async throws {
      _ = try await folder.makeAlbum(count: 3)
      let other = try TestFolder()
      let theirs = try await RunningProgram(other)
      let server = try await RunningProgram(folder)
      for number in 0..<3 {
        #expect(RunningProgram.status(try rename(theirs, to: "Other\(number)")) == 201)
        #expect(RunningProgram.status(try rename(server, to: "A\(number)")) == 201)
      }
      try copy(
        try TestPictures.bytes(other.data.database + "-wal"), over: folder.data.database + "-wal")
      let answer = try server.ask("GET", "/api/albums")
      #expect(RunningProgram.status(answer) == 500 && !answer.contains("Other"), "\(answer)")
      #expect(RunningProgram.status(try rename(server, to: "B")) == 500)
      for program in [server, theirs] { await program.stop() }
    }

    /// Of a folder whose files are all written over, with SQLite's own, nothing but the content tells.
    /// A copy of a folder in use, put back while the same server runs: the number that it has was this run's own.
    @Test func anEarlierMomentOfTheSameRunIsNeitherReadNorWritten() async throws {
      _ = try await folder.makeAlbum(count: 1)
      let server = try await RunningProgram(folder)
      #expect(RunningProgram.status(try rename(server, to: "Early")) == 201)
      let names = ["", "-shm", "-wal"]
      let bytes = try names.map { try TestPictures.bytes(folder.data.database + $0) }
      #expect(RunningProgram.status(try rename(server, to: "Late")) == 201)
      #expect(try server.ask("GET", "/api/albums").contains("Late"))
      for (name, bytes) in zip(names, bytes) { try copy(bytes, over: folder.data.database + name) }
      for _ in 0..<2 {
        #expect(try server.status("GET", "/api/albums") == 500)
        #expect(RunningProgram.status(try rename(server, to: "Lost")) == 500)
      }
      await server.stop()
    }

    @Test(arguments: ["another library", "an earlier state"])
    func aFolderThatIsWrittenOverIsNeitherReadNorWritten(_ source: String) async throws {
      _ = try await folder.makeAlbum(count: 3)
      var other = try TestFolder()
      var theirs: RunningProgram?
      if source == "an earlier state" {
        try FileManager.default.removeItem(atPath: other.path)
        let before = try await RunningProgram(folder)
        #expect(RunningProgram.status(try rename(before, to: "Other")) == 201)
        try FileManager.default.copyItem(atPath: folder.path, toPath: other.path)
        await before.stop()
      } else {
        other = try TestFolder()
        theirs = try await RunningProgram(other)
        #expect(try RunningProgram.status(rename(#require(theirs), to: "Other")) == 201)
      }
      let server = try await RunningProgram(folder)
      #expect(RunningProgram.status(try rename(server, to: "A")) == 201)
      let names = ["", "-shm", "-wal"]
      let bytes = try names.map { try TestPictures.bytes(other.data.database + $0) }
      for (name, bytes) in zip(names, bytes) { try copy(bytes, over: folder.data.database + name) }
      for _ in 0..<2 {
        let answer = try server.ask("GET", "/api/albums")
        #expect(RunningProgram.status(answer) == 500 && !answer.contains("Other"), "\(answer)")
        let refused = try rename(server, to: "B")
        #expect(RunningProgram.status(refused) == 500 && refused.contains("was replaced"), "\(refused)")
      }
      await server.stop()
      await theirs?.stop()
      let again = try await RunningProgram(folder)
      let albums = try again.ask("GET", "/api/albums")
      #expect(albums.contains("Other") && !albums.contains("\"B\""), "\(albums)")
      await again.stop()
    }

    /// SQLite seeks the journal beside what a link leads to, so that what is confirmed would not be found again.
    @Test func aDatabaseThatBecomesALinkToItselfTakesNothingAndKeepsWhatItHas() async throws {
      _ = try await folder.makeAlbum(count: 3)
      let server = try await RunningProgram(folder)
      #expect(RunningProgram.status(try rename(server, to: "A")) == 201)
      let elsewhere = folder.path + "/real.sqlite"
      try Files.rename(folder.data.database, to: elsewhere)
      try FileManager.default.createSymbolicLink(
        atPath: folder.data.database, withDestinationPath: elsewhere)
      let refused = try rename(server, to: "B")
      #expect(RunningProgram.status(refused) == 500 && refused.contains("was replaced"), "\(refused)")
      #expect(try server.status("GET", "/api/albums") == 500)
      await server.stop()
      let again = try await RunningProgram(folder)
      let albums = try again.ask("GET", "/api/albums")
      #expect(albums.contains("\"A\"") && albums.contains("Alps") && !albums.contains("\"B\""), "\(albums)")
      #expect(RunningProgram.status(try rename(again, to: "C")) == 201)
      await again.stop()
    }

    /// A folder that is moved to another disk or name, with a link left behind, leads to the same files.
    @Test func aFolderAboveThatBecomesALinkToItselfReplacesNothing() async throws {
      _ = try await folder.makeAlbum(count: 3)
      let server = try await RunningProgram(folder)
      let elsewhere = folder.path + "/moved"
      try Files.rename(folder.data.path, to: elsewhere)
      try FileManager.default.createSymbolicLink(atPath: folder.data.path, withDestinationPath: elsewhere)
      #expect(RunningProgram.status(try rename(server, to: "A")) == 201)
      await server.stop()
      let again = try await RunningProgram(folder)
      #expect(try again.ask("GET", "/api/albums").contains("\"A\""))
      await again.stop()
    }

    /// Commands beside a server, and programs that use SQLite as it is meant, replace nothing.
    @Test func whoReadsAndWritesByTheRulesReplacesNothing() async throws {
      _ = try await folder.makeAlbum(count: 3)
      let server = try await RunningProgram(folder)
      for number in 0..<3 {
        #expect(RunningProgram.status(try rename(server, to: "A\(number)")) == 201)
        #expect(try await folder.run("albums").status == 0)
        #expect(try await folder.run("check").status == 0)
        #expect(try await folder.run("backup", folder.path + "/copy", "--replace").status == 0)
        let queue = try DatabaseQueue(path: folder.data.database)
        try await queue.write { try $0.execute(sql: "UPDATE album SET title = title || 'x'") }
        if number == 1 { try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.passive) } }
        try queue.close()
      }
      // Enough for SQLite to write its journal into the database by itself, which it does every thousand pages.
      let size = try #require(Files.size(folder.data.database))
      var count = 0
      while try #require(Files.size(folder.data.database)) == size, count < 2000 {
        #expect(RunningProgram.status(try rename(server, to: "B\(count)")) == 201)
        count += 1
      }
      for _ in 0..<3 { #expect(RunningProgram.status(try rename(server, to: "C")) == 201) }
      #expect(count < 2000)
      await server.stop()
    }
  }
#endif

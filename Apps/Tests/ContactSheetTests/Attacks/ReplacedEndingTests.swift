#if os(Linux)
  @testable import ContactSheetLibrary
  import Foundation
  import GRDB
  import Testing
  import _TestTools

  @testable import ContactSheet

  /// The end of a server whose database others replaced, touched or put back: what is in the files just before it is there after it.
  @Suite struct ReplacedEndingTests {
    let folder: TestFolder
    init() throws { folder = try TestFolder() }

    private static let names = ["", "-shm", "-wal"]

    /// Something that is done to the files beside a running server.
    struct Deed: Sendable, CustomTestStringConvertible {
      let name: String
      /// Whether the journal of the former database would be mixed into the one that is there now.
      var isForeign = false
      let play: @Sendable (ReplacedEndingTests) throws -> Void
      var testDescription: String { name }
    }

    private var database: String { folder.data.database }
    private var kept: String { folder.path + "/kept" }

    private func touch(_ names: [String]) throws {
      for name in names {
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: database + name)
      }
    }

    /// Puts files of a snapshot in the place of the database's, written over or by renaming.
    private func putBack(_ names: [String], from source: String, moving: Bool = false) throws {
      for name in names where Files.size(source + name) != nil {
        if moving {
          try Files.rename(source + name, to: database + name)
          continue
        }
        let file = try #require(FileHandle(forWritingAtPath: database + name))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(TestPictures.bytes(source + name)))
        try file.close()
      }
    }

    private func snapshot(_ to: String) throws {
      for name in Self.names where Files.size(database + name) != nil {
        try TestPictures.put(try TestPictures.bytes(database + name), at: to + name)
      }
    }

    private static let deeds: [Deed] = touched + replaced + foreign + copied

    private static let touched: [Deed] = [
      Deed(name: "nothing") { _ in },
      Deed(name: "touch database") { try $0.touch([""]) },
      Deed(name: "touch journal") { try $0.touch(["-wal"]) },
      Deed(name: "touch all") { try $0.touch(names) },
    ]

    private static var replaced: [Deed] {
      let parts: [(name: String, files: [String])] = [
        ("database", [""]), ("journal", ["-wal"]), ("database and journal", ["", "-wal"]),
        ("journal and database", ["-wal", ""]), ("all", names), ("all backwards", names.reversed()),
      ]
      var deeds: [Deed] = []
      for (part, files) in parts {
        for isMoved in [false, true] {
          let how = isMoved ? "mv" : "cp"
          deeds.append(
            Deed(name: "\(how) identical \(part)") { test in
              try test.snapshot(test.kept + ".now")
              try test.putBack(files, from: test.kept + ".now", moving: isMoved)
            })
          // The journal of the run goes with the earlier database, too: SQLite has not begun it anew since.
          deeds.append(
            Deed(name: "\(how) earlier \(part)") { test in
              try test.putBack(files, from: test.kept, moving: isMoved)
            })
        }
      }
      return deeds
    }

    private static var foreign: [Deed] {
      var deeds: [Deed] = []
      for isMoved in [false, true] {
        let how = isMoved ? "mv" : "cp"
        deeds.append(
          Deed(name: "\(how) other database", isForeign: true) { test in
            try test.putBack([""], from: test.folder.path + "/other/contactsheet.sqlite", moving: isMoved)
          })
        deeds.append(
          Deed(name: "\(how) database of an earlier run", isForeign: true) { test in
            try test.putBack([""], from: test.folder.path + "/earlier", moving: isMoved)
          })
      }
      return deeds
    }

    private static let copied: [Deed] = [
      Deed(name: "cp -a DATA COPY; cp -a COPY/. DATA") { test in
        let copy = test.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: test.folder.data.path, toPath: copy)
        try test.putBack(names, from: copy + "/contactsheet.sqlite")
      },
      Deed(name: "folder swapped for its copy") { test in
        let copy = test.folder.path + "/copy"
        try FileManager.default.copyItem(atPath: test.folder.data.path, toPath: copy)
        try Files.rename(test.folder.data.path, to: test.folder.path + "/away")
        try Files.rename(copy, to: test.folder.data.path)
      },
    ]

    /// The titles that SQLite reads from a copy of the files.
    private func titles(withJournal: Bool) throws -> [String] {
      let copy = folder.path + "/\(UUID().uuidString)"
      for name in ["", "-wal"] where Files.size(database + name) != nil && (name.isEmpty || withJournal) {
        try TestPictures.put(try TestPictures.bytes(database + name), at: copy + name)
      }
      let queue = try DatabaseQueue(path: copy)
      defer { try? queue.close() }
      return try queue.read { db in
        #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
        return try String.fetchAll(
          db, sql: "SELECT title FROM album UNION ALL SELECT title FROM photo ORDER BY 1")
      }
    }

    private func makeOther() async throws {
      let library = try await PhotoLibrary.open(
        DataFolder(path: folder.path + "/other"), decoder: InProcessDecoder(), logger: .quiet)
      _ = try await library.createAlbum("Other")
      await library.close()
      try await takeIn(folder.path + "/other/contactsheet.sqlite")
    }

    /// Has all of a database in one file, as others make one to be copied.
    private func takeIn(_ path: String) async throws {
      let queue = try DatabaseQueue(path: path)
      try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try queue.close()
    }

    @Test(arguments: inTurns(deeds, of: 3), [SIGTERM, SIGINT, SIGKILL])
    func whatIsThereBeforeTheEndIsThereAfterIt(_ deed: Deed, _ signal: Int32) async throws {
      // A killed process adds nothing and takes nothing away, and mixes what it cannot set aside: that is said.
      guard signal != SIGKILL || !deed.isForeign else { return }
      try await makeOther()
      _ = try await folder.makeAlbum(count: 2)
      try await takeIn(database)
      try TestPictures.put(try TestPictures.bytes(database), at: folder.path + "/earlier")
      let server = try await RunningProgram(folder)
      func add(_ title: String) throws -> Int {
        try server.status("POST", "/api/albums", json: #"{"title":"\#(title)"}"#)
      }
      for number in 0..<3 { #expect(try add("Early\(number)") == 201) }
      try snapshot(kept)
      for number in 0..<3 { #expect(try add("Late\(number)") == 201) }
      try deed.play(self)
      _ = try add("After")
      let before = try titles(withJournal: !deed.isForeign)
      await server.end(by: signal)
      let after = try titles(withJournal: true)
      // A journal put in place of the server's own may lack the last confirmed writes: more titles than it has are right.
      #expect(Set(after).isSuperset(of: before), "\(after), and before \(before): \(server.run.text)")
      if !deed.name.contains("journal") { #expect(after == before, "\(server.run.text)") }
      let isAside = Files.size(DataFolder.journalAside(of: database)) != nil
      if isAside { #expect(server.run.text.contains("was put aside"), "\(server.run.text)") }
      if deed.isForeign { #expect(isAside) }
      let again = try await RunningProgram(folder)
      let albums = try again.ask("GET", "/api/albums")
      for title in after where !title.hasPrefix("Title") {
        #expect(albums.contains("\"\(title)\""), "\(title): \(albums)")
      }
      await again.stop()
      #expect(try titles(withJournal: true) == after)
    }

    @Test func checkNamesAJournalThatWasPutAside() async throws {
      _ = try await folder.makeAlbum(count: 1)
      try TestPictures.put([1], at: DataFolder.journalAside(of: database))
      let looked = try await folder.run("check")
      #expect(looked.status == 0)
      #expect(looked.text.contains("“contactsheet.sqlite-wal.replaced” is the journal"), "\(looked.text)")
      #expect(looked.text.contains("check --repair"))
      let mended = try await folder.run("check", "--repair")
      #expect(
        mended.status == 0 && mended.text.contains("contact-sheet albums --data FOLDER"), "\(mended.text)")
      #expect(Files.size(DataFolder.journalAside(of: database)) == 1)
    }
  }
#endif

import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// Data folders of which the database's file is lost and its journal is there, and files that are none.
@Suite struct LeftoverAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// An album in an order of its own, with titles; of the database all is in the journal.
  private func makeAlbum(_ count: Int = 6) async throws -> [Photo] {
    let library = try await folder.library()
    let album = try await library.createAlbum("Alps")
    for number in 0..<count {
      let path = try TestPictures.write(to: "\(folder.path)/p.jpg", number: number, width: 24, height: 16)
      let photo = try await library.importFile(path, to: album.id, named: "\(number).jpg")
      try await library.rename(photo: photo.id, in: album.id, to: "Title \(number)")
    }
    var generator = SeededGenerator(seed: 5)
    let ids = try await library.photos(in: album.id).map(\.id).shuffled(using: &generator)
    try await library.sort(album.id, by: .ids(ids), mutationID: UUID())
    let photos = try await library.photos(in: album.id)
    // As a kill leaves it: the journal is not taken into the database.
    let copy = folder.path + "/kept-wal"
    try Files.remove(copy)
    try FileManager.default.copyItem(atPath: folder.data.database + "-wal", toPath: copy)
    await library.close()
    for name in ["-wal", "-shm"] { try Files.remove(folder.data.database + name) }
    try FileManager.default.moveItem(atPath: copy, toPath: folder.data.database + "-wal")
    return photos
  }

  private func loseDatabase(_ state: String) throws {
    try Files.remove(folder.data.database)
    if state == "empty" { try TestPictures.put([], at: folder.data.database) }
  }

  private func photos() async throws -> [Photo] {
    let library = try await PhotoLibrary.visit(folder.data, logger: .quiet)
    defer { Task { await library.close() } }
    var photos: [Photo] = []
    for album in try await library.albums() { photos += try await library.photos(in: album.id) }
    return photos
  }

  @Test(arguments: ["gone", "empty"])
  func whatTheJournalOfALostDatabaseHoldsComesBack(_ state: String) async throws {
    let before = try await makeAlbum()
    let journal = try TestPictures.bytes(folder.data.database + "-wal")
    try loseDatabase(state)
    for arguments in [["albums"], ["serve", "--port", "0"], ["check"]] {
      let run = try Run(arguments + ["--data", folder.data.path])
      #expect(await run.wait() == 74, "\(arguments): \(run.text)")
      #expect(run.text.contains("is missing") && run.text.contains("check --repair"), "\(run.text)")
    }
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    #expect(repair.text.contains("Read 6 photos in 1 albums"), "\(repair.text)")
    #expect(try await photos().map(\.withoutChecksum) == before.map(\.withoutChecksum))
    let kept = folder.data.database + "-wal.damaged"
    #expect(repair.text.contains(kept) && (try? TestPictures.bytes(kept)) == journal, "\(repair.text)")
  }

  /// Nothing but albums without photos: no original tells that there was a database.
  @Test func aJournalAloneKeepsAnEmptyDatabaseFromBeingBegun() async throws {
    _ = try await makeAlbum(0)
    try loseDatabase("gone")
    let serve = try await folder.run("serve", "--port", "0")
    #expect(serve.status == 74 && serve.text.contains("is missing"), "\(serve.text)")
    let other = try TestFolder()
    let copied = try Run(["backup", folder.data.path, "--data", other.data.path])
    #expect(await copied.wait() != 0, "\(copied.text)")
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    let albums = try await folder.run("albums")
    #expect(albums.text.contains("Alps"), "\(albums.text)")
  }

  @Test(arguments: [0, 20, 40, 5000])
  func ofAJournalThatIsDamagedAllIsKeptAndAsMuchAsPossibleRead(_ offset: Int) async throws {
    let before = try await makeAlbum()
    var journal = try TestPictures.bytes(folder.data.database + "-wal")
    for index in offset..<offset + 8 { journal[index] ^= 0x5A }
    try TestPictures.put(journal, at: folder.data.database + "-wal")
    try loseDatabase("gone")
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    #expect(Set(try await photos().map(\.contentHash)) == Set(before.map(\.contentHash)))
    #expect(try TestPictures.bytes(folder.data.database + "-wal.damaged") == journal)
  }

  @Test(arguments: ["", "/.", "link"])
  func aBackupIntoTheFolderItselfIsRefused(_ way: String) async throws {
    _ = try await makeAlbum(1)
    var target = folder.data.path + way
    if way == "link" {
      target = folder.path + "/link"
      try FileManager.default.createSymbolicLink(atPath: target, withDestinationPath: folder.data.path)
    }
    for arguments in [["backup", target], ["check", "--from", target]] {
      let run = try Run(arguments + ["--data", folder.data.path])
      #expect(await run.wait() == 64, "\(run.text)")
      #expect(run.text.contains("is the data folder itself"), "\(run.text)")
    }
    #expect(try await photos().count == 1)
  }

  @Test func filesOfSecretsThatWereOpenedToOthersAreClosed() async throws {
    _ = try await makeAlbum(1)
    try AccessTests.setPassword("correct horse", of: folder.data)
    try TestPictures.put([], at: folder.data.sessions)
    try TestPictures.put([], at: folder.data.token)
    let secrets = [folder.data.credentials, folder.data.sessions, folder.data.token]
    for folderMode in [0o700, 0o777] as [mode_t] {
      chmod(folder.data.path, folderMode)
      for path in secrets { chmod(path, 0o666) }
      #expect(try await folder.run("albums").status == 0)
      for path in secrets {
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(path)")
      }
    }
  }

  @Test(arguments: ["file", "manifest", "original"])
  func whatIsNoRegularFileIsRefusedAndWaitsForNobody(_ what: String) async throws {
    let photos = try await makeAlbum(1)
    let pipes = folder.path + "/pipes"
    try Files.makeFolder(pipes)
    let pipe: String
    switch what {
    case "file": pipe = pipes + "/f.jpg"
    case "manifest": pipe = pipes + "/manifest.json"
    default: pipe = folder.data.original(try #require(ContentHash(photos[0].contentHash)))
    }
    try Files.remove(pipe)
    #expect(mkfifo(pipe, 0o600) == 0)
    let arguments =
      switch what {
      case "file": ["import", pipe]
      case "manifest": ["import", pipes]
      default: ["check"]
      }
    let run = try Run(arguments + ["--data", folder.data.path])
    let guardian = Task {
      try await Task.sleep(for: .seconds(60))
      run.signal(SIGKILL)
    }
    let status = await run.wait()
    guardian.cancel()
    #expect([65, 66].contains(status), "\(run.text)")
    let named = what == "original" ? "is missing" : "no regular file"
    #expect(run.text.contains(named), "\(run.text)")
  }

  @Test func anImportSaysTheTitleThatTheAlbumHas() async throws {
    _ = try await makeAlbum(1)
    let picture = folder.path + "/p.jpg"
    for (given, stored) in [("  Sea \t side ", "Sea side"), (" ", "Untitled")] {
      let importing = try await folder.run("import", picture, "--album", given)
      #expect(importing.status == 0 && importing.text.contains("into “\(stored)”"), "\(importing.text)")
    }
    let server = try Run(["serve", "--port", "0", "--data", folder.data.path])
    _ = try await server.url()
    let importing = try await folder.run("import", picture, "--album", " Lake  ")
    #expect(importing.text.contains("into “Lake”"), "\(importing.text)")
    server.signal(SIGTERM)
    await server.wait()
  }
}

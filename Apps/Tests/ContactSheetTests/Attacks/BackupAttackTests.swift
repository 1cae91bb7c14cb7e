import Foundation
import GRDB
import Testing
import _TestTools

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Backups of one library that are not of one age: none overwrites what its source does not know.
@Suite struct BackupAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func importPhotos(_ numbers: Range<Int>, to title: String = "A", of data: DataFolder) async throws {
    try await folder.use(data) { library in
      let album = try await library.albumTitled(title)
      for number in numbers {
        let picture = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
        #expect(try await library.importFile(picture, to: album.id).status == .imported)
      }
    }
  }

  /// The album of the photos, by whatever title.
  private func album(of library: PhotoLibrary) async throws -> Album {
    try #require(try await library.albums().first { ["A", "Newer name"].contains($0.title) })
  }

  private func rename(_ data: DataFolder, to title: String) async throws {
    try await folder.use(data) { _ = try await $0.rename(try await album(of: $0).id, to: title) }
  }

  private func copy(_ source: DataFolder, to target: DataFolder) throws {
    try FileManager.default.copyItem(atPath: source.path, toPath: target.path)
  }

  /// All that a backup has to keep: the rows as text.
  private func state(_ data: DataFolder) throws -> [String] {
    let queue = try DatabaseQueue(path: data.database)
    defer { try? queue.close() }
    return try queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT quote(id) || title || quote(rank) || quote(deletedDate) FROM album ORDER BY id")
        + String.fetchAll(
          db,
          sql: """
            SELECT quote(id) || quote(albumID) || title || quote(rank) || quote(trashedDate) FROM photo ORDER BY id
            """)
    }
  }

  enum Change: String, CaseIterable {
    case photo, trash, photoTitle, albumTitle, order, albumOrder, album, removal
  }

  private func make(_ change: Change, in data: DataFolder) async throws {
    if change == .photo { return try await importPhotos(2..<4, of: data) }
    try await folder.use(data) { library in
      let album = try await album(of: library)
      let photos = try await library.photos(in: album.id).map(\.id)
      switch change {
      case .photo: break
      case .trash: try await library.delete([photos[0]], from: album.id, mutationID: UUID())
      case .photoTitle: try await library.rename(photo: photos[0], in: album.id, to: "Newer title")
      case .albumTitle: _ = try await library.rename(album.id, to: "Newer name")
      case .order: try await library.sort(album.id, by: .ids(photos.reversed()), mutationID: UUID())
      case .albumOrder:
        let other = try #require(try await library.albums().first { $0.title == "B" })
        try await library.moveAlbums(
          [other.id], to: DropPosition(after: nil, before: album.id), mutationID: UUID())
      case .album: try await library.createAlbum("Newer album")
      case .removal:
        try await library.delete([photos[0]], from: album.id, mutationID: UUID())
        try await library.emptyTrash()
      }
    }
  }

  /// A library with two photos and two albums.
  private func makeLibrary() async throws -> DataFolder {
    let source = folder.data("s")
    try await importPhotos(0..<2, of: source)
    _ = try await folder.use(source) { try await $0.createAlbum("B") }
    return source
  }

  // MARK: What is newer is kept

  /// As after the loss of a disk: a copy of the folder from before is put in its place.
  @Test(arguments: inTurns(Change.allCases.filter { $0 != .removal }, of: 3), [false, true])
  func aRolledBackLibraryDoesNotOverwriteANewerBackup(_ change: Change, wasBackedUp: Bool) async throws {
    let (source, old, backup) = (try await makeLibrary(), folder.data("s.old"), folder.data("b"))
    if wasBackedUp { #expect(try await folder.run("backup", backup.path, data: source).status == 0) }
    try copy(source, to: old)
    try await make(change, in: source)
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    let before = try state(backup)
    let refused = try await folder.run("backup", backup.path, data: old)
    #expect(refused.status == 75, "\(refused.text)")
    #expect(refused.text.contains("--replace") && refused.text.contains("another folder"), "\(refused.text)")
    let named =
      switch change {
      case .photo: "2 photos (“2”, “3”)"
      case .photoTitle: "1 other title (“Newer title”)"
      case .albumTitle: "1 other title (“Newer name”)"
      case .album: "1 album (“Newer album”)"
      default: " or the trash ("
      }
    #expect(refused.text.contains(named), "\(refused.text)")
    #expect(try state(backup) == before)
    #expect(try await folder.run("check", data: backup).status == 0)
    #expect(try await folder.run("backup", backup.path, "--replace", data: old).status == 0)
    #expect(try state(backup) == state(old))
    // From now on it is a backup of the old one.
    #expect(try await folder.run("backup", backup.path, data: old).status == 0)
  }

  @Test(arguments: Change.allCases.filter { $0 != .removal })
  func anOlderBackupDoesNotOverwriteANewerOne(_ change: Change) async throws {
    let (source, older, newer) = (try await makeLibrary(), folder.data("b1"), folder.data("b2"))
    #expect(try await folder.run("backup", older.path, data: source).status == 0)
    try await make(change, in: source)
    #expect(try await folder.run("backup", newer.path, data: source).status == 0)
    let before = try state(newer)
    #expect(try await folder.run("backup", newer.path, data: older).status == 75)
    #expect(try state(newer) == before)
    // The newer one knows the older.
    #expect(try await folder.run("backup", older.path, data: newer).status == 0)
    #expect(try state(older) == before)
  }

  @Test func aLibraryThatCameBackFromAnOlderBackupDoesNotOverwriteANewerOne() async throws {
    let (source, older, newer, back) = (
      try await makeLibrary(), folder.data("b1"), folder.data("b2"), folder.data("back")
    )
    #expect(try await folder.run("backup", older.path, data: source).status == 0)
    try await importPhotos(2..<3, of: source)
    #expect(try await folder.run("backup", newer.path, data: source).status == 0)
    #expect(try await folder.run("backup", back.path, data: older).status == 0)
    try await importPhotos(3..<4, of: back)
    let refused = try await folder.run("backup", newer.path, data: back)
    #expect(refused.status == 75 && refused.text.contains("1 photo (“2”)"), "\(refused.text)")
    // The one that it came from is its past, and so is that of the library that goes on.
    #expect(try await folder.run("backup", older.path, data: back).status == 0)
  }

  /// A library that is again as it was at first is not older than the backup made in between.
  @Test func aTitleThatWasTakenBackIsNotTakenForAnOlderState() async throws {
    let (source, old, backup) = (try await makeLibrary(), folder.data("s.old"), folder.data("b"))
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    try await rename(source, to: "Newer name")
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    try copy(source, to: old)
    try await rename(source, to: "A")
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    let refused = try await folder.run("backup", backup.path, data: old)
    #expect(refused.status == 75 && refused.text.contains("1 other title (“A”)"), "\(refused.text)")
  }

  // MARK: What the source knows is replaced

  @Test(arguments: Change.allCases)
  func whateverWasDoneHereTheNextBackupNeedsNoFlag(_ change: Change) async throws {
    let (source, one, two) = (try await makeLibrary(), folder.data("b1"), folder.data("b2"))
    for backup in [one, two] {
      #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    }
    for round in 0..<2 {
      if change != .photo || round == 0 { try await make(change, in: source) }
      // Somebody looks into one of them.
      #expect(try await folder.run("albums", data: one).status == 0)
      for backup in [one, two, one] {
        let run = try await folder.run("backup", backup.path, data: source)
        #expect(run.status == 0, "\(run.text)")
        #expect(try state(backup) == state(source))
      }
    }
  }

  @Test func aBackupThatWasBackedUpIsRefreshedByItsLibrary() async throws {
    let (source, backup, further) = (try await makeLibrary(), folder.data("b"), folder.data("further"))
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    #expect(try await folder.run("backup", further.path, data: backup).status == 0)
    try await make(.removal, in: source)
    for target in [backup, further] {
      let run = try await folder.run("backup", target.path, data: source)
      #expect(run.status == 0, "\(run.text)")
      #expect(try state(target) == state(source))
    }
  }

  /// All albums are deleted and the trash is empty: that is no other library.
  @Test func aLibraryThatWasEmptiedIsBackedUpAsSuch() async throws {
    let (source, backup) = (try await makeLibrary(), folder.data("b"))
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    for title in [nil, "New"] as [String?] {
      try await folder.use(source) { library in
        for album in try await library.albums() { try await library.deleteAlbum(album.id) }
        try await library.emptyTrash()
        if let title { _ = try await library.createAlbum(title) }
      }
      let run = try await folder.run("backup", backup.path, data: source)
      #expect(run.status == 0, "\(run.text)")
      #expect(try state(backup) == state(source))
    }
  }

  // MARK: Where nobody knows

  /// As an earlier release leaves a folder: it does not note what was backed up.
  private func forget(_ data: DataFolder) throws {
    let queue = try DatabaseQueue(path: data.database)
    try queue.write { try $0.execute(sql: "DROP TABLE IF EXISTS backup") }
    try queue.close()
  }

  @Test(arguments: Change.allCases)
  func aBackupOfAnEarlierReleaseIsRefreshedWhereWhatItHasIsKnown(_ change: Change) async throws {
    let (source, backup) = (try await makeLibrary(), folder.data("b"))
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    for data in [source, backup] { try forget(data) }
    try TestPictures.put("mark".utf8, at: backup.backupMark)
    try await make(change, in: source)
    let first = try await folder.run("backup", backup.path, data: source)
    // Titles and the order of albums have no history in such a library.
    let isKnown = ![.photoTitle, .albumTitle, .albumOrder].contains(change)
    #expect(first.status == (isKnown ? 0 : 75), "\(first.text)")
    if !isKnown {
      #expect(try await folder.run("backup", backup.path, "--replace", data: source).status == 0)
    }
    #expect(try state(backup) == state(source))
    #expect(Files.size(backup.backupMark) == nil)
    try await rename(source, to: "A further name")
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    try forget(backup)
    _ = try await folder.use(backup) { try await $0.createAlbum("Own") }
    #expect(try await folder.run("backup", backup.path, data: source).status == 75)
  }

  @Test(arguments: [1, 2, 3, 4, 5])
  func aBackupOfAnyReleaseIsReplaced(_ version: Int) async throws {
    let (source, backup) = (try await makeLibrary(), folder.data("b"))
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    try Files.remove(backup.database)
    let queue = try DatabaseQueue(path: backup.database)
    let migrator = Schema.migrator()
    try migrator.migrate(queue, upTo: migrator.migrations[version - 1])
    let id = try await folder.use(source) { try await album(of: $0).id }
    try await queue.write { db in
      let columns = version < 4 ? ("", "") : (", rank", ", x'80'")
      for (id, title) in [(id, "A"), (UUID(), "Other")] {
        try db.execute(
          sql: "INSERT INTO album (id, title, createdDate\(columns.0)) VALUES (?, ?, 0\(columns.1))",
          arguments: [id, title])
      }
    }
    try queue.close()
    let refused = try await folder.run("backup", backup.path, data: source)
    #expect(refused.status == 75 && refused.text.contains("1 album (“Other”)"), "\(refused.text)")
    #expect(try await folder.run("backup", backup.path, "--replace", data: source).status == 0)
    #expect(try state(backup) == state(source))
  }

  /// A title that a repair could not read is in the backup still.
  @Test func aLibraryThatWasRepairedDoesNotOverwriteWhatItLost() async throws {
    let (source, backup) = (try await makeLibrary(), folder.data("b"))
    try await make(.photoTitle, in: source)
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    let queue = try DatabaseQueue(path: source.database)
    // Titles are lost, and the schema is damaged, so that the database is made anew.
    try await queue.write { db in
      try db.execute(sql: "UPDATE photo SET title = 'lost'; DROP INDEX photo_rank")
    }
    try queue.close()
    #expect(try await folder.run("check", "--repair", data: source).status == 0)
    let refused = try await folder.run("backup", backup.path, data: source)
    #expect(refused.status == 75 && refused.text.contains("“Newer title”"), "\(refused.text)")
  }

  @Test func theWayPastAnotherLibrarysBackupIsSaid() async throws {
    let (source, backup) = (try await makeLibrary(), folder.data("b"))
    #expect(try await folder.run("backup", backup.path, data: source).status == 0)
    let other = folder.data("other")
    try await importPhotos(5..<6, to: "Other", of: other)
    for flags in [[], ["--replace"]] {
      let run = try Run(["backup", backup.path, "--data", other.path] + flags)
      #expect(await run.wait() == 75)
      #expect(
        run.text.contains("the albums of another library")
          && run.text.contains("nor would it be with --replace")
          && run.text.contains("remove that folder first"), "\(run.text)")
    }
    #expect(try state(backup) == state(source))
  }

  @Test(.enabled(if: SmallDisk.isPermitted, SmallDisk.skipped))
  func aLibraryOnAFullDiskIsBackedUp() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let source = DataFolder(path: disk.path + "/data")
    try await importPhotos(0..<2, of: source)
    try await folder.use(source) { library in
      try disk.fill()
      #expect(try await library.backUp(to: folder.data("b")).isComplete)
      #expect(try await library.backUp(to: folder.data("b")).isComplete)
    }
  }
}

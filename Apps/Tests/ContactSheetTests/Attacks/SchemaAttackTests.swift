import Foundation
import GRDB
import Testing

@testable import ContactSheet

/// Databases whose pages are whole, and whose schema or header is not.
@Suite struct SchemaAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let count = 3

  /// An album with titles in an order of its own; closed, and without a journal.
  private func makeAlbum() async throws -> [Photo] {
    let library = try await folder.library()
    let album = try await library.createAlbum("Alps")
    for number in 0..<Self.count {
      let path = try TestPictures.write(to: "\(folder.path)/p.jpg", number: number, width: 24, height: 16)
      let photo = try await library.importFile(path, to: album.id, named: "IMG_\(number).jpg")
      try await library.rename(photo: photo.id, in: album.id, to: "Title \(number)")
    }
    try await library.arrange(album.id, by: .reversed, act: UUID())
    let photos = try await library.photos(in: album.id)
    await library.close()
    try change("SELECT 1")
    return photos
  }

  /// Carries out a statement and takes the journal into the database.
  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.data.database, configuration: DatabaseCheck.configuration)
    try queue.inDatabase { try $0.execute(sql: sql) }
    _ = try queue.inDatabase { try $0.checkpoint(.truncate) }
    try queue.close()
    for name in ["-wal", "-shm"] { try Files.remove(folder.data.database + name) }
  }

  private func run(_ arguments: String...) async throws -> (status: Int32, text: String) {
    let run = try Run(arguments + ["--data", folder.data.path])
    let guardian = Guardian(run, seconds: 60)
    defer { guardian.dismiss() }
    return (await run.wait(), run.text)
  }

  private func photos() async throws -> [Photo] {
    let library = try await PhotoLibrary.visit(folder.data, logger: .quiet)
    var photos: [Photo] = []
    for album in try await library.albums() { photos += try await library.photos(in: album.id) }
    await library.close()
    return photos
  }

  /// Sees that `check` finds damage, that no command says it in the words of a program, and that it is mended.
  private func expectMended(_ before: [Photo], _ comment: Comment, albumsAreLost: Bool = false) async throws {
    let check = try await run("check")
    #expect(check.status == 65 && check.text.contains("The database is damaged"), "\(comment): \(check.text)")
    let importing = try await run("import", folder.path + "/p.jpg", "--album", "Alps")
    #expect([0, 65, 74].contains(importing.status), "\(comment): \(importing)")
    #expect(importing.status != 74 || importing.text.contains("check --repair"), "\(comment): \(importing)")
    for words in ["SELECT ", "SQLite error", "cannot be written"] {
      #expect(!importing.text.contains(words) && !check.text.contains(words), "\(comment): \(importing)")
    }
    let repair = try await run("check", "--repair")
    #expect(repair.status == 0, "\(comment): \(repair.text)")
    let after = try await photos()
    #expect(after.map(\.id) == before.map(\.id), "\(comment): \(repair.text)")
    #expect(after.map(\.title) == before.map(\.title), "\(comment): \(repair.text)")
    if !albumsAreLost {
      let library = try await PhotoLibrary.visit(folder.data, logger: .quiet)
      #expect(try await library.albums().map(\.title) == ["Alps"], "\(comment): \(repair.text)")
      #expect(try await library.albums().map(\.photoCount) == [Self.count], "\(comment)")
      await library.close()
    }
    let again = try await run("check")
    #expect(again.status == 0 && again.text.contains("All is well"), "\(comment): \(again.text)")
  }

  @Test(arguments: [
    "DROP TABLE grdb_migrations", "DELETE FROM grdb_migrations", "DROP TABLE discarded", "DROP TABLE act",
    "DROP TABLE act_photo", "DROP TRIGGER photo_inserted", "DROP INDEX photo_rank",
    "ALTER TABLE act DROP COLUMN changed", "DROP TABLE album",
  ])
  func whatTheSchemaLacksIsNamedAndMadeAnew(_ sql: String) async throws {
    let before = try await makeAlbum()
    try change(sql)
    try await expectMended(before, "\(sql)", albumsAreLost: sql == "DROP TABLE album")
  }

  @Test(arguments: [
    ("CREATE TABLE photo", "CREATE XXXLE photo"), ("CREATE TABLE album", "CREATE TABLE \0lbum"),
    ("fileName TEXT", "fileXame TEXT"),
  ])
  func aSchemaWhoseTextIsDamagedCostsNoTitles(_ old: String, _ new: String) async throws {
    let before = try await makeAlbum()
    var data = Data(try TestPictures.bytes(folder.data.database))
    var start = data.startIndex
    while let range = data.range(of: Data(old.utf8), in: start..<data.endIndex) {
      data.replaceSubrange(range, with: Data(new.utf8))
      start = range.upperBound
    }
    try TestPictures.put(data, at: folder.data.database)
    try await expectMended(before, "\(new)")
  }

  /// The bytes of the header that SQLite needs, or judges by.
  @Test(arguments: [0, 16, 18, 20, 31, 47, 55])
  func aHeaderThatIsDamagedIsNamedAndCostsNoTitles(_ offset: Int) async throws {
    let before = try await makeAlbum()
    var bytes = try TestPictures.bytes(folder.data.database)
    bytes[offset] ^= 0x55
    try TestPictures.put(bytes, at: folder.data.database)
    try await expectMended(before, "byte \(offset)")
  }

  /// One that is whole is not called damaged, of whichever release and in whichever state.
  @Test func aSchemaOfEachReleaseIsWhole() async throws {
    for migration in Schema.migrator().migrations {
      let path = folder.path + "/\(migration.prefix(1)).sqlite"
      let queue = try DatabaseQueue(path: path)
      #expect(DatabaseCheck.problems(of: path) == [])
      _ = try await queue.writeWithoutTransaction {
        try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL")
      }
      #expect(!DatabaseHeader.isDamaged(path))
      try Schema.migrator().migrate(queue, upTo: migration)
      let problems = try await queue.read { try DatabaseCheck.schemaProblems($0) }
      #expect(problems == [], "\(migration)")
      #expect(!DatabaseHeader.isDamaged(path))
      try queue.close()
    }
  }
}

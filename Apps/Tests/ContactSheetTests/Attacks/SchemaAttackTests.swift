import Foundation
import GRDB
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Databases whose pages are whole, and whose schema or header is not.
@Suite struct SchemaAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let count = 3

  /// An album whose database has no journal.
  private func makeAlbum() async throws -> [Photo] {
    let photos = try await folder.makeAlbum(count: Self.count)
    try change("SELECT 1")
    return photos
  }

  /// Performs a statement and takes the journal into the database.
  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: folder.data.database, configuration: DatabaseCheck.configuration)
    try queue.inDatabase { try $0.execute(sql: sql) }
    _ = try queue.inDatabase { try $0.checkpoint(.truncate) }
    try queue.close()
    for name in ["-wal", "-shm"] { try Files.remove(folder.data.database + name) }
  }

  private func changeSchema(_ change: String) throws {
    try self.change("PRAGMA writable_schema = ON; UPDATE sqlite_master SET \(change)")
  }

  /// Writes other bytes over some of the database's file, wherever they are.
  private func replace(_ old: String, by new: String) throws {
    var data = Data(try TestPictures.bytes(folder.data.database))
    var start = data.startIndex
    while let range = data.range(of: Data(old.utf8), in: start..<data.endIndex) {
      data.replaceSubrange(range, with: Data(new.utf8))
      start = range.upperBound
    }
    try TestPictures.put(data, at: folder.data.database)
  }

  /// Sees that `check` finds damage, that no command says it in the words of a program, and that it is mended.
  private func expectMended(_ before: [Photo], _ comment: Comment, albumsAreLost: Bool = false) async throws {
    let check = try await folder.run("check")
    #expect(check.status == 65 && check.text.contains("The database is damaged"), "\(comment): \(check.text)")
    let importing = try await folder.run("import", folder.path + "/p.jpg", "--album", "Alps")
    #expect([0, 65, 74].contains(importing.status), "\(comment): \(importing)")
    #expect(importing.status != 74 || importing.text.contains("check --repair"), "\(comment): \(importing)")
    for words in ["SELECT ", "SQLite error", "cannot be written"] {
      #expect(!importing.text.contains(words) && !check.text.contains(words), "\(comment): \(importing)")
    }
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(comment): \(repair.text)")
    let after = try await folder.photos()
    #expect(after.map(\.id) == before.map(\.id), "\(comment): \(repair.text)")
    #expect(after.map(\.title) == before.map(\.title), "\(comment): \(repair.text)")
    if !albumsAreLost {
      let library = try await PhotoLibrary.visit(folder.data, logger: .quiet)
      #expect(try await library.albums().map(\.title) == ["Alps"], "\(comment): \(repair.text)")
      #expect(try await library.albums().map(\.photoCount) == [Self.count], "\(comment)")
      await library.close()
    }
    let again = try await folder.run("check")
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

  /// The names of migrations: a database of which none is known could be another program's, and one with unknown ones a newer release's.
  @Test(arguments: [
    "'x' || identifier", "replace(identifier, ':', ';')", "CASE rowid WHEN 2 THEN 'x' ELSE identifier END",
    "CASE rowid WHEN 7 THEN x'FF' ELSE identifier END", "rowid",
  ])
  func migrationsWhoseNamesAreDamagedAreNamedAndCostNoTitles(_ value: String) async throws {
    let before = try await makeAlbum()
    try change("UPDATE grdb_migrations SET identifier = \(value)")
    try await expectMended(before, "\(value)")
  }

  @Test(arguments: [
    "INSERT INTO grdb_migrations VALUES ('x')",
    "UPDATE grdb_migrations SET identifier = '8: y' WHERE rowid = 2",
  ])
  func whatANewerReleaseMadeIsNotMended(_ change: String) async throws {
    _ = try await makeAlbum()
    try self.change(change)
    let before = try namesAndTitles()
    for arguments in [["albums"], ["check"], ["check", "--repair"]] {
      let run = try Run(arguments + ["--data", folder.data.path])
      #expect(await run.wait() == 65)
      #expect(run.text.contains("made by a newer release"), "\(run.text)")
    }
    #expect(try namesAndTitles() == before)
  }

  /// The names of the migrations, and the photos' titles.
  private func namesAndTitles() throws -> [String] {
    let queue = try DatabaseQueue(path: folder.data.database)
    defer { try? queue.close() }
    return try queue.read { db in
      try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
        + String.fetchAll(db, sql: "SELECT title FROM photo ORDER BY rank")
    }
  }

  @Test(arguments: [
    ("CREATE TABLE photo", "CREATE XXXLE photo"), ("CREATE TABLE album", "CREATE TABLE \0lbum"),
    ("fileName TEXT", "fileXame TEXT"),
  ])
  func aSchemaWhoseTextIsDamagedCostsNoTitles(_ old: String, _ new: String) async throws {
    let before = try await makeAlbum()
    try replace(old, by: new)
    try await expectMended(before, "\(new)")
  }

  /// The bytes of the header that SQLite needs, or checks; and those by which it reads texts, or keeps for later.
  @Test(arguments: [0, 16, 18, 20, 31, 44, 47, 55, 56, 57, 58, 59, 72, 91])
  func aHeaderThatIsDamagedIsNamedAndCostsNoTitles(_ offset: Int) async throws {
    let before = try await makeAlbum()
    var bytes = try TestPictures.bytes(folder.data.database)
    bytes[offset] ^= 0x55
    try TestPictures.put(bytes, at: folder.data.database)
    try await expectMended(before, "byte \(offset)")
  }

  /// Statements that SQLite takes as they are.
  @Test(arguments: [
    ("photo_inserted", "photoCount + 1", "photoCount + 7"),
    ("photo_content", "UNIQUE INDEX", "INDEX"), ("photo_moved", "cover IS NOT", "cover IS"),
    ("photo", "title TEXT NOT NULL", "title TEXT"), ("photo", " ON DELETE CASCADE", ""),
    ("album", "photoCount INTEGER NOT NULL DEFAULT 0", "photoCount INTEGER NOT NULL DEFAULT 9"),
  ])
  func aStatementThatStillParsesIsNamedAndMadeAnew(_ name: String, _ old: String, _ new: String)
    async throws
  {
    let before = try await makeAlbum()
    try changeSchema("sql = replace(sql, '\(old)', '\(new)') WHERE name = '\(name)'")
    try await expectMended(before, "\(name): \(new)")
  }

  /// The columns of the schema beside an object's statement.
  @Test(arguments: [
    "name = 'photx' WHERE name = 'photo'", "name = 'albux' WHERE name = 'album'",
    "name = 'photo_movex' WHERE name = 'photo_moved'", "tbl_name = 'photx' WHERE name = 'photo_moved'",
    "name = 'grdb_migrationx' WHERE name = 'grdb_migrations'", "type = 'tablx' WHERE name = 'album'",
  ])
  func aNameThatIsDamagedIsNamedAndMadeAnew(_ change: String) async throws {
    let before = try await makeAlbum()
    try changeSchema(change)
    try await expectMended(before, "\(change)")
  }

  /// No statement leads to the table's pages any more.
  @Test(arguments: ["photo", "album", "grdb_migrations"])
  func aTableWhoseNameIsDamagedEverywhereCostsNoTitles(_ name: String) async throws {
    let before = try await makeAlbum()
    let damaged = name.dropLast() + "\u{1}"
    try replace("CREATE TABLE \(name)", by: "CREATE TABLE \(damaged)")
    try replace("table\(name)\(name)", by: "table\(damaged)\(damaged)")
    try await expectMended(before, "\(name)")
  }

  @Test(arguments: ["DELETE FROM sqlite_master WHERE name = 'photo'", "DELETE FROM sqlite_master"])
  func aSchemaThatHasNoRowOfATableCostsNoTitles(_ change: String) async throws {
    let before = try await makeAlbum()
    try self.change("PRAGMA writable_schema = ON; \(change)")
    try await expectMended(before, "\(change)")
  }

  @Test(arguments: [0, 0x5A, 0xFF] as [UInt8])
  func aFirstPageThatIsLostCostsNoTitles(_ byte: UInt8) async throws {
    let before = try await makeAlbum()
    var bytes = try TestPictures.bytes(folder.data.database)
    bytes.replaceSubrange(0..<4096, with: repeatElement(byte, count: 4096))
    try TestPictures.put(bytes, at: folder.data.database)
    try await expectMended(before, "\(byte)")
  }

  /// A database that lost columns is not read as one of an earlier release, and what the others hold stays.
  @Test(arguments: [
    ["color"], ["checksum"], ["dateText"], ["title"], ["fileName"], ["width", "height"], ["importedDate"],
    ["color", "dateText", "checksum"], ["rank"], ["trashedDate"],
  ])
  func aTableThatLostColumnsKeepsWhatTheOthersHold(_ lost: [String]) async throws {
    var before = try await makeAlbum()
    let library = try await folder.library()
    let trashed = before.removeLast()
    _ = try await library.delete([trashed.id], from: trashed.albumID, mutationID: UUID())
    await library.close()
    let dependants = ["rank", "trashedDate", "importedDate"].contains(lost[0]) ? Self.dependants : []
    try change(
      (dependants.map { "DROP \($0)" } + lost.map { "ALTER TABLE photo DROP COLUMN \($0)" })
        .joined(separator: "; "))
    let check = try await folder.run("check")
    #expect(check.status == 65, "\(check.text)")
    for column in lost {
      #expect(check.text.contains("The column \(column) of the table photo is missing"), "\(check.text)")
    }
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    let after = try await folder.photos()
    let expected = lost == ["trashedDate"] ? before + [trashed] : before
    #expect(Set(after.map(\.id)) == Set(expected.map(\.id)), "\(repair.text)")
    if lost != ["rank"] { #expect(after.map(\.id) == expected.map(\.id), "\(repair.text)") }
    for photo in after {
      let was = try #require(expected.first { $0.id == photo.id })
      #expect(photo.title == (lost == ["title"] ? TextCleaning.title(ofFile: was.fileName) : was.title))
      #expect(photo.captureDate == was.captureDate && photo.dateText == was.dateText)
      #expect(photo.width == was.width && photo.byteCount == was.byteCount)
    }
    let again = try await folder.run("check")
    #expect(again.status == 0 && again.text.contains("All is well"), "\(again.text)")
  }

  /// All that has to go before some of the columns can.
  private static let dependants = [
    "INDEX photo_captureDate", "INDEX photo_dated",
    "INDEX photo_rank", "INDEX photo_shown", "INDEX photo_content", "INDEX photo_trashed",
    "TRIGGER photo_inserted", "TRIGGER photo_deleted", "TRIGGER photo_left", "TRIGGER photo_came",
    "TRIGGER photo_moved", "TRIGGER album_covered",
  ]

  /// Rows of photos that were deleted may lie on pages that are free.
  @Test func aTableWithoutANameIsNotSoughtOnFreePages() async throws {
    let before = try await folder.makeAlbum(count: 40, padding: 100)
    let library = try await folder.library()
    let gone = before.prefix(30)
    _ = try await library.delete(gone.map(\.id), from: gone[gone.startIndex].albumID, mutationID: UUID())
    try await library.emptyTrash()
    await library.close()
    try change("PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'photo'")
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    #expect(try await folder.photos().map(\.title) == before.dropFirst(30).map(\.title), "\(repair.text)")
  }

  @Test func blanksCommentsCaseAndQuotesMakeNoOtherStatement() {
    let statement = StatementTokens("CREATE INDEX a ON b(c, d) WHERE e = 'X' AND f <> x'0A'")
    for same in [
      "create index a on b ( c,d )\nwhere e='X' and f<>X'0A'",
      "CREATE /* a */ INDEX \"a\" ON [b](`c`, d) -- e\n WHERE e = 'X' AND f <> x'0A'",
    ] {
      #expect(StatementTokens(same) == statement, "\(same)")
    }
    for other in [
      "CREATE INDEX a ON b(c, d) WHERE e = 'x' AND f <> x'0A'",
      "CREATE INDEX a ON b(cd) WHERE e = 'X' AND f <> x'0A'",
      "CREATE INDEX a ON b(c, d) WHERE e = ' X' AND f <> x'0A'", "CREATE INDEX a ON b(c, d)", "",
      "CREATE INDEX a ON b(c, 'd') WHERE e = 'X' AND f <> x'0A'",
    ] {
      #expect(StatementTokens(other) != statement, "\(other)")
    }
  }

  /// A table to which somebody added a column has all that is needed.
  @Test func aColumnThatSomebodyAddedIsNoDamage() async throws {
    _ = try await makeAlbum()
    try change("ALTER TABLE photo ADD COLUMN note TEXT; CREATE INDEX photo_note ON photo(note)")
    let check = try await folder.run("check")
    #expect(check.status == 0, "\(check.text)")
  }

  /// One that is whole is not called damaged, of whichever release and in whichever state.
  @Test func aSchemaOfEachReleaseIsWhole() async throws {
    for migration in Schema.migrator().migrations {
      let path = folder.path + "/\(migration.prefix(1)).sqlite"
      let queue = try DatabaseQueue(path: path)
      #expect(try DatabaseCheck.problems(of: path) == [])
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

import Foundation
import LiveLists

extension PhotoLibrary {
  /// Returns whether the database of a folder is missing, and its journal is there to be read.
  package static func hasJournalAlone(_ folder: DataFolder) async throws -> Bool {
    try await blocking { folder.hasEmptyDatabase && JournalRemains.exist(of: folder.database) }
  }

  /// Returns what is wrong with the database of a folder, also where it cannot be opened: nothing where it is sound.
  package static func databaseProblems(of folder: DataFolder) async throws -> [String] {
    try await blocking { try DatabaseCheck.problems(of: folder.database) }
  }

  /// Makes a new database of what can still be read of a damaged one, which is kept beside it. The caller holds the folder's
  /// lock, and nobody has the database open.
  ///
  /// Titles, order, albums and dates come back as far as their pages can be read; the mutations that could be undone do not.
  ///
  /// - Parameters:
  ///   - folder: The data folder.
  ///   - decoder: Reads pictures whose rows are lost but for what indexes hold.
  /// - Returns: What could be read, and what could not.
  /// - Throws: `ContactSheetError` where the new database cannot be written; the damaged one is then still in its place.
  package static func rebuildDatabase(
    of folder: DataFolder, decoder: any ImageDecoder
  ) async throws -> RebuildReport {
    let rebuild = DatabaseRebuild(folder: folder)
    do {
      try await blocking { try DatabaseCheck.checkIsUnlocked(folder.database, byWriters: false) }
      var (report, fragments) = try await blocking { try rebuild.readRows() }
      for fragment in fragments {
        guard let image = try? await rebuild.decode(fragment, decoder) else {
          report.lost += 1
          continue
        }
        switch try await blocking({ try rebuild.insert(fragment, image) }) {
        case .titled: report.photos += 1
        case .untitled(let title): report.untitled[fragment.id] = title
        case .refused:
          report.lost += 1
          continue
        }
        if !fragment.isTrashKnown { report.withoutTrash.insert(fragment.id) }
      }
      report.lostCovers = try await blocking { try rebuild.lostCovers() }
      report.wasMissing = folder.hasEmptyDatabase
      // That the new database has no row of a photo does not say that the damaged one had none.
      try await blocking { try OriginalStore(folder: folder).keepIntents() }
      report.keptAs = try await blocking { try rebuild.replace() }
      return report
    } catch {
      rebuild.discard()
      throw DatabaseFailure.explain(error, folder.database)
    }
  }
}

/// The steps of making a database anew. Its calls block.
private struct DatabaseRebuild: Sendable {
  /// A photo whose row is lost, and of which indexes still have the album and the content's hash; or whose row lacks columns
  /// that the picture itself can give.
  struct Fragment: Sendable {
    var id: UUID
    var albumID: UUID
    var hash: ContentHash
    var title: String?
    var fileName: String?
    var rank: Rank?
    var captureDate: Timestamp?
    var importedDate: Timestamp?
    var trashedDate: Timestamp?
    /// Whether is known that the photo is in the trash, or that it is not.
    var isTrashKnown: Bool
  }

  /// The result of inserting a fragment.
  enum Insertion: Sendable {
    case titled
    /// The photo has a title that was made up.
    case untitled(String)
    /// The album has the photo already.
    case refused
  }

  /// The endings of the files that belong together, the database last.
  private static let endings = ["-wal", "-journal", ""]

  let folder: DataFolder
  private let old: String
  private let new: String

  init(folder: DataFolder) {
    self.folder = folder
    old = folder.temporary("old.sqlite")
    new = folder.temporary("new.sqlite")
  }

  /// Makes the new database of the rows that can be read whole.
  func readRows() throws -> (report: RebuildReport, fragments: [Fragment]) {
    var report = RebuildReport()
    var remains = try readRemains()
    try OpenFile.make(new)
    let queue = try DatabaseQueue(path: new)
    defer { try? queue.close() }
    let migrator = Schema.migrator()
    // Rows of an old release are brought up to date as their database would have been.
    try migrator.migrate(queue, upTo: Self.version(of: remains))
    let now = Timestamp(Date()).databaseValue
    try queue.read { db in
      remains["album"]?.fill(["createdDate": { _ in now }])
      remains["photo"]?.fill([
        "title": { row in
          row["fileName"].flatMap { String.fromDatabaseValue($0) }.map(TextCleaning.title)?.databaseValue
        },
        "fileName": { row in
          row["title"].flatMap { String.fromDatabaseValue($0) }
            .map { TextCleaning.fileName("\($0).\(row["format"] ?? .null)") }?.databaseValue
        },
        "importedDate": { row in row["captureDate"].flatMap { $0.isNull ? nil : $0 } ?? now },
      ])
      remains["photo"]?.setAside(
        lacking: try db.columns(in: "photo").filter { $0.isNotNull && $0.defaultValueSQL == nil }.map(\.name))
    }
    let oldColumns = try queue.read { db in
      try Set(
        ["album", "photo"].flatMap { table in try db.columns(in: table).map { "\(table).\($0.name)" } })
    }
    let albumIDs = try queue.write { db in
      try Self.insert(remains["album"], into: "album", but: ["photoCount", "cover"], db)
      try Self.insert(remains["discarded"], into: "discarded", db)
      return Set(try DatabaseValue.fetchAll(db, sql: "SELECT id FROM album"))
    }
    let photos = remains["photo"]
    let wanted = Set(
      (photos.map { Array($0.rows.values) + Array($0.fragments.values) } ?? []).compactMap { $0["albumID"] })
    try queue.write { db in
      for id in wanted.subtracting(albumIDs) {
        guard let albumID = UUID.fromDatabaseValue(id) else { continue }
        try db.execute(
          sql: "INSERT INTO album (id, title, createdDate) VALUES (?, 'Recovered', ?)",
          arguments: [id, Timestamp(Date())])
        report.untitledAlbums.insert(albumID)
      }
      try Self.insert(photos, into: "photo", db)
    }
    try migrator.migrate(queue)
    try queue.write { db in
      try Self.fillColumns(photos?.columns ?? [], db)
      // The database reckons the others anew.
      try Self.copyLater(
        remains["album"], into: "album", but: ["photoCount", "cover", "firstDate", "lastDate"],
        old: oldColumns, db)
      try Self.copyLater(photos, into: "photo", but: [], old: oldColumns, db)
      let unranked = try UUID.fetchAll(db, sql: "SELECT id FROM album WHERE length(rank) = 0 ORDER BY rowid")
      // Without any rank an album cannot be read, and would be taken away with its photos.
      try Self.rank(unranked, behind: nil, db)
      try TrashRule.restore(remains["trash_rule"]?.rows.values.first?["since"], now: Date(), db)
      let named = Set((photos?.fragments ?? [:]).values.compactMap { Self.fragment($0)?.hash.text })
      report.lost += try HashRebuild(OriginalStore(folder: folder).names, named: named, db).mend(db)
      try measureFiles(db)
      report.lost += try Self.removeUnreadable(Photo.self, db)
      _ = try Self.removeUnreadable(Album.self, db)
      // Albums that had no rank stand behind the others.
      let ranks = try Album.fetchAll(db).filter { !unranked.contains($0.id) }.map(\.rank)
      try Self.rank(unranked, behind: ranks.max(), db)
      report.photos = try Photo.fetchCount(db)
      if let columns = photos?.columns, !columns.contains("trashedDate") {
        report.withoutTrash = try UUID.fetchSet(db, sql: "SELECT id FROM photo")
      }
      let untitled = report.untitledAlbums
      report.albums = try Album.fetchAll(db).count { !untitled.contains($0.id) }
    }
    let fragments = (photos?.fragments ?? [:]).sorted { $0.key < $1.key }.map { Self.fragment($0.value) }
    report.lost += fragments.count { $0 == nil }
    return (report, fragments.compactMap(\.self))
  }

  /// Takes the sizes of files from the files. Their checksums are reckoned anew when they are wanted: of neither is known that it is not
  /// damaged, and an export would refuse the photo.
  private func measureFiles(_ db: Database) throws {
    try db.execute(sql: "UPDATE photo SET checksum = NULL")
    let update = try db.makeStatement(sql: "UPDATE photo SET byteCount = ? WHERE contentHash = ?")
    for text in try String.fetchSet(db, sql: "SELECT contentHash FROM photo") {
      guard let size = ContentHash(text).flatMap({ Files.size(folder.original($0)) }) else { continue }
      try update.execute(arguments: [size, text])
    }
  }

  private static func rank(_ albums: [UUID], behind last: Rank?, _ db: Database) throws {
    for (id, rank) in zip(albums, try Rank.between(last, nil, count: albums.count)) {
      try db.execute(sql: "UPDATE album SET rank = ? WHERE id = ?", arguments: [rank, id])
    }
  }

  /// Reads a copy, so that nothing that is tried costs what is left; with what is in the journal.
  private func readRemains() throws -> [String: DatabaseRemains] {
    for name in ["", "-wal"] where Files.size(folder.database + name) ?? 0 > 0 {
      try FileManager.default.copyItem(atPath: folder.database + name, toPath: old + name)
    }
    if folder.hasEmptyDatabase, JournalRemains.exist(of: folder.database) {
      try JournalRemains.makeDatabase(at: old)
    }
    return SchemaRebuild.readRemains(of: old)
  }

  /// The last migration that left a column in the tables. That of photos may have lost some since.
  private static func version(of remains: [String: DatabaseRemains]) -> String {
    func has(_ table: String, _ columns: Set<String>) -> Bool {
      !columns.isDisjoint(with: remains[table]?.columns ?? [])
    }
    let migrations = Schema.migrator().migrations
    // The last migration leaves no trace in these tables, and can be applied again.
    if (remains["photo"]?.columns ?? []).isEmpty || has("photo", ["trashedDate", "dateText", "checksum"])
      || has("album", ["rank", "photoCount", "cover", "deletedDate"])
    {
      return migrations[3]
    }
    return has("photo", ["color"]) ? migrations[2] : has("photo", ["rank"]) ? migrations[1] : migrations[0]
  }

  /// Gives photos what migrations gave them, where the table of photos has lost the column since.
  private static func fillColumns(_ columns: [String], _ db: Database) throws {
    guard !columns.isEmpty else { return }
    if !columns.contains("rank") {
      for albumID in try UUID.fetchAll(db, sql: "SELECT DISTINCT albumID FROM photo WHERE length(rank) = 0") {
        let ids = try UUID.fetchAll(
          db,
          sql:
            "SELECT id FROM photo WHERE albumID = ? AND length(rank) = 0 ORDER BY \(Schema.orderOfVersion1)",
          arguments: [albumID])
        for (id, rank) in zip(ids, try Rank.between(nil, nil, count: ids.count)) {
          try db.execute(sql: "UPDATE photo SET rank = ? WHERE id = ?", arguments: [rank, id])
        }
      }
    }
    guard !columns.contains("dateText") else { return }
    for row in try Row.fetchAll(db, sql: "SELECT id, captureDate FROM photo WHERE captureDate IS NOT NULL") {
      guard let date: Timestamp = try? row.value("captureDate") else { continue }
      try db.execute(
        sql: "UPDATE photo SET dateText = ? WHERE id = ?",
        arguments: [date.searchText, row["id"] as DatabaseValue])
    }
  }

  /// Gives rows the columns that later migrations have added since they were inserted.
  private static func copyLater(
    _ remains: DatabaseRemains?, into table: String, but reckoned: Set<String>, old: Set<String>,
    _ db: Database
  ) throws {
    guard let remains else { return }
    let columns = try db.columns(in: table).map(\.name).filter {
      remains.columns.contains($0) && !old.contains("\(table).\($0)") && !reckoned.contains($0)
    }
    for column in columns {
      let update = try db.makeStatement(
        sql: "UPDATE \(table) SET \(column.quotedDatabaseIdentifier) = ? WHERE id = ?")
      for (_, row) in remains.rows {
        guard let value = row[column], !value.isNull, let id = row["id"] else { continue }
        // One that the schema refuses is damaged, and passed over.
        try? update.execute(arguments: [value, id])
      }
    }
  }

  /// Returns the albums whose chosen cover is of a photo that is not there any more. They keep it: a backup may bring the photo back.
  func lostCovers() throws -> [UUID: String] {
    let queue = try DatabaseQueue(path: new)
    defer { try? queue.close() }
    let albums = try queue.read { db in
      try Album.fetchAll(
        db,
        sql:
          "SELECT * FROM album WHERE coverID IS NOT NULL AND NOT EXISTS (SELECT 1 FROM photo WHERE photo.id = album.coverID)"
      )
    }
    return Dictionary(albums.map { ($0.id, $0.title) }) { $1 }
  }

  private static func insert(
    _ remains: DatabaseRemains?, into table: String, but omitted: Set<String> = [], _ db: Database
  ) throws {
    guard let remains else { return }
    let known = Set(try db.columns(in: table).map(\.name))
    let columns = remains.columns.filter { known.contains($0) && !omitted.contains($0) }
    guard !columns.isEmpty else { return }
    let list = columns.map { $0.quotedDatabaseIdentifier }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let statement = try db.makeStatement(sql: "INSERT OR IGNORE INTO \(table) (\(list)) VALUES (\(marks))")
    for (_, row) in remains.rows.sorted(by: { $0.key < $1.key }) {
      // One that the schema refuses is damaged, and passed over.
      try? statement.execute(arguments: StatementArguments(columns.map { row[$0] ?? .null }))
    }
  }

  /// - Returns: How many were removed.
  private static func removeUnreadable<Record: FetchableRecord & TableRecord>(
    _ type: Record.Type, _ db: Database
  ) throws -> Int {
    let numbers = try Row.fetchAll(db, sql: "SELECT rowid AS number, * FROM \(Record.databaseTableName)")
      .filter { (try? Record(row: $0)) == nil }.map { $0["number"] as Int64 }
    for number in numbers {
      try db.execute(sql: "DELETE FROM \(Record.databaseTableName) WHERE rowid = ?", arguments: [number])
    }
    return numbers.count
  }

  private static func fragment(_ columns: DatabaseRemains.Columns) -> Fragment? {
    func value<Value: DatabaseValueConvertible>(_ name: String) -> Value? {
      columns[name].flatMap { $0.isNull ? nil : Value.fromDatabaseValue($0) }
    }
    guard let id: UUID = value("id"), let albumID: UUID = value("albumID"),
      let hash = (value("contentHash") as String?).flatMap({ ContentHash($0) })
    else { return nil }
    return Fragment(
      id: id, albumID: albumID, hash: hash, title: value("title"), fileName: value("fileName"),
      rank: value("rank"), captureDate: value("captureDate"), importedDate: value("importedDate"),
      trashedDate: value("trashedDate"), isTrashKnown: columns["trashedDate"] != nil)
  }

  func decode(_ fragment: Fragment, _ decoder: any ImageDecoder) async throws -> DecodedImage {
    let temporary = folder.temporary("jpg")
    defer { try? Files.remove(temporary) }
    return try await decoder.decode(
      DecodeRequest(
        source: folder.original(fragment.hash), target: temporary, name: fragment.hash.text,
        box: Settings().thumbnailBox, pixelLimit: Settings().pixelLimit))
  }

  func insert(_ fragment: Fragment, _ image: DecodedImage) throws -> Insertion {
    let queue = try DatabaseQueue(path: new)
    defer { try? queue.close() }
    let title = fragment.title ?? "Recovered \(fragment.hash.text.prefix(8))"
    let captureDate = fragment.captureDate ?? image.header.captureDate
    return try queue.write { db -> Insertion in
      let exists = try PhotoLibrary.photo(fragment.hash.text, in: fragment.albumID, db) != nil
      guard !exists || fragment.trashedDate != nil,
        try Photo.fetchOne(db, sql: "SELECT * FROM photo WHERE id = ?", arguments: [fragment.id]) == nil
      else { return .refused }
      let order = AlbumOrder(albumID: fragment.albumID, db: db)
      guard let rank = try fragment.rank ?? order.ranks(1, at: .end).first else { return .refused }
      try Photo(
        id: fragment.id, albumID: fragment.albumID, title: title,
        fileName: fragment.fileName ?? "\(title).\(image.header.format.fileExtension)",
        captureDate: captureDate,
        importedDate: fragment.importedDate ?? Timestamp(Date()), contentHash: fragment.hash.text,
        width: image.header.width, height: image.header.height,
        byteCount: Files.size(folder.original(fragment.hash)) ?? 0, format: image.header.format, rank: rank,
        color: image.color, checksum: nil, dateText: captureDate?.searchText ?? "",
        trashedDate: fragment.trashedDate
      ).insert(db)
      return fragment.title == nil ? .untitled(title) : .titled
    }
  }

  /// Replaces the damaged database by the new one.
  ///
  /// - Returns: Where that is kept.
  func replace() throws -> String {
    try DatabaseCheck.checkIsUnlocked(folder.database, byWriters: false)
    var kept = Files.unused(folder.database + ".damaged", with: Self.endings)
    do throws(SystemError) {
      try Files.sync(new)
      if folder.hasEmptyDatabase {
        kept = JournalRemains.keptPath(of: folder.database)
        try Files.rename(folder.database + "-wal", to: kept)
      } else {
        // A journal of either kind would be read into the new one.
        for name in Self.endings where Files.size(folder.database + name) != nil {
          try Files.rename(folder.database + name, to: kept + name)
        }
      }
      try Files.remove(folder.database + "-shm")
      try Files.rename(new, to: folder.database)
      try Files.syncFolder(folder.path)
    } catch {
      throw ContactSheetError.writing(folder.database, error)
    }
    discard()
    return kept
  }

  func discard() {
    for path in [old, new] {
      for name in ["", "-wal", "-shm", "-journal"] { try? Files.remove(path + name) }
    }
  }
}

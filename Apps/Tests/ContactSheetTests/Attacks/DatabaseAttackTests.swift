import Foundation
import GRDB
import NIOHTTP1
import Testing
import _TestTools

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Databases with damaged pages: they are noticed, nothing crashes, and what can be read comes back.
@Suite struct DatabaseAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let count = 48

  /// An album of so many photos that its tables have several pages.
  private func makeAlbum() async throws -> [Photo] {
    try await folder.makeAlbum(count: Self.count, padding: 100)
  }

  /// The pages of a table or an index, by what they are.
  private func pages(of name: String, _ type: String) throws -> [Int] {
    let queue = try DatabaseQueue(path: folder.data.database)
    defer { try? queue.close() }
    return try queue.read { db in
      try Int.fetchAll(
        db, sql: "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ?", arguments: [name, type])
    }
  }

  /// Brings what the journal holds, which would be read instead of the file, into the file.
  private func emptyJournal() throws {
    let queue = try DatabaseQueue(path: folder.data.database)
    _ = try queue.inDatabase { try $0.checkpoint(.truncate) }
    try queue.close()
  }

  private func overwrite(page: Int, with byte: UInt8 = 0x5A) throws {
    try emptyJournal()
    var bytes = try TestPictures.bytes(folder.data.database)
    for offset in (page - 1) * 4096..<page * 4096 { bytes[offset] = byte }
    try TestPictures.put(bytes, at: folder.data.database)
  }

  @Test func checkSeesAnIndexThatIsDamagedAndRepairMakesItAnew() async throws {
    let before = try await makeAlbum()
    try overwrite(page: try #require(try pages(of: "photo_hash", "leaf").first))
    let check = try await folder.run("check")
    #expect(check.status == 65 && check.text.contains("The database is damaged"), "\(check.text)")
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    // Checksums are reckoned anew when they are wanted.
    #expect(try await folder.photos() == before.map(\.withoutChecksum))
    #expect(try await folder.run("check").status == 0)
  }

  @Test func checkSeesRowsThatReferToNothing() async throws {
    _ = try await makeAlbum()
    let queue = try DatabaseQueue(path: folder.data.database, configuration: DatabaseCheck.configuration)
    try await queue.write {
      try $0.execute(sql: "UPDATE photo SET albumID = x'00112233445566778899aabbccddeeff' WHERE rowid = 3")
    }
    try queue.close()
    let check = try await folder.run("check")
    #expect(check.status == 65 && check.text.contains("refer to others"), "\(check.text)")
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    #expect(try await folder.photos().count == Self.count)
  }

  @Test(arguments: [false, true])
  func repairBringsOrderBackAndTitlesAsFarAsTheyAreKnown(hasBackup: Bool) async throws {
    let before = try await makeAlbum()
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    try overwrite(page: try #require(try pages(of: "photo", "leaf").dropFirst().first))
    let check = try await folder.run("check")
    #expect(check.status == 65 && check.text.contains("The database is damaged"), "\(check.text)")
    let repair =
      hasBackup ? try await folder.run("check", "--from", copy) : try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    let after = try await folder.photos()
    #expect(after.map(\.id) == before.map(\.id))
    #expect(after.map(\.contentHash) == before.map(\.contentHash))
    let untitled = zip(before, after).filter { $0.title != $1.title }
    if hasBackup {
      #expect(untitled.isEmpty)
      #expect(after.map(\.fileName) == before.map(\.fileName))
    } else {
      #expect((1...Self.count / 2).contains(untitled.count))
      for (_, photo) in untitled {
        #expect(photo.title.hasPrefix("Recovered "))
        #expect(repair.text.contains(photo.title), "it is said which")
      }
    }
    #expect(Files.size(folder.data.database + ".damaged") != nil, "the damaged one is kept")
  }

  /// Were the database made anew before, a good backup would find nothing that lacks its title.
  @Test func aBackupThatCannotBeReadLeavesTheDamagedDatabaseAsItIs() async throws {
    let before = try await makeAlbum()
    let (good, bad) = (folder.path + "/good", folder.path + "/bad")
    for copy in [good, bad] { #expect(try await folder.run("backup", copy).status == 0) }
    var bytes = try TestPictures.bytes(DataFolder(path: bad).database)
    bytes.replaceSubrange(0..<100, with: repeatElement(0, count: 100))
    try TestPictures.put(bytes, at: DataFolder(path: bad).database)
    try overwrite(page: try #require(try pages(of: "photo", "leaf").dropFirst().first))
    let refused = try await folder.run("check", "--from", bad)
    #expect(refused.status != 0 && !refused.text.contains("All is well"), "\(refused.text)")
    let repair = try await folder.run("check", "--from", good)
    #expect(repair.status == 0, "\(repair.text)")
    #expect(try await folder.photos().map(\.title) == before.map(\.title))
  }

  @Test func theRootOfTheTableOfPhotosMayBeLost() async throws {
    let before = try await makeAlbum()
    try overwrite(page: try #require(try pages(of: "photo", "internal").first), with: 0)
    let repair = try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    #expect(try await folder.photos().map(\.id) == before.map(\.id), "the indexes have the order")
  }

  @Test(arguments: [false, true])
  func aDatabaseOfWhichNothingCanBeReadCostsNoPhotos(hasBackup: Bool) async throws {
    let before = try await makeAlbum()
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    try overwrite(page: 1)
    #expect(try await folder.run("check").status == 65)
    let repair =
      hasBackup ? try await folder.run("check", "--from", copy) : try await folder.run("check", "--repair")
    #expect(repair.status == 0, "\(repair.text)")
    let after = try await folder.photos()
    #expect(Set(after.map(\.contentHash)) == Set(before.map(\.contentHash)))
    if hasBackup { #expect(after.map(\.title) == before.map(\.title)) }
  }

  @Test func albumsComeBackFromABackupAlsoWithoutPhotos() async throws {
    _ = try await makeAlbum()
    let library = try await folder.library()
    for title in ["Empty", "Void"] { _ = try await library.createAlbum(title) }
    await library.close()
    func titles() async throws -> [String] {
      let queue = try DatabaseQueue(path: folder.data.database)
      return try await queue.read { try String.fetchAll($0, sql: "SELECT title FROM album ORDER BY title") }
    }
    let before = try await titles()
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    for page in try pages(of: "album", "leaf") { try overwrite(page: page, with: 0) }
    let repair = try await folder.run("check", "--from", copy)
    #expect(repair.status == 0, "\(repair.text)")
    #expect(repair.text.contains("Read \(Self.count) photos in 0 albums"), "\(repair.text)")
    #expect(repair.text.contains(" 2 albums"), "\(repair.text)")
    #expect(try await titles() == before)
    // The backup gave the title.
    #expect(!repair.text.contains("are “Recovered” now"), "\(repair.text)")
  }

  /// Of the second of two albums nothing is left that names its photos, and no original is without an album.
  @Test func photosThatShareTheirFilesComeBackFromABackup() async throws {
    _ = try await makeAlbum()
    let library = try await folder.library()
    let second = try await library.createAlbum("B")
    for number in 0..<Self.count {
      let path = try TestPictures.write(to: "\(folder.path)/p.jpg", number: number, width: 24, height: 16)
      _ = try await library.importFile(path, to: second.id, named: "IMG_\(number).jpg")
    }
    await library.close()
    let before = Set(try await folder.photos().map(\.id))
    #expect(before.count == 2 * Self.count)
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    let queue = try DatabaseQueue(path: folder.data.database)
    let indexes = try await queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'photo'")
    }
    try queue.close()
    let leaves = try pages(of: "photo", "leaf").sorted()
    var damaged = Array(leaves.dropFirst(leaves.count / 2 + 1))
    for index in indexes { damaged += try pages(of: index, "leaf") }
    for page in damaged { try overwrite(page: page) }
    let repair = try await folder.run("check", "--from", copy)
    #expect(repair.status == 0, "\(repair.text)")
    #expect(Set(try await folder.photos().map(\.id)) == before, "\(repair.text)")
  }

  private struct Standing: Hashable, Comparable {
    let id: String
    let isTrashed: Bool
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.id < rhs.id }
  }

  private func standings() throws -> [Standing] {
    let queue = try DatabaseQueue(path: folder.data.database)
    defer { try? queue.close() }
    let rows = try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT hex(id) AS id, trashedDate IS NOT NULL AS isTrashed FROM photo")
    }
    return rows.map { Standing(id: $0["id"], isTrashed: $0["isTrashed"]) }.sorted()
  }

  /// Whichever page of the table or of an index is lost, and with it which photos were in the trash.
  @Test(
    arguments: inTurns(
      [
        ["photo"], ["photo_shown"], ["photo_trashed"], ["photo", "photo_shown"], ["photo", "photo_trashed"],
      ], of: 3))
  func theTrashStaysTheTrash(_ damaged: [String]) async throws {
    let photos = try await makeAlbum()
    let library = try await folder.library()
    try await library.delete(
      stride(from: 0, to: photos.count, by: 3).map { photos[$0].id }, from: photos[0].albumID,
      mutationID: UUID())
    await library.close()
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    let before = try standings()
    #expect(before.contains { $0.isTrashed } && before.contains { !$0.isTrashed })
    let damagedPages = try damaged.map { try pages(of: $0, "leaf") }
    try emptyJournal()
    let whole = try TestPictures.bytes(folder.data.database)
    for number in 0..<(damagedPages.map(\.count).max() ?? 0) {
      for command in [["check", "--from", copy], ["check", "--repair"]] {
        for ending in ["-wal", "-shm"] { try Files.remove(folder.data.database + ending) }
        try TestPictures.put(whole, at: folder.data.database)
        for leaves in damagedPages { try overwrite(page: leaves[number % leaves.count]) }
        let run = try Run(command + ["--data", folder.data.path])
        #expect(await run.wait() == 0, "\(command), leaf \(number): \(run.text)")
        // Of one page of the table alone the indexes know everything that counts.
        if command.contains("--from") || damaged.count == 1 {
          #expect(try standings() == before, "\(command), leaf \(number): \(run.text)")
        }
      }
    }
  }

  @Test func filesThatAreDamagedComeBackFromABackup() async throws {
    let before = try await makeAlbum()
    let copy = folder.path + "/copy"
    #expect(try await folder.run("backup", copy).status == 0)
    let hashes = before.compactMap { ContentHash($0.contentHash) }
    try Files.remove(folder.data.original(hashes[0]))
    try TestPictures.put([1, 2, 3], at: folder.data.original(hashes[1]))
    let repair = try await folder.run("check", "--from", copy)
    #expect(repair.status == 0 && repair.text.contains("2 files"), "\(repair.text)")
    #expect(try await folder.run("check").status == 0)
  }

  /// Whichever page is damaged, and how.
  @Test(arguments: inTurns([41, 42, 43, 44] as [UInt64], of: 4))
  func noDamagedPageCrashesAnything(_ seed: UInt64) async throws {
    let before = try await makeAlbum()
    let whole = try TestPictures.bytes(folder.data.database)
    let pages = whole.count / 4096
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let page = Int.random(in: 0..<pages, using: &generator)
        let start =
          page * 4096 + (Bool.random(using: &generator) ? 0 : Int.random(in: 0..<4096, using: &generator))
        let end = min((page + 1) * 4096, start + Int.random(in: 1...4096, using: &generator))
        for offset in start..<end { bytes[offset] = UInt8.random(in: 0...255, using: &generator) }
      }
      for name in ["-wal", "-shm"] { try Files.remove(folder.data.database + name) }
      try TestPictures.put(bytes, at: folder.data.database)
      let server = try Run(["serve", "--port", "0", "--data", folder.data.path])
      if let (host, port) = try? await server.url() {
        for path in ["/", "/api/albums", "/api/trash", "/albums/\(before[0].albumID.wireText)"] {
          _ = try await LocalRequest(method: .GET, target: path).send(host: host, port: port)
        }
        server.signal(SIGTERM)
        #expect(await server.wait() == 0, "seed \(seed): \(server.text)")
      } else {
        #expect(await server.wait() == 74, "seed \(seed): \(server.text)")
        #expect(server.text.contains("--repair"), "seed \(seed): \(server.text)")
      }
      let check = try await folder.run("check")
      #expect([0, 65].contains(check.status), "seed \(seed): \(check)")
      let repair = try await folder.run("check", "--repair")
      #expect(repair.status == 0, "seed \(seed): \(repair)")
      let after = try await folder.photos()
      #expect(Set(after.map(\.contentHash)) == Set(before.map(\.contentHash)), "seed \(seed): \(repair)")
    }
  }
}

extension Photo {
  /// The photo as a database that is made anew has it.
  var withoutChecksum: Photo {
    var photo = self
    photo.checksum = nil
    return photo
  }
}

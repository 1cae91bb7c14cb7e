import Foundation
import GRDB
import HTTPTypes
import NIOCore
import Testing

@testable import ContactSheetLibrary

/// Files of the data folder that are damaged or gone, mostly so that their lengths do not tell.
@Suite struct DamageAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Changes a byte in the middle of a file.
  private func damage(_ path: String) throws {
    var bytes = try TestPictures.bytes(path)
    bytes[bytes.count / 2] ^= 0x55
    try Files.remove(path)
    try TestPictures.put(bytes, at: path)
  }

  private func library(_ count: Int) async throws -> (PhotoLibrary, Album, [Photo], [String]) {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let paths = try (0..<count).map { try TestPictures.write(to: "\(folder.path)/\($0).jpg", number: $0) }
    for path in paths { _ = try await library.importFile(path, to: album.id) }
    return (library, album, try await library.photos(in: album.id), paths)
  }

  private func original(_ photo: Photo) throws -> String {
    folder.data.original(try #require(ContentHash(photo.contentHash)))
  }

  @Test(arguments: [true, false], [true, false])
  func aGoodFileTakesThePlaceOfOneThatIsDamagedOrMissing(isMissing: Bool, intoAnotherAlbum: Bool) async throws
  {
    let (library, album, photos, paths) = try await library(2)
    let original = try original(photos[0])
    if isMissing { try Files.remove(original) } else { try damage(original) }
    let target = intoAnotherAlbum ? try await library.createAlbum("B") : album
    let outcome = try await library.importFile(paths[0], to: target.id)
    #expect(outcome.isMended)
    #expect(outcome.status == (intoAnotherAlbum ? .imported : .duplicate))
    #expect(try TestPictures.bytes(original) == TestPictures.bytes(paths[0]))
    #expect(try await library.check().isGood)
    #expect(folder.files(in: "incoming").isEmpty)
    // What is whole is left alone.
    #expect(try await library.importFile(paths[0], to: target.id).isMended == false)
    #expect(try await library.importFile(paths[1], to: album.id).isMended == false)
    await library.close()
  }

  @Test func anUploadMendsAndSaysSo() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/a.jpg")
    _ = try await server.library.importFile(path, to: album.id)
    let hash = try #require(
      try await server.library.photos(in: album.id).first.flatMap { ContentHash($0.contentHash) })
    let original = server.folder.data.original(hash)
    try damage(original)
    let bytes = try TestPictures.bytes(path)
    try await server.run { client in
      let uri = "/api/albums/\(album.id.wireText)/photos?name=a.jpg"
      let first = try await client.send(.post, uri, body: bytes).json()
      #expect(first["status"] as? String == "duplicate" && first["mended"] as? Bool == true)
      let second = try await client.send(.post, uri, body: bytes).json()
      #expect(second["status"] as? String == "duplicate" && second["mended"] == nil)
    }
    #expect(try TestPictures.bytes(original) == bytes)
  }

  @Test func theCommandSaysHowManyItMended() async throws {
    let (library, _, photos, paths) = try await library(2)
    await library.close()
    try damage(try original(photos[1]))
    let importing = try Run(["import", "--album", "A", "--data", folder.data.path] + paths)
    #expect(await importing.wait() == 0)
    #expect(importing.text.contains("1 whose stored file was missing or damaged mended"), "\(importing.text)")
  }

  @Test func anImportThatFailsTakesNothingAwayThatWasThere() async throws {
    let (library, album, photos, paths) = try await library(1)
    let hash = try #require(ContentHash(photos[0].contentHash))
    // An original without a row, as after the loss of a database, is mended and stays when its row cannot be written.
    try await library.records.write { try $0.execute(sql: "DELETE FROM photo") }
    try damage(folder.data.original(hash))
    try await library.records.write { db in
      try db.execute(
        sql: "CREATE TRIGGER no BEFORE INSERT ON photo BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    #expect(await code { try await library.importFile(paths[0], to: album.id) } != nil)
    #expect(try TestPictures.bytes(folder.data.original(hash)) == TestPictures.bytes(paths[0]))
    await library.close()
  }

  // MARK: Exports

  @Test(arguments: [true, false])
  func anExportNamesADamagedPhotoAndFails(hasChecksums: Bool) async throws {
    let (library, album, photos, _) = try await library(3)
    if !hasChecksums {
      try await library.records.write { try $0.execute(sql: "UPDATE photo SET checksum = NULL") }
    }
    try damage(try original(photos[1]))
    let failure = await #expect(throws: ContactSheetError.self) {
      try await library.export(album.id, numbered: false).send { _ in }
    }
    #expect(failure?.message.contains("“1”") == true, "\(String(describing: failure))")
    await library.close()
    let zip = folder.path + "/a.zip"
    let export = try Run(["export", zip, "--album", "A", "--data", folder.data.path])
    #expect(await export.wait() != 0)
    #expect(export.text.contains("“1”"), "\(export.text)")
    #expect(
      !FileManager.default.fileExists(atPath: zip) && !FileManager.default.fileExists(atPath: zip + ".part"))
  }

  // MARK: Backups

  @Test func aBackupNamesWhatItHasNotAndFails() async throws {
    let (library, _, photos, _) = try await library(4)
    await library.close()
    try damage(try original(photos[1]))
    try Files.remove(try original(photos[2]))
    let copy = DataFolder(path: folder.path + "/copy")
    let backup = try Run(["backup", copy.path, "--data", folder.data.path])
    #expect(await backup.wait() == 65)
    #expect(
      backup.text.contains("“1” is damaged") && backup.text.contains("“2” is missing"), "\(backup.text)")
    #expect(!backup.text.contains("“0”") && !backup.text.contains("“3”"))
  }

  @Test func aBackupKeepsWhatItHasWholeAndMendsWhatItHasNot() async throws {
    let (library, album, photos, _) = try await library(3)
    let copy = DataFolder(path: folder.path + "/copy")
    #expect(try await library.backUp(to: copy).copied == 3)
    let hashes = photos.compactMap { ContentHash($0.contentHash) }
    // Damaged here and whole there; damaged there and whole here; deleted here.
    try damage(folder.data.original(hashes[0]))
    try damage(copy.original(hashes[1]))
    try await library.delete([photos[2].id], from: album.id, mutationID: UUID())
    try await library.emptyTrash()
    let report = try await library.backUp(to: copy)
    #expect(report.isComplete && report.copied == 1 && report.photos == 2)
    await library.close()
    let restored = try await PhotoLibrary.open(copy, decoder: InProcessDecoder(), logger: .quiet)
    #expect(try await restored.check().isGood)
    #expect(try await restored.photos(in: album.id).map(\.title) == ["0", "1"])
    await restored.close()
  }

  /// Photos of a hundred gigabytes are read for hours.
  @Test(arguments: [true, false])
  func mendingReadsEachOriginalOnce(hasBackup: Bool) async throws {
    let (library, album, photos, _) = try await library(5)
    let copy = DataFolder(path: folder.path + "/copy")
    _ = try await library.backUp(to: copy)
    // The same content in two albums, one file damaged, one missing, and one without a row.
    let other = try await library.createAlbum("B")
    _ = try await library.importFile(folder.path + "/0.jpg", to: other.id)
    let hashes = photos.compactMap { ContentHash($0.contentHash) }
    try damage(folder.data.original(hashes[1]))
    try Files.remove(folder.data.original(hashes[2]))
    try await library.records.write { db in
      try db.execute(sql: "DELETE FROM photo WHERE contentHash = ?", arguments: [hashes[3].text])
    }
    let originals = OriginalConditions(folder.data)
    let contents = hasBackup ? try await PhotoLibrary.contents(of: copy, for: folder.data) : nil
    // The rows of a backup of a million photos are read once.
    try Files.remove(copy.database)
    let report = try await library.mend(from: contents, rebuilt: RebuildReport(), originals)
    // Of five one is missing, and comes from the backup.
    #expect(originals.readCount == 4)
    #expect(report.left.isGood == hasBackup, "\(report.left)")
    #expect(report.restored?.files == (hasBackup ? 2 : nil))
    #expect(report.restored?.rows == (hasBackup ? 1 : nil) && report.recovered == (hasBackup ? 0 : 1))
    #expect(try await library.check() == report.left, "a look that knows nothing sees the same")
    #expect(try await library.photos(in: album.id).count == (hasBackup ? 5 : 4))
    await library.close()
  }

  @Test(arguments: ["damaged", "missing", "empty"])
  func aFileThatTheBackupHasNotWholeIsNotTaken(_ state: String) async throws {
    let (library, _, photos, _) = try await library(2)
    let copy = DataFolder(path: folder.path + "/copy")
    _ = try await library.backUp(to: copy)
    let hash = try #require(ContentHash(photos[0].contentHash))
    try damage(folder.data.original(hash))
    switch state {
    case "damaged": try damage(copy.original(hash))
    case "missing": try Files.remove(copy.original(hash))
    default: try TestPictures.put([], at: copy.original(hash))
    }
    let report = try await library.mend(from: PhotoLibrary.contents(of: copy, for: folder.data))
    #expect(report.restored?.files == 0 && report.left.damaged == ["0"])
    #expect(folder.files(in: "incoming").isEmpty)
    await library.close()
  }

  @Test func aBackupOverwritesNoOtherAlbums() async throws {
    let (library, _, _, _) = try await library(1)
    let other = DataFolder(path: folder.path + "/other")
    let others = try await PhotoLibrary.open(other, decoder: InProcessDecoder(), logger: .quiet)
    _ = try await others.createAlbum("Theirs")
    await others.close()
    #expect(await code { try await library.backUp(to: other) } == .conflict)
    await library.close()
  }

  /// Photos come, go to the trash and are removed for good while one backup after the other is made.
  @Test func backupsBesideWritersAndAnEmptiedTrashAreWhole() async throws {
    let (library, album, _, _) = try await library(12)
    let data = folder.data
    let stop = AsyncStream.makeStream(of: Void.self)
    let writing = Task {
      var number = 100
      while !Task.isCancelled {
        let path = try TestPictures.write(to: "\(folder.path)/w\(number % 5).jpg", number: number)
        _ = try await library.importFile(path, to: album.id)
        let photos = try await library.photos(in: album.id)
        try await library.delete(
          photos.prefix(photos.count - 11).map(\.id), from: album.id, mutationID: UUID())
        try await library.emptyTrash()
        number += 1
        stop.continuation.yield()
      }
    }
    var turns = stop.stream.makeAsyncIterator()
    for number in 0..<6 {
      for _ in 0..<3 { await turns.next() }
      let visitor = try await PhotoLibrary.visit(data, logger: .quiet)
      // Half of them into the same folder.
      let copy = DataFolder(path: "\(folder.path)/copy-\(number / 2 * 2)")
      let report = try await visitor.backUp(to: copy)
      await visitor.close()
      #expect(report.isComplete, "\(report)")
      let restored = try await PhotoLibrary.visit(copy, logger: .quiet)
      let check = try await restored.check()
      #expect(check.isGood && check.photos > 0, "\(check)")
      await restored.close()
    }
    writing.cancel()
    _ = try? await writing.value
    await library.close()
    // What was deleted meanwhile goes with the next start, at the latest.
    let again = try await folder.library()
    try await again.emptyTrash()
    #expect(try await again.check().isGood)
    #expect(try await again.records.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM discarded") } == 0)
    await again.close()
  }

  @Test func filesThatAreDeletedDuringABackupGoWhenItHasEnded() async throws {
    let (library, album, photos, _) = try await library(2)
    let turn = try DeletionTurn.keepingFiles(of: folder.data)
    try await library.delete([photos[0].id], from: album.id, mutationID: UUID())
    try await library.emptyTrash()
    #expect(folder.files(in: "originals").count == 2)
    let left = try await library.records.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM discarded") }
    #expect(left == 1)
    withExtendedLifetime(turn) {}
    await library.close()
  }

  @Test func theEndOfABackupIsNoticed() async throws {
    let (library, album, photos, _) = try await library(2)
    do {
      let turn = try DeletionTurn.keepingFiles(of: folder.data)
      try await library.delete([photos[0].id], from: album.id, mutationID: UUID())
      try await library.emptyTrash()
      withExtendedLifetime(turn) {}
    }
    while folder.files(in: "originals").count == 2 { await Task.yield() }
    #expect(folder.files(in: "originals").count == 1)
    await library.close()
  }
}

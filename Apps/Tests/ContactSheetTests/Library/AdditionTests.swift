import Foundation
import GRDB
import NIOCore
import Testing

@testable import ContactSheetLibrary

/// A photo in several albums: rows of their own over one original, which goes with the last of them.
@Suite struct AdditionTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Two albums and a photo of the first, which the second has as well.
  private func twice(
    _ body: (_ library: PhotoLibrary, _ one: UUID, _ two: UUID, _ photo: UUID, _ copy: UUID) async throws ->
      Void
  ) async throws {
    let library = try await folder.library()
    let (one, two) = (try await library.createAlbum("A").id, try await library.createAlbum("B").id)
    let path = try TestPictures.write(to: "\(folder.path)/a.jpg", number: 1)
    let photo = try await library.importFile(path, to: one).id
    #expect(try await library.add([photo], of: one, to: two, mutationID: UUID()))
    let copy = try #require(try await library.photos(in: two).first?.id)
    #expect(originals == 1)
    try await body(library, one, two, photo, copy)
    await library.close()
  }

  private var originals: Int { folder.files(in: "originals").count }

  @Test func addsThemToTheEndInTheOrderOfTheirNaming() async throws {
    let library = try await folder.library()
    let (one, two) = (try await library.createAlbum("A").id, try await library.createAlbum("B").id)
    let ids = try await library.insertRows(1_203, in: one)
    let there = try await library.insertRows(1, in: two)
    let mutationID = UUID()
    #expect(try await library.add([ids[5]], of: one, to: two, mutationID: UUID()))
    #expect(try await library.add(ids.reversed(), of: one, to: two, mutationID: mutationID))
    #expect(try await library.add([ids[0]], of: one, to: two, mutationID: mutationID), "an act counts once")
    let added = try await library.photos(in: two)
    #expect(added.first?.id == there[0])
    let expected = (0..<1_203).reversed().filter { $0 != 5 }.map { "\($0)" }
    #expect(added.dropFirst(2).map(\.title) == expected)
    #expect(Set(added.map(\.id)).isDisjoint(with: ids))
    #expect(try await library.photos(in: one).map(\.id) == ids, "they stay where they are")
    #expect(try await !library.add([ids[0]], of: one, to: two, mutationID: UUID()), "the album has it")
    #expect(try await !library.add([ids[0]], of: one, to: one, mutationID: UUID()))
    #expect(try await library.album(two)?.photoCount == 1_204)
    // Taken back, the new ones are in the trash, and nothing else is.
    #expect(try await library.undo(mutationID, in: one, mutationID: UUID()))
    #expect(try await library.photos(in: two).count == 2)
    #expect(try await library.photos(in: one).map(\.id) == ids)
    #expect(try await library.trash().count == 1_202)
    await library.close()
  }

  @Test func eachHasAPlaceATitleAndATrashOfItsOwn() async throws {
    try await twice { library, one, two, photo, copy in
      _ = try await library.rename(photo: copy, in: two, to: "Kite")
      #expect(try await library.photos(in: one).map(\.title) == ["a"])
      #expect(try await library.photos(in: two).map(\.title) == ["Kite"])
      try await library.delete([photo], from: one, mutationID: UUID())
      #expect(try await library.photos(in: two).map(\.id) == [copy])
      #expect(await code { try await library.delete([copy], from: UUID(), mutationID: UUID()) } == .notFound)
      #expect(try await library.transfer([copy], from: two, to: one, mutationID: UUID()).moved == 1)
      #expect(try await library.photos(in: one).map(\.id) == [copy])
    }
  }

  @Test func emptyingTheTrashRemovesTheOriginalWithTheLastRow() async throws {
    try await twice { library, one, two, photo, copy in
      try await library.delete([photo], from: one, mutationID: UUID())
      try await library.emptyTrash()
      #expect(originals == 1 && folder.files(in: "thumbnails").count == 1)
      try await library.delete([copy], from: two, mutationID: UUID())
      #expect(try await library.trash().bytes > 0)
      try await library.emptyTrash()
      #expect(originals == 0 && folder.files(in: "thumbnails").isEmpty)
    }
  }

  @Test func removingForGoodAndExpiringLeaveTheOriginalOfAnother() async throws {
    try await twice { library, one, two, photo, copy in
      try await library.delete([photo], from: one, mutationID: UUID())
      try await library.delete([copy], from: two, mutationID: UUID())
      #expect(try await library.removeForGood([photo], mutationID: UUID()))
      #expect(originals == 1, "the other one can be brought back")
      try await library.restore([copy], mutationID: UUID())
      let later = Date(timeIntervalSinceNow: 90 * 86_400)
      #expect(try await library.removeExpired(now: later) == 0)
      try await library.delete([copy], from: two, mutationID: UUID())
      #expect(try await library.removeExpired(now: later) == 1)
      #expect(originals == 0)
    }
  }

  @Test func deletingAnAlbumLeavesTheOriginalOfAnother() async throws {
    try await twice { library, one, two, _, copy in
      try await library.deleteAlbum(one)
      try await library.emptyTrash()
      #expect(originals == 1)
      #expect(try await library.photos(in: two).map(\.id) == [copy])
      try await library.deleteAlbum(two)
      try await library.emptyTrash()
      #expect(originals == 0)
    }
  }

  @Test func anImportTakesItForADuplicateInBoth() async throws {
    try await twice { library, one, two, photo, copy in
      let path = folder.path + "/a.jpg"
      for (album, known) in [(one, photo), (two, copy)] {
        let outcome = try await library.importFile(path, to: album)
        #expect(outcome.status == .duplicate && outcome.id == known && !outcome.isMended)
      }
      let third = try await library.createAlbum("C").id
      #expect(try await library.importFile(path, to: third).status == .imported)
      #expect(originals == 1)
    }
  }

  @Test func aStartAfterAnImportThatFailedLeavesTheOriginal() async throws {
    try await twice { library, one, two, photo, copy in
      try await library.delete([photo], from: one, mutationID: UUID())
      try await library.records.write { db in
        let hash = try String.fetchOne(db, sql: "SELECT contentHash FROM photo LIMIT 1")
        try db.execute(sql: "INSERT INTO discarded VALUES (?)", arguments: [hash])
        try db.execute(sql: "DELETE FROM photo WHERE id = ?", arguments: [photo])
      }
    }
    let again = try await folder.library()
    #expect(originals == 1)
    #expect(try await again.check().isGood)
    await again.close()
  }

  @Test func aCheckTakesBothForWholeAndNamesBothWhereTheFileIsMissing() async throws {
    try await twice { library, one, two, photo, copy in
      let report = try await library.check()
      #expect(report.isGood && report.photos == 2)
      try Files.remove(folder.data.path + "/originals/" + folder.files(in: "originals")[0])
      #expect(try await library.check().missing == ["a", "a"])
      // The same file, imported into one, mends both.
      #expect(try await library.importFile(folder.path + "/a.jpg", to: one).isMended)
      #expect(try await library.check().isGood)
    }
  }

  @Test func aBackupHasTheOriginalOnceAndBothRows() async throws {
    let copyFolder = folder.data("copy")
    try await twice { library, one, two, photo, copy in
      let report = try await library.backUp(to: copyFolder)
      #expect(report.isComplete && report.photos == 2 && report.copied == 1)
      // With the row of one album gone for good the backup keeps the original for the other.
      try await library.delete([photo], from: one, mutationID: UUID())
      try await library.emptyTrash()
      #expect(try await library.backUp(to: copyFolder).photos == 1)
    }
    try await folder.use(copyFolder) { (library: PhotoLibrary) async throws in
      #expect(try await library.check().isGood)
      #expect(try await library.albums().map(\.photoCount) == [0, 1])
    }
  }

  @Test func bothAlbumsExportIt() async throws {
    try await twice { library, one, two, photo, copy in
      for album in [one, two] {
        let export = try await library.export(album, numbered: false)
        var bytes: [UInt8] = []
        try await export.send { bytes += $0.readableBytesView }
        let path = "\(folder.path)/\(album).zip"
        try TestPictures.put(bytes, at: path)
        #expect(try ZipReader(path).entries.count == 2, "the photo and the manifest")
      }
    }
  }
}

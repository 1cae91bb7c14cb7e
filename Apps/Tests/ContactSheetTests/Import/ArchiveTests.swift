import Foundation
import NIOCore
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Exports come back in their order, and archives that were made to harm do none.
@Suite struct ArchiveTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// An album of six photos, in an order, with titles and dates, of its own; and its export.
  private func exported(_ library: PhotoLibrary) async throws -> (photos: [Photo], zip: String) {
    let album = try await library.createAlbum("Iceland ✨")
    for number in 0..<6 {
      let path = try TestPictures.write(
        to: "\(folder.path)/same name.jpg", number: number,
        captured: number == 3 ? nil : "2024:05:0\(9 - number) 10:00:00")
      _ = try await library.importFile(path, to: album.id)
    }
    var photos = try await library.photos(in: album.id)
    try await library.rename(photo: photos[2].id, in: album.id, to: "Größer <b>als</b> alles")
    try await library.sort(album.id, by: .ids([4, 1, 5, 0, 3, 2].map { photos[$0].id }), mutationID: UUID())
    photos = try await library.photos(in: album.id)
    let zip = folder.path + "/export.zip"
    #expect(FileManager.default.createFile(atPath: zip, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: zip))
    try await library.export(album.id, numbered: true).send {
      try handle.write(contentsOf: $0.readableBytesView)
    }
    try handle.close()
    return (photos, zip)
  }

  private func expectSame(_ photos: [Photo], _ others: [Photo]) {
    #expect(photos.map(\.contentHash) == others.map(\.contentHash))
    #expect(photos.map(\.title) == others.map(\.title))
    #expect(photos.map(\.fileName) == others.map(\.fileName))
    #expect(photos.map(\.captureDate) == others.map(\.captureDate))
  }

  @Test(arguments: [1, 4])
  func anExportComesBackInItsOrderWithTitlesAndDates(_ parallel: Int) async throws {
    let library = try await folder.library()
    let (photos, zip) = try await exported(library)
    #expect(try await FolderImport.parts(of: [zip], into: nil).map(\.title) == ["Iceland ✨"])
    // As an archive, and as a folder of what a shell unpacks from it.
    let unpacked = folder.path + "/unpacked"
    try FileManager.default.createDirectory(atPath: unpacked, withIntermediateDirectories: true)
    let archive = try ZipReader(zip)
    for entry in archive.entries {
      var bytes: [UInt8] = []
      try archive.read(entry, limit: 1 << 30) { bytes += $0 }
      try TestPictures.put(bytes, at: "\(unpacked)/\(entry.name)")
    }
    for source in [zip, unpacked] {
      let album = try await library.createAlbum("Copy")
      let destination = LibraryDestination(library, album: album)
      let summary = try await FolderImport(to: destination, parallel: parallel).run([source])
      #expect(summary.imported == 6 && summary.failed == 0)
      expectSame(try await library.photos(in: album.id), photos)
      // A second time nothing happens.
      let again = try await FolderImport(to: LibraryDestination(library, album: album)).run([source])
      #expect(again.duplicates == 6 && again.imported == 0)
      expectSame(try await library.photos(in: album.id), photos)
    }
    await library.close()
  }

  @Test func anExportFindsItsPlaceAmongWhatIsThere() async throws {
    let library = try await folder.library()
    let (photos, zip) = try await exported(library)
    let album = try await library.createAlbum("Copy")
    let hash = try #require(ContentHash(photos[1].contentHash))
    _ = try await library.importFile(library.folder.original(hash), to: album.id)
    _ = try await FolderImport(to: LibraryDestination(library, album: album), parallel: 1).run([zip])
    // What was there stays, and what comes after it in the export comes after it here.
    #expect(
      try await library.photos(in: album.id).map(\.contentHash).prefix(5)
        == photos[1...].map(\.contentHash)[...])
    await library.close()
  }

  @Test func theRunningServerTakesAnExport() async throws {
    let library = try await folder.library()
    let (photos, zip) = try await exported(library)
    await library.close()
    let data = DataFolder(path: folder.path + "/other")
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    _ = try await server.url()
    let importing = try Run(["import", zip, "--data", data.path])
    #expect(await importing.wait() == 0)
    #expect(importing.text.contains("Imported 6 photos into “Iceland ✨”"), "\(importing.text)")
    // And a new order, while it runs and after it.
    let reorder = try Run(["reorder", "--album", "Iceland ✨", "--reversed", "--data", data.path])
    #expect(await reorder.wait() == 0)
    server.signal(SIGINT)
    await server.wait()
    let other = try await PhotoLibrary.visit(data, logger: .quiet)
    let album = try #require(try await other.albums().first { $0.title == "Iceland ✨" })
    expectSame(try await other.photos(in: album.id), photos.reversed())
    let like = try Run(["reorder", "--album", "Iceland ✨", "--like", zip, "--data", data.path])
    #expect(await like.wait() == 0, "\(like.text)")
    expectSame(try await other.photos(in: album.id), photos)
    await other.close()
  }

  // MARK: Archives that were made to harm

  /// A zip archive by hand, so that it can lie.
  private struct Forged {
    var name = "a.jpg"
    var data: [UInt8] = []
    var method = 0
    var flags = 0
    var size: Int?
    var compressedSize: Int?
    var offset: Int?
    var attributes = 0

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func archive(_ entries: [Forged]) -> [UInt8] {
      var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
      for entry in entries {
        let name = Array(entry.name.utf8)
        var checksum = CRC32()
        entry.data.withUnsafeBytes { checksum.update($0) }
        let common =
          little(20, 2) + little(entry.flags, 2) + little(entry.method, 2) + little(0, 4)
          + little(Int(checksum.value), 4) + little(entry.compressedSize ?? entry.data.count, 4)
          + little(entry.size ?? entry.data.count, 4) + little(name.count, 2) + little(0, 2)
        directory += little(0x0201_4B50, 4) + little(3 << 8 | 20, 2) + common + little(0, 6)
        directory += little(entry.attributes << 16, 4) + little(entry.offset ?? bytes.count, 4) + name
        bytes += little(0x0403_4B50, 4) + common + name + entry.data
      }
      let end =
        little(0x0605_4B50, 4) + little(0, 4) + little(entries.count, 2) + little(entries.count, 2)
        + little(directory.count, 4) + little(bytes.count, 4) + little(0, 2)
      return bytes + directory + end
    }
  }

  @Test(arguments: ["../../evil.jpg", "/etc/evil.jpg", "a\\..\\..\\evil.jpg", "x/../../evil.jpg"])
  func namesThatLeadOutAreRefusedAndWriteNothing(_ name: String) async throws {
    let picture = try TestPictures.bytes(TestPictures.write(to: folder.path + "/p.jpg"))
    let zip = folder.path + "/evil.zip"
    try TestPictures.put(
      Forged.archive([Forged(name: name, data: picture), Forged(name: "good.jpg", data: picture)]), at: zip)
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    var messages: [String] = []
    let summary = try await FolderImport(to: LibraryDestination(library, album: album)).run([zip]) { event in
      if case .finished(_, .failure(let error)) = event { messages.append(error.message) }
    }
    #expect(summary.imported == 1 && summary.failed == 1)
    #expect(messages.first?.contains("evil.jpg") == true && messages.first?.contains("leads out") == true)
    let all = FileManager.default.subpaths(atPath: folder.path) ?? []
    #expect(!all.contains { $0.contains("evil.jpg") })
    #expect(!FileManager.default.fileExists(atPath: "/etc/evil.jpg"))
    await library.close()
  }

  @Test func entriesThatLieAreRefusedByName() throws {
    let picture = try TestPictures.bytes(TestPictures.write(to: folder.path + "/p.jpg"))
    let zip = folder.path + "/lies.zip"
    let cases: [(Forged, ContactSheetError.Code)] = [
      (Forged(data: picture, size: picture.count + 5), .damaged),
      (Forged(data: picture, method: 8, size: 100), .damaged),
      (Forged(data: picture, flags: 1), .damaged),
      (Forged(data: picture, method: 12), .damaged),
      (Forged(data: picture, attributes: 0o120777), .damaged),
      (Forged(data: picture, size: 3 << 30, compressedSize: picture.count), .damaged),
      (Forged(data: [0xFF], method: 8, size: 1), .damaged),
      (Forged(data: [], method: 8, size: 1), .truncated),
    ]
    for (forged, expected) in cases {
      try TestPictures.put(Forged.archive([forged]), at: zip)
      let archive = try ZipReader(zip)
      let entry = try #require(archive.entries.first)
      do {
        try archive.read(entry, limit: 1 << 40) { _ in }
        Issue.record("\(forged.method) was read")
      } catch let error as ContactSheetError {
        #expect(error.code == expected, "\(error)")
        #expect(error.message.contains("a.jpg"))
      }
    }
  }

  @Test func bombsAreDefused() throws {
    // 50 MB of nothing in 50 kB, and a size that says so honestly; then one that hides it.
    var bomb = try Self.deflated(megabytes: 50)
    bomb.name = "bomb.jpg"
    let zip = folder.path + "/bomb.zip"
    try TestPictures.put(Forged.archive([bomb]), at: zip)
    var archive = try ZipReader(zip)
    #expect(throws: ContactSheetError.self) {
      try archive.read(try #require(archive.entries.first), limit: 10 << 20) { _ in }
    }
    bomb.size = 1000
    try TestPictures.put(Forged.archive([bomb]), at: zip)
    archive = try ZipReader(zip)
    var written = 0
    #expect(throws: ContactSheetError.self) {
      try archive.read(try #require(archive.entries.first), limit: 10 << 20) { written += $0.count }
    }
    #expect(written <= 1000, "no byte more than was said")
    bomb.size = 100 << 20
    try TestPictures.put(Forged.archive([bomb]), at: zip)
    archive = try ZipReader(zip)
    #expect(archive.entries.first?.problem?.contains("blows up") == true)
    // Entries over each other: many that share the same bytes.
    var shared = bomb
    shared.offset = 0
    try TestPictures.put(Forged.archive([shared, shared, shared]), at: zip)
    #expect(throws: ContactSheetError.self) { try ZipReader(zip) }
  }

  /// So many megabytes of zeros, compressed.
  private static func deflated(megabytes: Int) throws -> Forged {
    let gzip = try #require(Compression.gzip([UInt8](repeating: 0, count: megabytes << 20), .quick))
    return Forged(data: Array(gzip.dropFirst(10).dropLast(8)), method: 8, size: megabytes << 20)
  }

  @Test(arguments: [31, 32, 33] as [UInt64])
  func whateverIsBrokenIsAnErrorAndNoCrash(_ seed: UInt64) async throws {
    let library = try await folder.library()
    let (_, zip) = try await exported(library)
    let whole = try TestPictures.bytes(zip)
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      var bytes = whole
      if Bool.random(using: &dice) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &dice)) }
      // Near the end lies the list, where damage does most.
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        let near = Int.random(in: 0..<min(bytes.count, 1500), using: &dice)
        bytes[bytes.count - 1 - near] = UInt8.random(in: 0...255, using: &dice)
      }
      try TestPictures.put(bytes, at: zip)
      do {
        let archive = try ZipReader(zip)
        for entry in archive.entries { try? archive.read(entry, limit: 1 << 20) { _ in } }
        _ = try ImportSource([zip])
      } catch let error as ContactSheetError {
        #expect(
          error.message.contains("export.zip") || error.message.contains("manifest.json"), "seed \(seed)")
      }
    }
    await library.close()
  }
}

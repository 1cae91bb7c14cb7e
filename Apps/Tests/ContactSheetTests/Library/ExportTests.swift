import Foundation
import GRDB
import NIOCore
import Testing

@testable import ContactSheetLibrary

@Suite struct ExportTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test func theChecksumIsThatOfZip() {
    var checksum = CRC32()
    Array("123456789".utf8).withUnsafeBytes { checksum.update($0) }
    #expect(checksum.value == 0xCBF4_3926)
    var parts = CRC32()
    for part in ["1", "2345678901234567", "89", ""] { Array(part.utf8).withUnsafeBytes { parts.update($0) } }
    var whole = CRC32()
    Array("1234567890123456789".utf8).withUnsafeBytes { whole.update($0) }
    #expect(parts.value == whole.value)
  }

  /// Long and short ones are taken in by other instructions, so every length has its turn.
  @Test func theChecksumIsThatOfZipAtEveryLength() {
    var generator = SeededGenerator(seed: 17)
    let bytes = (0..<700).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    for count in 0..<200 {
      for start in [0, 1, 7, 64] {
        let part = bytes[start..<(start + count)]
        var plain: UInt32 = 0xFFFF_FFFF
        for byte in part {
          plain ^= UInt32(byte)
          for _ in 0..<8 { plain = plain & 1 == 1 ? plain >> 1 ^ 0xEDB8_8320 : plain >> 1 }
        }
        var checksum = CRC32()
        part.withUnsafeBytes { checksum.update($0) }
        #expect(checksum.value == ~plain, "\(count) bytes from \(start)")
      }
    }
  }

  @Test func writesAnArchiveInTheAlbumsOrderWithAManifest() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("Über/Berge")
    for number in 0..<4 {
      let path = try TestPictures.write(
        to: "\(folder.path)/Bild \(number).jpg", number: number, captured: "2024:05:0\(number + 1) 07:08:09")
      _ = try await library.importFile(path, to: album.id)
    }
    let photos = try await library.photos(in: album.id)
    try await library.move(
      [photos[3].id], in: album.id, to: DropPosition(after: nil, before: photos[0].id), mutationID: UUID())
    let export = try await library.export(album.id, numbered: true)
    var bytes: [UInt8] = []
    try await export.send { bytes += $0.readableBytesView }
    #expect(bytes.count == export.length)
    #expect(export.fileName == "Berge.zip")

    let path = folder.path + "/a.zip"
    try TestPictures.put(bytes, at: path)
    let names = try Self.python(
      "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print('|'.join(z.namelist()))",
      path)
    #expect(names == "001_Bild 3.jpg|002_Bild 0.jpg|003_Bild 1.jpg|004_Bild 2.jpg|manifest.json")
    let text = try Self.python(
      "import zipfile,sys; print(zipfile.ZipFile(sys.argv[1]).read('manifest.json').decode())", path)
    let manifest = try JSONDecoder().decode(AlbumManifest.self, from: Data(text.utf8))
    #expect(manifest.photos.map(\.title) == ["Bild 3", "Bild 0", "Bild 1", "Bild 2"])
    #expect(manifest.photos.first?.taken == "2024-05-04T07:08:09Z")
    await library.close()
  }

  @Test func longArchivesUseThe64BitForm() throws {
    // Files that are only planned: five of 2 GB, and seventy thousand of nothing.
    let large = (0..<5).map {
      ZipArchive.Entry(
        name: "\($0)", source: .file("x"), size: 2 << 30, checksum: 0, date: Timestamp(microseconds: 0))
    }
    let (pieces, length) = ZipArchive(entries: large).pieces()
    #expect(length > 10 << 30)
    guard case .bytes(let end) = pieces.last else { return }
    #expect(end.suffix(22).prefix(4) == [0x50, 0x4B, 5, 6])
    let locator = end.dropLast(22).suffix(20)
    #expect(locator.prefix(4) == [0x50, 0x4B, 6, 7])
    let many = (0..<70_000).map {
      ZipArchive.Entry(
        name: "\($0)", source: .bytes([]), size: 0, checksum: 0, date: Timestamp(microseconds: 0))
    }
    let path = folder.path + "/many.zip"
    var bytes: [UInt8] = []
    for case .bytes(let piece) in ZipArchive(entries: many).pieces().pieces { bytes += piece }
    try TestPictures.put(bytes, at: path)
    #expect(
      try Self.python("import zipfile,sys; print(len(zipfile.ZipFile(sys.argv[1]).namelist()))", path)
        == "70000")
  }

  @Test func namesAreNeverTwiceTheSame() {
    #expect(
      ExportNames.make(for: ["a.jpg", "A.jpg", "a.jpg", "manifest.json", "b"], numbered: false)
        == ["a.jpg", "A (2).jpg", "a (3).jpg", "manifest (2).json", "b"])
  }

  @Test func checksRepairsAndBacksUp() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    for number in 0..<4 {
      _ = try await library.importFile(
        try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number), to: album.id)
    }
    #expect(try await library.check().isGood)
    let copy = DataFolder(path: folder.path + "/copy")
    #expect(try await library.backUp(to: copy).copied == 4)
    #expect(try await library.backUp(to: copy).copied == 0)

    let hashes = try await library.photos(in: album.id).compactMap { ContentHash($0.contentHash) }
    try Files.remove(folder.data.original(hashes[0]))
    try TestPictures.put([1, 2, 3], at: folder.data.original(hashes[1]))
    try Files.remove(folder.data.thumbnail(hashes[2]))
    try await library.records.write { db in
      try db.execute(sql: "DELETE FROM photo WHERE contentHash = ?", arguments: [hashes[3].text])
    }
    var report = try await library.check()
    #expect(report.missing == ["0"])
    #expect(report.damaged == ["1"])
    #expect(report.withoutThumbnail == ["2"])
    #expect(report.orphans == [hashes[3].text])
    #expect(try await library.repair(report) == 1)
    report = try await library.check()
    #expect(report.orphans.isEmpty && report.withoutThumbnail.count <= 2)
    #expect(try await library.albums().map(\.title) == ["A", "Recovered"])
    await library.close()

    let restored = try await PhotoLibrary.open(copy, decoder: InProcessDecoder(), logger: .quiet)
    #expect(try await restored.photos(in: album.id).map(\.title) == ["0", "1", "2", "3"])
    #expect(try await restored.check().isGood)
    await restored.close()
  }

  private static func python(_ script: String, _ argument: String) throws -> String {
    let pipe = Pipe()
    let process = try ChildProcess(
      "/usr/bin/env", ["python3", "-c", script, argument], output: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.waitUntilExit() == 0)
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

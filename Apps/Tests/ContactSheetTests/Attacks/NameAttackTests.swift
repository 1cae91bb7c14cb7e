import Foundation
import GRDB
import HTTPTypes
import NIOCore
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Names that lead elsewhere, hide, collide, or mean something to a file system, a shell or a database.
@Suite struct NameAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test(arguments: ["/", "\\", ":", "*", "?", "\"", "<", ">", "|", "\0", "\r", "\n"] as [Unicode.Scalar])
  func noSpecialCharacterIsLeftInANameThatWasCleaned(_ special: Unicode.Scalar) {
    for text in MarkupAttackTests.texts(around: special, seed: 23, count: 2000) {
      for name in [TextCleaning.fileName("a" + text + "b.jpg"), TextCleaning.fileName(text)] {
        #expect(!name.unicodeScalars.contains(special), "\(text.unicodeScalars.map(\.value))")
        #expect(!name.beginsExactly(with: ".") && !name.utf8.isEmpty && name.utf8.count <= 180)
      }
    }
  }

  @Test func aSlashBesideAMarkIsASlash() {
    #expect(TextCleaning.lastPart("../\u{0301}x/\u{0D4E}/\u{0301}y.jpg").isExactly("\u{0301}y.jpg"))
    #expect(TextCleaning.lastPart("a\u{0D4E}\\b").isExactly("b"))
    #expect(TextCleaning.fileName(".\u{0301}hidden.jpg").beginsExactly(with: ".") == false)
  }

  @Test func cleaningTwiceChangesNothing() {
    var generator = SeededGenerator(seed: 29)
    for _ in 0..<5000 {
      var text = String.UnicodeScalarView()
      text.append("e")
      for _ in 0..<6 {
        let joiner: Unicode.Scalar = MarkupAttackTests.joiners.randomElement(using: &generator) ?? "x"
        let marks: [Unicode.Scalar] = ["\u{0301}", "\u{202E}", "\u{0307}", "\u{0323}", " "]
        let mark = marks.randomElement(using: &generator) ?? "x"
        text.append(Bool.random(using: &generator) ? joiner : mark)
      }
      let once = TextCleaning.oneLine(String(text), limit: 200)
      #expect(TextCleaning.oneLine(once, limit: 200).isExactly(once), "\(text.map(\.value))")
    }
  }

  @Test(arguments: [
    ("CON", "_CON"), ("con.jpg", "_con.jpg"), ("nul.", "_nul._"), ("Aux .tar.gz", "_Aux .tar.gz"),
    ("COM1", "_COM1"),
    ("lpt³.txt", "_lpt³.txt"), ("-rf.jpg", "_-rf.jpg"), ("--help", "_--help"), ("a.", "a._"), ("a ", "a _"),
    (" a", "_ a"), (".profile", "_.profile"), ("~root", "_~root"), ("a\u{0D4E}/b", "a\u{0D4E}_b"),
    ("a\nb", "a_b"),
    ("Conrad.jpg", "Conrad.jpg"), ("com10.jpg", "com10.jpg"), ("été.jpg", "été.jpg"), ("", "_"),
  ])
  func exportsHoldNoNameThatMeansSomethingElse(_ name: String, _ expected: String) {
    #expect(ExportNames.harmless(name).isExactly(expected))
    #expect(ExportNames.harmless(expected).isExactly(expected))
  }

  @Test func exportedNamesAndTitlesComeBackToTheByte() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("CON")
    let names = [
      "CON.jpg", "con.jpg", "nul..jpg", "-rf.jpg", "a .jpg", "e\u{0301}.jpg", "été ✨.jpg", "\u{0D4E}x.jpg",
    ]
    // As earlier versions stored them: uncomposed, with blanks at the end.
    let titles = [
      "trailing ", "e\u{0301}", "\u{0D4E}<b>", "CON", "-", "a\u{A0}", "a  b", "\u{212A}elvin \u{037E}",
    ]
    for (number, name) in names.enumerated() {
      let path = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
      let photo = try await library.importFile(path, to: album.id, named: name)
      try await library.records.write { db in
        try db.execute(sql: "UPDATE photo SET title = ? WHERE id = ?", arguments: [titles[number], photo.id])
      }
    }
    let photos = try await library.photos(in: album.id)
    let export = try await library.export(album.id, numbered: false)
    #expect(export.fileName == "_CON.zip")
    var bytes: [UInt8] = []
    try await export.send { bytes += $0.readableBytesView }
    let archive = folder.path + "/export.zip"
    try TestPictures.put(bytes, at: archive)
    let written = try ZipReader(archive).entries.map(\.name)
    #expect(written.prefix(4) == ["_CON.jpg", "con (2).jpg", "_nul..jpg", "_-rf.jpg"])
    let copy = try await library.createAlbum("Copy")
    let summary = try await FolderImport(to: LibraryDestination(library, album: copy), parallel: 1).run([
      archive
    ])
    #expect(summary.imported == names.count)
    let back = try await library.photos(in: copy.id)
    for (photo, other) in zip(photos, back) {
      #expect(other.title.isExactly(photo.title), "\(photo.title.unicodeScalars.map(\.value))")
      #expect(other.fileName.isExactly(photo.fileName), "\(photo.fileName.unicodeScalars.map(\.value))")
    }
    await library.close()
    // And through a server.
    let data = DataFolder(path: folder.path + "/other")
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    _ = try await server.url()
    let importing = try Run(["import", archive, "--data", data.path])
    #expect(await importing.wait() == 0, "\(importing.text)")
    server.signal(SIGINT)
    await server.wait()
    let other = try await PhotoLibrary.visit(data, logger: .quiet)
    let arrived = try await other.photos(
      in: try #require(try await other.albums().first { $0.title == "CON" }).id)
    #expect(arrived.count == photos.count)
    for (photo, other) in zip(photos, arrived) { #expect(other.title.isExactly(photo.title)) }
    await other.close()
  }

  @Test func twoSpellingsOfANameAreTwoFiles() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let source = folder.path + "/source"
    try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
    for (number, name) in ["\u{E9}.jpg", "e\u{301}.jpg", "\u{301}x.jpg"].enumerated() {
      try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
      try TestPictures.put(try TestPictures.bytes("\(folder.path)/\(number).jpg"), at: "\(source)/\(name)")
    }
    let summary = try await FolderImport(to: LibraryDestination(library, album: album)).run([source])
    #expect(summary.imported == 3 && summary.failed == 0, "\(summary) \(Files.names(in: source))")
    let archive = folder.path + "/two.zip"
    let entries = try (0..<2).map { number in
      let bytes = try TestPictures.bytes("\(folder.path)/\(number).jpg")
      var checksum = CRC32()
      bytes.withUnsafeBytes { checksum.update($0) }
      return ZipArchive.Entry(
        name: number == 0 ? "\u{E9}.jpg" : "e\u{301}.jpg", source: .bytes(bytes), size: bytes.count,
        checksum: checksum.value, date: Timestamp(microseconds: 0))
    }
    var bytes: [UInt8] = []
    for case .bytes(let piece) in ZipArchive(entries: entries).pieces().pieces { bytes += piece }
    try TestPictures.put(bytes, at: archive)
    let other = try await library.createAlbum("B")
    #expect(
      try await FolderImport(to: LibraryDestination(library, album: other)).run([archive]).imported == 2)
    await library.close()
  }

  @Test func hostsAndOriginsAreComparedByBytes() {
    var policy = HostPolicy()
    policy.names.insert("kiwi.example")
    #expect(policy.accepts(authority: "KIWI.example:80"))
    #expect(!policy.accepts(authority: "\u{212A}iwi.example"))
    #expect(!policy.acceptsWrite(headers: [.origin: "http://\u{212A}iwi.example"], authority: "kiwi.example"))
    #expect(policy.acceptsWrite(headers: [.origin: "http://Kiwi.example"], authority: "kiwi.example"))
    for wrong in ["+1.2.3.4", "1.2.3.+4", "1.2.3.\u{FF14}", "[::\u{FF11}]", "1.2.3", "1.2.3.256"] {
      #expect(!HostPolicy.isAddress(wrong), "\(wrong)")
    }
    for right in ["1.2.3.4", "[::1]", "255.255.255.255"] { #expect(HostPolicy.isAddress(right)) }
  }
}

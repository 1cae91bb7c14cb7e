import Foundation
import Testing

@testable import ContactSheetLibrary

/// Manifests that are longer than what they belong to, and manifests that are whole.
@Suite struct ManifestAttackTests {
  private func entry(_ number: Int, title: String = "a") -> AlbumManifest.Entry {
    AlbumManifest.Entry(
      file: "\(number).jpg", title: title, fileName: "a\"]},{\\.jpg", taken: nil, hash: "0", width: 1,
      height: 2)
  }

  private static func manifest(_ reader: ManifestReader) -> ReadManifest? {
    if case .manifest(let manifest) = reader.reading() { manifest } else { nil }
  }

  @Test(arguments: [true, false], [1, 7, 100_000])
  func readsWhatAnExportWrites(_ pretty: Bool, _ portion: Int) throws {
    let titles = ["", "\"", "\\", "\\\"", "[{", "}]", "\"photos\":[", "é\u{301}𝄞", "a, b : c", "\u{7f}\n\t"]
    let manifest = AlbumManifest(
      album: "\"photos\":[{ ✨ }]", photos: titles.enumerated().map { entry($0.offset, title: $0.element) })
    let encoder = JSONEncoder()
    if pretty { encoder.outputFormatting = [.prettyPrinted, .sortedKeys] }
    let bytes = Array(try encoder.encode(manifest))
    var reader = ManifestReader(photoLimit: titles.count)
    for start in stride(from: 0, to: bytes.count, by: portion) {
      try reader.take(bytes[start..<min(bytes.count, start + portion)])
    }
    let read = try #require(Self.manifest(reader))
    #expect(read.album == manifest.album && !read.isIncomplete && !read.lacksAlbum)
    #expect(read.photos.map(\.file) == manifest.photos.map(\.file))
    #expect(read.photos.map(\.title) == manifest.photos.map(\.title))
    #expect(read.photos.map(\.fileName) == manifest.photos.map(\.fileName))
  }

  @Test func isEqualToTheDecoderOnAnyCutAndChange() throws {
    var dice = SeededGenerator(seed: 7)
    let bytes = Array(
      try JSONEncoder().encode(AlbumManifest(album: "x", photos: [entry(0, title: "[\"{"), entry(1)])))
    for _ in 0..<3000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &dice) {
        changed[Int.random(in: 0..<changed.count, using: &dice)] = Array("{}[]\",:\\ a0".utf8).randomElement(
          using: &dice)!
      }
      if Bool.random(using: &dice) { changed.removeLast(Int.random(in: 0..<changed.count, using: &dice)) }
      var reader = ManifestReader(photoLimit: 100)
      try? reader.take(changed)
      // Both take the same where both take something; the reader takes more, and names the rest.
      guard let manifest = try? JSONDecoder().decode(AlbumManifest.self, from: Data(changed)),
        let read = Self.manifest(reader), !read.isIncomplete
      else { continue }
      let said = Comment(rawValue: String(decoding: changed, as: UTF8.self))
      #expect(read.album == manifest.album, said)
      #expect(read.photos.map(\.file) == manifest.photos.map(\.file), said)
      #expect(read.photos.map(\.title) == manifest.photos.map(\.title), said)
    }
  }

  @Test func refusesMorePhotosThanTheLimit() throws {
    let bytes = try JSONEncoder().encode(AlbumManifest(album: "x", photos: (0..<4).map { entry($0) }))
    var reader = ManifestReader(photoLimit: 3)
    #expect(throws: ManifestReader.Refusal.tooManyPhotos) { try reader.take(bytes) }
  }

  @Test func refusesPartsWithoutEnd() throws {
    let length = 2 * KnownMembers.maximumLength + 1
    let many = Array(String(repeating: "\"album\":\"x\",", count: length / 12 + 1).utf8)
    for bytes in [[UInt8](repeating: UInt8(ascii: "["), count: length), Array("{".utf8) + many] {
      var reader = ManifestReader(photoLimit: 10)
      #expect(throws: ManifestReader.Refusal.tooLong) { try reader.take(bytes) }
    }
  }

  /// Of members that nobody knows nothing is kept, and of those that are too long their names.
  @Test(arguments: [1, 7, 100_000])
  func membersWithoutEndTakeNoMemory(_ portion: Int) throws {
    let fill = [UInt8](repeating: UInt8(ascii: "["), count: KnownMembers.maximumLength + 1000)
    for start in ["\"", "\"album\":\"", "\"x\":[", "\"x\":\"", "\"\\x", "\"album\":[", "x", "\"x\":1,\"y\":"]
    {
      var members = KnownMembers(["album"], limit: 1 << 20)
      var reader = ManifestReader(photoLimit: 10)
      let bytes = Array("{\(start)".utf8) + fill
      for start in stride(from: 0, to: bytes.count, by: portion) {
        try reader.take(bytes[start..<min(bytes.count, start + portion)])
      }
      members.append(UInt8(ascii: "{"), as: .opening)
      for byte in bytes.dropFirst() {
        members.append(
          byte, as: byte == UInt8(ascii: ":") ? .colon : byte == UInt8(ascii: ",") ? .comma : .content)
      }
      #expect(members.bytes.count <= KnownMembers.maximumLength + 1, "\(start)")
      guard case .useless = reader.reading() else {
        Issue.record("\(start) is damaged")
        continue
      }
    }
  }

  @Test func passesOverPhotosWithoutEnd() throws {
    for start in ["{\"title\":\"", "[[[["] {
      var reader = ManifestReader(photoLimit: 10)
      let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 200_000)
      try reader.take(Array("{\"album\":\"x\",\"format\":1,\"photos\":[\(start)".utf8) + bytes)
      let read = try #require(Self.manifest(reader))
      #expect(read.photos.isEmpty && read.isCutOff)
    }
  }
}

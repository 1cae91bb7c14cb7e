import Foundation
import Testing

@testable import ContactSheet

/// Manifests that are longer than what they belong to, and manifests that are whole.
@Suite struct ManifestAttackTests {
  private func entry(_ number: Int, title: String = "a") -> AlbumManifest.Entry {
    AlbumManifest.Entry(
      file: "\(number).jpg", title: title, fileName: "a\"]},{\\.jpg", taken: nil, hash: "0", width: 1,
      height: 2)
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
    #expect(reader.manifest() == manifest)
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
      // What the reader takes, the decoder takes as the same; the reader may be stricter.
      if let manifest = reader.manifest() {
        #expect(manifest == AlbumManifest(Data(changed)), "\(String(decoding: changed, as: UTF8.self))")
      }
    }
  }

  @Test func refusesMorePhotosThanTheLimit() throws {
    let bytes = try JSONEncoder().encode(AlbumManifest(album: "x", photos: (0..<4).map { entry($0) }))
    var reader = ManifestReader(photoLimit: 3)
    #expect(throws: ManifestReader.Refusal.tooManyPhotos) { try reader.take(bytes) }
  }

  @Test func refusesPartsWithoutEnd() throws {
    for start in ["[", "{\"album\":\"", "{\"photos\":[{\"title\":\"", "{\"photos\":[[[[[", "{\"x\":["] {
      var reader = ManifestReader(photoLimit: 10)
      #expect(throws: ManifestReader.Refusal.tooLong) {
        try reader.take(Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "["), count: 200_000))
      }
    }
  }
}

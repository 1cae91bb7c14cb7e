import Foundation
import GRDB
import HTTPTypes
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Text that is to become markup, headers or names because a special character shares a `Character` with its neighbours.
@Suite struct MarkupAttackTests {
  /// Scalars that join what stands beside them: letters before which, and marks after which, there is no boundary between
  /// characters; and what ends lines or texts.
  static let joiners: [Unicode.Scalar] = [
    "\u{0600}", "\u{0D4E}", "\u{110BD}", "\u{111C2}", "\u{11A3A}", "\u{1193F}", "\u{0301}", "\u{0338}",
    "\u{20E3}",
    "\u{0903}", "\u{200C}", "\u{200D}", "\u{FE0F}", "\u{E0101}", "\u{1F3FB}", "\u{0000}", "\u{000D}",
    "\u{000A}",
    "\u{037E}", "\u{1FEF}", "\u{212A}", "\u{FF1C}", "\u{E0020}", "\u{1F1E6}", "\u{1100}", "\u{1161}",
  ]

  /// Texts in which each special character stands among joiners and random scalars.
  static func texts(around special: Unicode.Scalar, seed: UInt64, count: Int) -> [String] {
    var generator = SeededGenerator(seed: seed)
    func scalar() -> Unicode.Scalar {
      if Bool.random(using: &generator), let joiner = joiners.randomElement(using: &generator) {
        return joiner
      }
      return Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)) ?? "x"
    }
    return (0..<count).map { _ in
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...3, using: &generator) { text.append(scalar()) }
      text.append(special)
      for _ in 0..<Int.random(in: 0...3, using: &generator) { text.append(scalar()) }
      return String(text)
    }
  }

  @Test(arguments: ["<", ">", "\"", "'", "&"] as [Unicode.Scalar])
  func noSpecialCharacterComesOutOfEscapingRaw(_ special: Unicode.Scalar) {
    for text in Self.texts(around: special, seed: 13, count: 4000) {
      let escaped = WebAssets.escaped(text)
      #expect(!escaped.utf8.contains { "<>\"'".utf8.contains($0) }, "\(text.unicodeScalars.map(\.value))")
      for part in escaped.parts(between: "&", omittingEmpty: false).dropFirst() {
        #expect(["amp;", "lt;", "gt;", "quot;", "#39;"].contains { part.beginsExactly(with: $0) })
      }
      let back = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(
        escaped
      ) {
        String(decoding: Array($0.utf8).replacing(Array($1.0.utf8), with: Array($1.1.utf8)), as: UTF8.self)
      }
      #expect(back.isExactly(text))
    }
  }

  @Test func aTitleWithARefreshBehindAJoinerStaysText() async throws {
    let server = try await TestServer()
    let attack =
      "Holiday \u{0D4E}<meta http-equiv=refresh content=0;url=http://127.0.0.1:1/ \u{0D4E}>"
    let attribute = "x\u{0D4E}\"\u{0301} onload=\u{0D4E}'alert(1) \u{0D4E}{{plain}}"
    let album = try await server.library.createAlbum(attack)
    _ = try await server.library.createAlbum(attribute)
    let photo = try await server.library.insertRows(1, in: album.id)[0]
    try await server.library.rename(photo: photo, in: album.id, to: attack + attribute)
    try await server.run { client in
      let page = try await client.send(.get, "/albums/\(album.id.wireText)").text
      let bytes = Array(page.utf8)
      #expect(bytes.firstRange(of: Array("<meta http-equiv=refresh".utf8)) == nil)
      #expect(bytes.firstRange(of: Array("<\u{0301}".utf8)) == nil)
      #expect(bytes.firstRange(of: Array("\u{0D4E}\"".utf8)) == nil)
      #expect(bytes.firstRange(of: Array("\u{0D4E}'".utf8)) == nil)
      #expect(
        bytes.firstRange(of: Array("\u{0D4E}&lt;meta http-equiv=refresh".utf8)) != nil, "it is there, as text"
      )
    }
  }

  @Test func namesInHeadersAreOnlyWhatHeadersCanHold() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/a.jpg")
    let photo = try await server.library.importFile(path, to: album.id)
    let hash = try #require(try await server.library.photos(in: album.id).first?.contentHash)
    let library = server.library
    let allowed = Set("%-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    try await server.run { client in
      for special in ["\"", "'", ";", "\r", "\n", "%", "\\"] as [Unicode.Scalar] {
        for text in Self.texts(around: special, seed: 17, count: 20) {
          // As a database holds it that others wrote, and as a title that was typed.
          try await library.records.write { db in
            try db.execute(
              sql: "UPDATE photo SET fileName = ? WHERE id = ?", arguments: [text + ".jpg", photo.id])
            try db.execute(sql: "UPDATE album SET title = ?", arguments: [text])
          }
          for address in ["/originals/\(hash)", "/api/albums/\(album.id.wireText)/export"] {
            let value = try #require(try await client.send(.get, address).headers[.contentDisposition])
            let name = try #require(value.parts(between: "*", maxSplits: 1).last)
            #expect(name.beginsExactly(with: "=UTF-8''"))
            #expect(name.utf8.dropFirst(8).allSatisfy(allowed.contains), "\(value)")
          }
        }
      }
    }
  }

  @Test func JSONAnswersEscapeQuotesAndLineEnds() async throws {
    let server = try await TestServer()
    try await server.run { client in
      for special in ["\"", "\\", "\n", "\r"] as [Unicode.Scalar] {
        for text in Self.texts(around: special, seed: 19, count: 50) {
          let body = try JSONEncoder().encode(["title": text])
          let answer = try await client.send(
            .post, "/api/albums", json: String(decoding: body, as: UTF8.self))
          let title = try #require(try answer.json()["title"] as? String)
          #expect(title.isExactly(TextCleaning.oneLine(text, limit: 200)) || title == "Untitled")
        }
      }
    }
  }
}

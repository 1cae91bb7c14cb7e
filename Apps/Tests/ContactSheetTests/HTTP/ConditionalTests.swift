import CZlibShim
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      (nil, .whole), ("bytes=0-9", .part(0...9)), ("bytes=90-", .part(90...99)),
      ("bytes=-10", .part(90...99)),
      ("bytes=0-", .part(0...99)), ("bytes=95-200", .part(95...99)), ("bytes=-200", .part(0...99)),
      ("bytes=99-99", .part(99...99)), ("bytes=100-", .beyond), ("bytes=100-200", .beyond),
      ("bytes=-0", .beyond), ("bytes=9-0", .whole), ("bytes=0-1,3-4", .whole), ("bytes=", .whole),
      ("bytes=-", .whole), ("bytes=a-b", .whole), ("lines=0-9", .whole), ("bytes=--5", .whole),
      ("bytes=99999999999999999999-", .beyond), ("bytes=0-99999999999999999999", .part(0...99)),
      ("bytes=-99999999999999999999", .part(0...99)),
    ] as [(String?, ByteRange)])
  func readsWhatClientsAskFor(_ text: String?, _ expected: ByteRange) {
    #expect(ByteRange(text, size: 100) == expected)
  }

  @Test func servesPartsOfOriginals() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/a.jpg", width: 300, height: 200)
    let bytes = try TestPictures.bytes(path)
    _ = try await server.library.importFile(path, to: album.id)
    let hash = try #require(try await server.library.photos(in: album.id).first?.contentHash)
    try await server.run { client in
      let path = "/originals/\(hash)"
      let whole = try await client.send(.get, path)
      #expect(whole.headers[.acceptRanges] == "bytes")
      let tag = try #require(whole.headers[.eTag])
      let part = try await client.send(.get, path, headers: [.range: "bytes=10-19"])
      #expect(part.status == .partialContent)
      #expect(part.headers[.contentRange] == "bytes 10-19/\(bytes.count)")
      #expect(part.headers[.contentLength] == "10")
      #expect(Array(part.body.readableBytesView) == Array(bytes[10...19]))
      let rest = try await client.send(.get, path, headers: [.range: "bytes=-7", .ifRange: tag])
      #expect(Array(rest.body.readableBytesView) == bytes.suffix(7))
      let other = try await client.send(.get, path, headers: [.range: "bytes=-7", .ifRange: "\"x\""])
      #expect(other.status == .ok)
      #expect(other.body.readableBytes == bytes.count)
      let beyond = try await client.send(.get, path, headers: [.range: "bytes=\(bytes.count)-"])
      #expect(beyond.status == .rangeNotSatisfiable)
      #expect(beyond.headers[.contentRange] == "bytes */\(bytes.count)")
      let known = try await client.send(.get, path, headers: [.range: "bytes=1-2", .ifNoneMatch: tag])
      #expect(known.status == .notModified)
      let head = try await client.send(.head, path)
      #expect(head.status == .ok)
      #expect(head.headers[.contentLength] == "\(bytes.count)")
      #expect(head.headers[.eTag] == tag)
      #expect(head.body.readableBytes == 0)
    }
  }
}

@Suite struct CompressionTests {
  @Test func sendsThePagesFilesCompressedWhereThatIsTaken() async throws {
    let server = try await TestServer()
    try await server.run { client in
      for path in ["/assets/album.js", "/assets/styles/base.css", "/live-list/live-list.js"] {
        let plain = try await client.send(.get, path)
        let small = try await client.send(.get, path, headers: [.acceptEncoding: "br, gzip;q=0.8"])
        #expect(plain.headers[.contentEncoding] == nil)
        #expect(small.headers[.contentEncoding] == "gzip")
        #expect(small.headers[.vary] == "Accept-Encoding" && plain.headers[.vary] == "Accept-Encoding")
        #expect(small.headers[.eTag] != plain.headers[.eTag])
        #expect(small.body.readableBytes * 2 < plain.body.readableBytes)
        #expect(try Self.unpacked(small) == Array(plain.body.readableBytesView))
        let known = try await client.send(
          .get, path,
          headers: [.acceptEncoding: "gzip", .ifNoneMatch: "\"x\", W/\(small.headers[.eTag] ?? "")"])
        #expect(known.status == .notModified)
        let refused = try await client.send(.get, path, headers: [.acceptEncoding: "gzip;q=0"])
        #expect(refused.headers[.contentEncoding] == nil)
      }
      let path = try #require(try await client.send(.get, "/").headers[.location])
      let page = try await client.send(.get, path, headers: [.acceptEncoding: "gzip"])
      #expect(page.headers[.contentEncoding] == "gzip")
      #expect(String(decoding: try Self.unpacked(page), as: UTF8.self).contains("<live-list"))
    }
  }

  @Test func doesNotCompressPictures() {
    #expect(!Compression.isWorthIt("image/jpeg"))
    #expect(!Compression.isWorthIt("font/woff2"))
    #expect(Compression.gzip(SecretBytes.random(5000), .thorough) == nil)
  }

  /// Undoes gzip by the stream that it holds: ten bytes before, eight after.
  static func unpacked(_ answer: RouteAnswer) throws -> [UInt8] {
    let bytes = Array(answer.body.readableBytesView)
    let body = bytes.dropFirst(10).dropLast(8)
    let inflater = try #require(cz_inflate_start())
    defer { cz_inflate_end(inflater) }
    var (read, written) = (0, 0)
    let result = [UInt8](unsafeUninitializedCapacity: 4 << 20) { target, count in
      body.withUnsafeBufferPointer {
        _ = cz_inflate(inflater, $0.baseAddress, $0.count, target.baseAddress, target.count, &read, &written)
      }
      count = written
    }
    return result
  }
}

import Foundation
import HTTPTypes
import Hummingbird
import LiveLists
import NIOCore
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Numbers at the edges of what numbers can be, in all places where a number may come from outside: an overflow would end
/// the program, and this process with it.
@Suite struct NumberAttackTests {
  static let edges: [String] = {
    let near: [String] = [31, 32, 53, 63, 64].flatMap { (power: Int) -> [String] in
      [-1, 0, 1].flatMap { (more: Int) -> [String] in
        let value = UInt64(power == 64 ? UInt64.max : 1 << power)
        let number =
          more < 0
          ? "\(value - 1)" : more == 0 ? "\(value)" : value == .max ? "18446744073709551616" : "\(value + 1)"
        return [number, "-" + number]
      }
    }
    return near + [
      "\(Int.min)", "\(Int.max)", "\(Int.min + 1)", "-1", "0", "-0", "1", "+1", "%2B1",
      "00000000000000000000001", " 1",
      "1 ", "1_000", "1e9", "1.5", "NaN", "inf", "0x10", "%EF%BC%91", "%D9%A1", "", "-", "--1", "1,1", "%00",
      "1%CC%81",
      String(repeating: "9", count: 400), "-" + String(repeating: "9", count: 400),
    ]
  }()

  @Test func readsNumbersWithinBoundsWhateverTheirLength() {
    #expect(OutsideNumber.clamped("\(Int.min)", to: 1...Int.max) == 1)
    #expect(OutsideNumber.clamped("\(Int.min)", to: Int.min...Int.max) == .min)
    #expect(OutsideNumber.clamped("\(Int.max)", to: Int.min...Int.max) == .max)
    #expect(OutsideNumber.clamped("9223372036854775808", to: Int.min...Int.max) == .max)
    #expect(OutsideNumber.clamped(String(repeating: "9", count: 400), to: 0...7) == 7)
    #expect(OutsideNumber.clamped("-" + String(repeating: "9", count: 400), to: 0...7) == 0)
    #expect(OutsideNumber.clamped("007", to: 0...9) == 7)
    for wrong in ["", "-", "+1", "１", "1 ", " 1", "1\u{301}", "1e3", "0x1", "--1"] {
      #expect(OutsideNumber.clamped(wrong, to: 0...9) == nil, "\(wrong)")
    }
    #expect(OutsideNumber.exact("10", in: 0...9) == nil)
    #expect(OutsideNumber.exact("9", in: 0...9) == 9)
    #expect(OutsideNumber.exact("-1", in: 0...9) == nil)
  }

  /// Every parameter of every route, one at a time, and several at once by a seed.
  @Test func noNumberInAnyRequestEndsTheServer() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/a.jpg")
    let photo = try await server.library.importFile(path, to: album.id)
    let ids = try await server.library.insertRows(70, in: album.id)
    let hash = try #require(try await server.library.photos(in: album.id).first?.contentHash)
    let router = try WebServer(library: server.library, options: .init(), logger: .quiet).router()
    let routes = router.routes.map { (method: $0.method, path: $0.path.description) }
    #expect(routes.count > 20)
    var generator = SeededGenerator(seed: 31)
    func edge() -> String { Self.edges.randomElement(using: &generator) ?? "" }
    let names = [
      "page", "count", "from", "window", "since", "place", "numbered", "content", "name", "taken", "batch",
    ]
    var requests: [(method: HTTPRequest.Method, uri: String, headers: HTTPFields, body: String?)] = []
    for route in routes where !route.path.hasSuffix("/stream") {
      for number in Self.edges.indices {
        var uri = route.path.replacing("**", with: "album.js")
        let isStrange = number % 8 == 7
        uri.replace("{album}", with: isStrange ? edge() : album.id.wireText)
        uri.replace("{photo}", with: isStrange ? edge() : photo.id.wireText)
        uri.replace("{hash}", with: isStrange ? edge() : hash)
        uri +=
          "?"
          + names.map { "\($0)=\(Bool.random(using: &generator) ? Self.edges[number] : edge())" }
          .joined(separator: "&")
        uri = uri.replacing(" ", with: "%20")
        var headers: HTTPFields = [
          .range: "bytes=\(edge())-\(edge())", .acceptEncoding: "gzip;q=\(edge())",
          .secFetchSite: "same-origin",
          .ifNoneMatch: edge(), .lastEventID: "a.\(edge())",
        ]
        headers[.contentType] = number % 2 == 0 ? "application/json" : "application/x-www-form-urlencoded"
        let value = Self.edges[number]
        let body =
          number % 2 == 0
          ? #"{"act":"\#(UUID())","ids":["\#(ids[0])"],"after":null,"title":"t","by":"date","version":\#(value)}"#
          : "act=\(UUID())&do=place&ids=\(ids[1])&position=\(value)&page=\(edge())&count=\(edge())"
        let writes = route.method != .get && route.method != .head
        // What empties the albums comes last.
        if route.method == .delete { continue }
        requests.append((route.method, uri, headers, writes ? body : nil))
        if route.path == "/albums/{album}", writes {
          headers[.contentType] = "application/x-www-form-urlencoded"
          for deed in ["place", "start", "end"] {
            let form = "act=\(UUID())&do=\(deed)&ids=\(ids[2])&position=\(value)&page=\(value)"
            requests.append((.post, uri, headers, form))
          }
        }
      }
    }
    let all = requests
    try await server.run { client in
      for request in all {
        let answer = try await client.send(
          request.method, request.uri, headers: request.headers, body: request.body.map { Array($0.utf8) })
        #expect(
          answer.status.code < 500, "\(request.method) \(request.uri) \(request.body ?? ""): \(answer.text)")
      }
      #expect(try await client.send(.get, "/albums/\(album.id.wireText)").status == .ok)
    }
  }

  @Test func noWindowOfAStreamOverflows() async throws {
    let folder = try TestFolder()
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    _ = try await library.insertRows(3, in: album.id)
    let lists = SharedLists(library)
    for from in Self.edges {
      for text in ["\(from),1", "1,\(from)", "\(from),\(from)", from] {
        guard let window = ListStreamWindow(text) else { continue }
        let list = try await lists.enter(.album(album.id))
        let reader = FrameReader(list, since: "a.\(from)", window: window)
        #expect(await reader.frame { _ in true } != nil, "\(text)")
        _ = try await list.range(window, withContents: true)
        await lists.leave(.album(album.id))
        _ = try await library.opening(.album(album.id), window)
      }
    }
    for window in [ListStreamWindow(from: .max, count: .max), ListStreamWindow(from: .min, count: .min)] {
      let list = try await lists.enter(.album(album.id))
      _ = try await list.range(window, withContents: true)
      await lists.leave(.album(album.id))
      _ = try await library.opening(.album(album.id), window)
    }
    await library.close()
  }

  @Test func noDateOverflows() throws {
    for microseconds in [Int64.min, .max, .min + 1, 0, -1, 1] {
      let moment = Timestamp(microseconds: microseconds)
      #expect(!moment.iso8601.isEmpty && !moment.searchText.isEmpty)
    }
    for edge in Self.edges {
      let text = edge.removingPercentEncoding ?? edge
      for date in ["\(text):01:01 00:00:00", "2024:05:06 07:08:\(text)", text] {
        _ = Timestamp(exif: date, offset: "+\(text)")
        _ = Timestamp(iso8601: "\(date)Z")
        _ = Timestamp(iso8601: "2024-05-06T07:08:09.\(text)Z")
        _ = Timestamp(iso8601: "2024-05-06T07:08:09+\(text)")
      }
    }
    #expect(Timestamp(iso8601: "2024-05-06T07:08:09.-12345Z") == nil)
  }

  /// As an export says it, and an import reads it.
  @Test func partsOfASecondComeBack() {
    for whole in [-62_135_596_800, -1, 0, 1_714_979_289] as [Int64] {
      for part in [0, 1, 10, 120_000, 500_000, 999_999] as [Int64] {
        let moment = Timestamp(microseconds: whole * 1_000_000 + part)
        #expect(Timestamp(iso8601: moment.exactISO8601) == moment, "\(moment.exactISO8601)")
      }
    }
    let moment = Timestamp(microseconds: 1_714_979_289_120_000)
    #expect(moment.exactISO8601 == "2024-05-06T07:08:09.12Z")
  }

  /// Any four or eight bytes of an archive may be any number.
  @Test func noNumberInAnArchiveEndsTheProgram() throws {
    let folder = try TestFolder()
    let content: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    // Offsets and sizes beyond 4 GB, so that the archive has every field of the 64-bit form.
    let large = ZipArchive(entries: [
      ZipArchive.Entry(
        name: "a.jpg", source: .bytes(content), size: 5 << 30, checksum: 0, date: Timestamp(microseconds: 0)),
      ZipArchive.Entry(
        name: "b.jpg", source: .bytes(content), size: content.count, checksum: 0,
        date: Timestamp(microseconds: 0)),
    ])
    var bytes: [UInt8] = []
    for case .bytes(let piece) in large.pieces().pieces { bytes += piece }
    // The list is where the shortened archive has it.
    let list = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound
    let record = try #require(bytes.firstRange(of: [0x50, 0x4B, 6, 6])).lowerBound
    func put(_ number: UInt64, _ width: Int, at offset: Int, in bytes: inout [UInt8]) {
      for index in 0..<width where offset + index < bytes.count {
        bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
      }
    }
    // The sizes of the one and the offset of the other, in the fields of 64 bits.
    let second = try #require(bytes[4...].firstRange(of: [0x50, 0x4B, 3, 4])).lowerBound
    for width in [0, 8] { put(UInt64(content.count), 8, at: list + 46 + 5 + 4 + width, in: &bytes) }
    put(UInt64(second), 8, at: list + 46 + 5 + 20 + 46 + 5 + 4, in: &bytes)
    put(UInt64(list), 8, at: record + 48, in: &bytes)
    put(UInt64(record), 8, at: record + 56 + 8, in: &bytes)
    let path = folder.path + "/a.zip"
    let numbers: [UInt64] = [
      0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 53, .max >> 1, (.max >> 1) - 29, .max >> 1 + 1, .max,
      .max - 1,
    ]
    try TestPictures.put(bytes, at: path)
    #expect(try ZipReader(path).entries.map(\.offset) == [0, second], "whole before anything is changed")
    var read = 0
    for offset in list..<bytes.count {
      for number in numbers {
        var forged = bytes
        put(number, 8, at: offset, in: &forged)
        try TestPictures.put(forged, at: path)
        guard let archive = try? ZipReader(path) else { continue }
        for entry in archive.entries {
          read += 1
          try? archive.read(entry, limit: 1 << 20) { _ in }
        }
      }
    }
    #expect(read > 0)
  }

  /// And so may those of a TIFF's directories and a PNG's chunks.
  @Test func noNumberInTheDatesOfAPictureEndsTheProgram() throws {
    let folder = try TestFolder()
    func directory(_ next: UInt8) -> [UInt8] {
      [
        0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0x32, 1, 2, 0, 20, 0,
        0, 0, 60,
      ]
        + [0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 0x90, 2, 0, 20, 0, 0, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        + Array("2024:05:06 07:08:09\0".utf8)
    }
    let png =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + TestPictures.chunk("IHDR", [0, 0, 0, 1])
      + TestPictures.chunk("eXIf", directory(0))
    for (bytes, format) in [(directory(0), ImageFormat.tiff), (png, .png)] {
      for offset in 4..<bytes.count {
        for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
          var forged = bytes
          for index in offset..<min(offset + 4, bytes.count) { forged[index] = value }
          try TestPictures.put(forged, at: folder.path + "/a")
          let (taken, zone) = EXIFDates.read(try OpenFile(reading: folder.path + "/a"), format)
          _ = Timestamp(exif: taken, offset: zone)
        }
      }
    }
  }
}

import Foundation
import Testing

@testable import ContactSheetLibrary

/// Exports of which somebody changed the manifest: what is right in it counts, and what is wrong is named.
@Suite struct ManifestFaultTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let count = 4

  /// An export as a folder, whose photos are not in the order of their names.
  private func makeExport(_ change: (inout String) -> Void = { _ in }) throws -> String {
    let path = folder.path + "/export"
    try Files.makeFolder(path)
    var entries: [String] = []
    for number in 0..<Self.count {
      let name = "\(9 - number).jpg"
      let picture = try TestPictures.write(to: "\(path)/\(name)", number: number, width: 40, height: 30)
      let hash = try #require(try OriginalStore.hash(of: picture)).text
      entries.append(
        """
        {"file":"\(name)","fileName":"\(name)","hash":"\(hash)","height":30,"taken":"2001-02-03T04:05:0\(number)Z",\
        "title":"Title \(number)","width":40}
        """)
    }
    var text = "{\"album\":\"Holiday\",\"format\":1,\"photos\":[\(entries.joined(separator: ","))]}"
    change(&text)
    try TestPictures.put(Array(text.utf8), at: "\(path)/manifest.json")
    return path
  }

  private func imported(_ path: String) async throws -> (status: Int32, text: String) {
    let run = try Run(["import", path, "--data", folder.data.path])
    return (await run.wait(), run.text)
  }

  private func photos(_ title: String = "Holiday") async throws -> [Photo] {
    let library = try await PhotoLibrary.visit(folder.data, logger: .quiet)
    let album = try await library.albums().first { $0.title == title }
    let photos = try await album.asyncMap { try await library.photos(in: $0.id) } ?? []
    await library.close()
    return photos
  }

  /// Values that an import does not need, or does not miss.
  @Test(arguments: [
    "\"width\":1600.5", "\"width\":null", "\"width\":\"x\"", "\"width\":9223372036854775808", "\"more\":[{}]",
  ])
  func whatAnImportDoesNotNeedMayBeAnything(_ field: String) async throws {
    let path = try makeExport { $0 = $0.replacingFirst("\"width\":40", with: field) }
    let importing = try await imported(path)
    #expect(importing.status == 0, "\(importing.text)")
    #expect(try await photos().map(\.title) == (0..<Self.count).map { "Title \($0)" })
    #expect(try await photos().allSatisfy { $0.captureDate != nil })
  }

  @Test(arguments: [
    ("\"title\":\"Title 1\"", "\"title\":5", "title"),
    ("\"title\":\"Title 1\"", "\"title\":\"\\ud800\"", "title"),
    ("\"taken\":\"2001-02-03T04:05:01Z\"", "\"taken\":5", "date"),
    ("\"taken\":\"2001-02-03T04:05:01Z\"", "\"taken\":\"soon\"", "date"),
    ("\"hash\":\"", "\"hash\":7,\"old\":\"", "hash"), ("\"hash\":\"", "\"hash\":\"x", "hash"),
    ("\"album\":\"Holiday\"", "\"album\":7", "album's title"),
  ])
  func aFieldThatIsWrongIsNamedAndCostsNoOther(_ old: String, _ new: String, _ name: String) async throws {
    let path = try makeExport { $0 = $0.replacingFirst(old, with: new) }
    let importing = try await imported(path)
    #expect(importing.status == 0, "\(importing.text)")
    let said = importing.text.split(separator: "\n").first { $0.contains("manifest.json") }
    #expect(said?.contains(name) == true, "\(importing.text)")
    let photos = try await photos(name == "album's title" ? "My photos" : "Holiday")
    #expect(photos.map(\.fileName) == (0..<Self.count).map { "\(9 - $0).jpg" })
    for (number, photo) in photos.enumerated() {
      #expect(name == "title" && number == 1 ? photo.title == "8" : photo.title == "Title \(number)")
      #expect((name == "date" && number == 1) == (photo.captureDate == nil))
    }
  }

  @Test(arguments: ["5", "{\"file\":7}", "{}", "[1]", "{\"title\":\"LONG\"}", "{\"a\" 1}"])
  func anEntryThatIsWrongIsNamedAndCostsNoOther(_ entry: String) async throws {
    let long = String(repeating: "x", count: 1 << 20)
    let path = try makeExport {
      $0 = $0.replacingFirst("},{", with: "},\(entry.replacingFirst("LONG", with: long)),{")
    }
    let importing = try await imported(path)
    #expect(importing.status == 65, "\(importing.text)")
    #expect(importing.text.contains("1 photo of manifest.json could not be read"), "\(importing.text)")
    #expect(try await photos().map(\.title) == (0..<Self.count).map { "Title \($0)" })
  }

  @Test func ofAManifestThatIsCutOffTheWholeEntriesCount() async throws {
    let path = try makeExport { $0 = String($0[..<$0.range(of: "\"Title 2\"")!.lowerBound]) }
    let importing = try await imported(path)
    #expect(
      importing.status == 65 && importing.text.contains("manifest.json ends too early"), "\(importing.text)")
    let titles = try await photos().map(\.title)
    #expect(titles.prefix(2) == ["Title 0", "Title 1"] && titles.count == Self.count, "\(titles)")
  }

  @Test(arguments: ["format", "cut", "UTF-16", "photos"])
  func aManifestThatSaysNothingToUsIsRefusedBeforeAnythingIsImported(_ what: String) async throws {
    let path = try makeExport {
      switch what {
      case "format": $0 = $0.replacingFirst("\"format\":1", with: "\"format\":2")
      case "cut": $0 = String($0.prefix(20))
      case "photos": $0 = "{\"album\":\"Holiday\",\"format\":1,\"photos\":7}"
      default: break
      }
    }
    if what == "UTF-16" {
      let text = String(decoding: try TestPictures.bytes(path + "/manifest.json"), as: UTF8.self)
      try TestPictures.put(Array(text.data(using: .utf16)!), at: path + "/manifest.json")
    }
    let importing = try await imported(path)
    #expect(importing.status == 65 && importing.text.contains("manifest.json"), "\(importing.text)")
    #expect(Files.size(folder.data.database) == nil, "nothing was made")
  }

  /// A value that is longer than any in a manifest costs nothing but itself, wherever it is.
  @Test(
    arguments: [
      ("{\"album\":\"Holiday\"", "{\"album\":\"LONG\"", "album's title"),
      ("{\"album\":\"Holiday\"", "{\"album\":[\"LONG\"]", "album's title"),
      ("\"title\":\"Title 1\"", "\"title\":\"LONG\"", "title of “8.jpg”"),
      ("\"fileName\":\"8.jpg\"", "\"fileName\":\"LONG\"", "file name of “8.jpg”"),
      ("\"taken\":\"2001-02-03T04:05:01Z\"", "\"taken\":{\"LONG\":\"LONG\"}", "date of “8.jpg”"),
      ("\"width\":40", "\"width\":\"LONG\"", ""), ("\"width\":40", "\"LONG\":[\"LONG\",{}]", ""),
      ("\"format\":1", "\"LONG\":1,\"format\":1", ""), ("\"format\":1", "\"zz\":\"LONG\",\"format\":1", ""),
      ("\"format\":1", "\"format\":1,\"zz\":[[\"LONG\"],{\"a\":\"LONG\"}]", ""),
      ("]}", "],\"zz\":\"LONG\"}", ""),
    ], [65_500, 1_000_000])
  func whatIsTooLongIsNamedAndCostsNoOther(_ change: (String, String, String), _ count: Int) async throws {
    let (old, new, name) = change
    let long = String(repeating: "x", count: count) + "\\\"{[,:"
    let path = try makeExport {
      $0 = $0.replacingFirst(old, with: new.replacingOccurrences(of: "LONG", with: long))
    }
    let importing = try await imported(path)
    #expect(importing.status == 0, "\(importing.text)")
    let photos = try await photos(name == "album's title" && count > 65_536 ? "My photos" : "Holiday")
    let said = importing.text.split(separator: "\n").first { $0.contains("manifest.json") }
    if count > 65_536 {
      #expect(name.isEmpty ? said == nil : said?.contains(name) == true, "\(importing.text)")
    }
    guard count > 65_536 || name.isEmpty else { return }
    #expect(photos.count == Self.count)
    for (number, photo) in photos.enumerated() where name.isEmpty || number != 1 {
      #expect(photo.title == "Title \(number)" && photo.captureDate != nil)
    }
    if name.hasPrefix("title") { #expect(photos[1].title == "8" && photos[1].captureDate != nil) }
  }

  /// How long a text is does not depend on how it is written.
  @Test(arguments: [("\\u0041", 1), ("\\u00e9", 2), ("\\ud83d\\ude00", 4), ("é", 2), ("\\n", 1), ("x", 1)])
  func theLimitOfATextIsThatOfItsMeaning(_ letter: String, _ size: Int) throws {
    let limit = 64 << 10
    for (count, isWithin) in [(limit / size, true), (limit / size + 1, false)] {
      let text = String(repeating: letter, count: count)
      var reader = ManifestReader(photoLimit: 10)
      try reader.take(
        Array(
          #"{"album":"\#(text)","format":1,"photos":[{"file":"a","title":"\#(text)"},{"file":"\#(text)"}]}"#
            .utf8))
      guard case .manifest(let manifest) = reader.reading() else {
        Issue.record("It is no manifest.")
        return
      }
      #expect(manifest.lacksAlbum == !isWithin && (manifest.album != nil) == isWithin)
      #expect(manifest.photos.count == (isWithin ? 2 : 1) && manifest.unreadable == (isWithin ? 0 : 1))
      #expect(manifest.photos.first?.title?.utf8.count == (isWithin ? limit : nil))
      #expect(manifest.photos.first?.faults == (isWithin ? [] : [.title]))
    }
  }

  @Test(arguments: [
    ("[]", "it is a list"), ("[1]", "it is a list"), ("null", "it is a single value"),
    ("7", "it is a single value"),
    ("\"x\"", "it is a single value"), ("{}", "it is empty"), (" { } ", "it is empty"), ("", "it is damaged"),
  ])
  func whatIsNoManifestIsRefusedWithTheReason(_ text: String, _ reason: String) async throws {
    let path = try makeExport { $0 = text }
    let importing = try await imported(path)
    #expect(
      importing.status == 65 && importing.text.contains("cannot be used: \(reason)"), "\(importing.text)")
    #expect(Files.size(folder.data.database) == nil, "nothing was made")
  }

  @Test func anotherFileOfThatNameIsSaidAndDoesNoHarm() async throws {
    let path = try makeExport { $0 = "{\"name\":\"An app\",\"icons\":[{\"src\":\"a\"}]}" }
    let importing = try await imported(path)
    #expect(
      importing.status == 0 && importing.text.contains("manifest.json is no manifest"), "\(importing.text)")
    #expect(try await photos("My photos").count == Self.count)
  }
}

extension String {
  fileprivate func replacingFirst(_ old: String, with new: String) -> String {
    range(of: old).map { replacingCharacters(in: $0, with: new) } ?? self
  }
}

extension Optional where Wrapped: Sendable {
  fileprivate func asyncMap<Result>(_ body: (Wrapped) async throws -> Result) async rethrows -> Result? {
    if let self { return try await body(self) }
    return nil
  }
}

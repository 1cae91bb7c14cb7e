import Foundation
import Testing

@testable import ContactSheetLibrary

/// Orders that are read from exports of which somebody changed the manifest.
@Suite struct OrderListTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// An album of four photos, and the parts of a manifest that names them in the reversed order.
  private func makeAlbum() async throws -> [String] {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    var entries: [String] = []
    for number in 0..<4 {
      let path = try TestPictures.write(
        to: "\(folder.path)/\(number).jpg", number: number, width: 24, height: 16)
      _ = try await library.importFile(path, to: album.id)
      let hash = try #require(try OriginalStore.hash(of: path)).text
      entries.append(#"{"file":"\#(number).jpg","title":"T","hash":"\#(hash)"}"#)
    }
    await library.close()
    return entries.reversed()
  }

  @Test func aManifestComesByStandardInputToo() async throws {
    let entries = try await makeAlbum()
    let before = try await folder.photos().map(\.id)
    let file = folder.path + "/input"
    func reorder(_ text: String) async throws -> CommandResult {
      try TestPictures.put(text.utf8, at: file)
      let shell = try Run(
        ["-c", "\(Program.path) reorder --album A --like - --data \(folder.data.path) < \(file)"],
        program: "/bin/sh")
      return (await shell.wait(), shell.text)
    }
    let done = try await reorder(manifest(entries))
    #expect(done.status == 0, "\(done.text)")
    #expect(try await folder.photos().map(\.id) == before.reversed())
    let other = try await reorder(#"{"name":"x"}"#)
    #expect(other.status == 65 && other.text.contains("no manifest"), "\(other.text)")
    let list = try await reorder(before.map(\.wireText).joined(separator: "\n"))
    #expect(list.status == 0, "\(list.text)")
    #expect(try await folder.photos().map(\.id) == before)
  }

  private func manifest(_ entries: [String]) -> String {
    #"{"album":"A","format":1,"photos":[\#(entries.joined(separator: ","))]}"#
  }

  /// Brings the album into the order of a file, and gives the titles.
  private func reordered(like text: String, _ name: String = "order.json", asFolder: Bool = false)
    async throws
    -> (status: Int32, text: String, titles: [String])
  {
    let source = folder.path + "/source"
    try? FileManager.default.removeItem(atPath: source)
    try Files.makeFolder(source)
    let file = "\(source)/\(asFolder ? "manifest.json" : name)"
    try TestPictures.put(Array(text.utf8), at: file)
    let run = try Run([
      "reorder", "--album", "A", "--like", asFolder ? source : file, "--data", folder.data.path,
    ])
    let guardian = Guardian(run, seconds: 60)
    let status = await run.wait()
    guardian.dismiss()
    let library = try await PhotoLibrary.visit(folder.data, logger: .quiet)
    let album = try #require(try await library.albums().first { $0.title == "A" })
    let titles = try await library.photos(in: album.id).map(\.title)
    await library.close()
    return (status, run.text, titles)
  }

  @Test(arguments: [false, true])
  func aWholeManifestOrdersTheAlbum(asFolder: Bool) async throws {
    let entries = try await makeAlbum()
    let done = try await reordered(like: " \n" + manifest(entries), asFolder: asFolder)
    #expect(done.status == 0 && done.titles == ["3", "2", "1", "0"], "\(done.text)")
    #expect(!done.text.contains("manifest.json"), "\(done.text)")
  }

  /// A field that the order does not need may be anything.
  @Test func whatTheOrderDoesNotNeedMayBeAnything() async throws {
    var entries = try await makeAlbum()
    entries[1] = entries[1].replacingOccurrences(
      of: #""title":"T""#, with: #""title":5,"taken":[],"width":null"#)
    let done = try await reordered(like: manifest(entries))
    #expect(done.status == 0 && done.titles == ["3", "2", "1", "0"], "\(done.text)")
  }

  @Test(
    arguments: [
      ("null", "1 photo of manifest.json could not be read"),
      ("7", "1 photo of manifest.json could not be read"),
      (#"{"file":"2.jpg"}"#, "The hash of “2.jpg”"), (#"{"file":"2.jpg","hash":"x"}"#, "The hash of “2.jpg”"),
      (#"{"file":"2.jpg","hash":9}"#, "The hash of “2.jpg”"),
    ], [false, true])
  func aPhotoThatCannotBeReadIsNamedAndFollowsTheOthers(_ wrong: (String, String), _ asFolder: Bool)
    async throws
  {
    var entries = try await makeAlbum()
    entries[1] = wrong.0
    let done = try await reordered(like: manifest(entries), asFolder: asFolder)
    #expect(done.status == 65 && done.text.contains(wrong.1), "\(done.text)")
    #expect(done.titles == ["3", "1", "0", "2"], "\(done.titles)")
  }

  @Test func ofAManifestThatIsCutOffTheWholeEntriesCount() async throws {
    let text = manifest(try await makeAlbum())
    let done = try await reordered(like: String(text.dropLast(30)))
    #expect(done.status == 65 && done.text.contains("manifest.json ends too early"), "\(done.text)")
    #expect(done.titles == ["3", "2", "1", "0"])
  }

  @Test func whatCannotBeUsedIsRefusedWithTheReason() async throws {
    let entries = try await makeAlbum()
    let newer = manifest(entries).replacingOccurrences(of: #""format":1"#, with: #""format":2"#)
    for asFolder in [false, true] {
      let done = try await reordered(like: newer, asFolder: asFolder)
      #expect(
        done.status == 65 && done.text.contains("a format that this release does not know"), "\(done.text)")
      #expect(done.titles == ["0", "1", "2", "3"] && !done.text.contains("import"), "\(done.text)")
    }
    let other = try await reordered(like: #"{"name":"An app"}"#, asFolder: true)
    #expect(other.status == 66 && other.text.contains("is no export"), "\(other.text)")
  }

  @Test func whatIsTooLongInAManifestCostsNothingButItself() async throws {
    let entries = try await makeAlbum()
    let long = String(repeating: "x", count: 70_000)
    let text = manifest(entries).replacingOccurrences(of: #""title":"T""#, with: #""title":"\#(long)""#)
      .replacingOccurrences(of: #""format":1"#, with: #""format":1,"zz":["\#(long)"]"#)
    let done = try await reordered(like: text)
    #expect(done.status == 0 && done.titles == ["3", "2", "1", "0"], "\(done.text.prefix(500))")
  }

  /// JSON that is no manifest is called so, and not taken for a list of photos' names.
  @Test(arguments: [
    ("[]", "it is a list"), (" [1, {}]", "it is a list"), ("null", "it is a single value"),
    ("true", "it is a single value"), ("17", "it is a single value"), ("\"2\"", "it is a single value"),
    ("{}", "it is empty"), (#"{"name":"An app"}"#, "it is no manifest of an album"), ("", "it is damaged"),
    ("[1", "it is damaged"),
  ])
  func whatIsNoManifestIsRefusedWithTheReason(_ text: String, _ reason: String) async throws {
    _ = try await makeAlbum()
    let done = try await reordered(like: text)
    #expect(
      done.status == 65 && done.text.contains("“order.json” cannot be used: \(reason)"), "\(done.text)")
    #expect(done.titles == ["0", "1", "2", "3"])
    // So it is by its beginning alone, where that is not a title's.
    guard text.contains("[") || text.contains("{") || text.contains("\"") else { return }
    let unnamed = try await reordered(like: text, "order")
    #expect(unnamed.status == 65 && unnamed.text.contains(reason), "\(unnamed.text)")
  }

  /// The names of photos may look like JSON, also in a file that is called so.
  @Test(arguments: ["list.txt", "list.json"])
  func aListOfWhichALineIsWrongIsAList(_ name: String) async throws {
    _ = try await makeAlbum()
    let own = try await folder.library()
    let album = try #require(try await own.albums().first)
    let photo = try await own.photos(in: album.id)[2]
    try await own.rename(photo: photo.id, in: album.id, to: "[2] null")
    await own.close()
    let wrong = try await reordered(like: "[2] null\n3\nnobody\n", name)
    #expect(wrong.status == 66 && wrong.text.contains("“nobody” names no photo"), "\(wrong.text)")
    let right = try await reordered(like: "[2] null\n3\n", name)
    #expect(right.status == 0 && right.titles == ["[2] null", "3", "0", "1"], "\(right.text)")
    let numbers = try await reordered(like: "3", name)
    #expect(numbers.status == 0 && numbers.titles.first == "3", "\(numbers.text)")
  }

  @Test func emptyManifestsAreRefusedAsSuch() async throws {
    _ = try await makeAlbum()
    let done = try await reordered(like: "{}")
    #expect(done.status == 65 && done.text.contains("it is empty"), "\(done.text)")
  }

  /// Control characters of a list must not reach a terminal, which obeys them.
  @Test(arguments: ["\u{1B}[2J\u{1B}]0;owned\u{7}x", "\u{9B}2Jx", "a\u{202E}b\u{0}x"])
  func aListThatNamesNoPhotoSendsNothingToTheTerminal(_ line: String) async throws {
    _ = try await makeAlbum()
    let done = try await reordered(like: line + "\n", "list.txt")
    #expect(done.status == 66 && done.text.contains("x” names no photo"), "\(done.text.debugDescription)")
    for scalar in done.text.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control && scalar.value != 0x202E)
    }
  }

  /// A list is a list, also where a title begins as a manifest does.
  @Test func aListMayBeginWithABrace() async throws {
    _ = try await makeAlbum()
    let library = try await PhotoLibrary.visit(folder.data, logger: .quiet)
    let album = try #require(try await library.albums().first { $0.title == "A" })
    let photo = try await library.photos(in: album.id)[2]
    await library.close()
    let own = try await folder.library()
    try await own.rename(photo: photo.id, in: album.id, to: "{2}")
    await own.close()
    let done = try await reordered(like: "{2}\n3\n", "list.txt")
    #expect(done.status == 0 && done.titles == ["{2}", "3", "0", "1"], "\(done.text)")
  }

  @Test func aPipeIsRefusedAndNotWaitedFor() async throws {
    _ = try await makeAlbum()
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let run = try Run(["reorder", "--album", "A", "--like", pipe, "--data", folder.data.path])
    let guardian = Guardian(run, seconds: 60)
    #expect(await run.wait() == 66 && run.text.contains("no regular file"), "\(run.text)")
    guardian.dismiss()
  }
}

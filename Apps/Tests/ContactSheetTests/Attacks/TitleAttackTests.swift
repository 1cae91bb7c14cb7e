import Foundation
import HTTPTypes
import Testing

@testable import ContactSheetLibrary

/// Titles that are too long, or hold what no title holds: none is shortened in silence, by whatever way it comes.
@Suite struct TitleAttackTests {
  private let longest = String(repeating: "é", count: 250)

  @Test func aTitleThatIsTooLongIsRefusedWhereItIsTyped() async throws {
    let server = try await TestServer()
    let library = server.library
    let album = try await library.createAlbum("A")
    let picture = try TestPictures.write(to: server.folder.path + "/a.jpg")
    let photo = try await library.importFile(picture, to: album.id).id
    for title in [
      longest + "x", String(repeating: "x", count: 100_000), "e" + String(repeating: "\u{301}", count: 300),
    ] {
      #expect(await code { try await library.rename(photo: photo, in: album.id, to: title) } == .badRequest)
      #expect(await code { try await library.rename(album.id, to: title) } == .badRequest)
      #expect(await code { try await library.createAlbum(title) } == .badRequest)
      #expect(await code { try await library.albumTitled(title) } == .badRequest)
    }
    let albums = "/api/albums/\(album.id.wireText)"
    let long = longest + "x"
    try await server.run { client in
      for (method, path) in [
        (HTTPRequest.Method.patch, "\(albums)/photos/\(photo.wireText)"), (.patch, albums),
        (.post, "/api/albums"),
      ] {
        let answer = try await client.send(method, path, json: #"{"title":"\#(long)"}"#)
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains("501 bytes in UTF-8, and 500 are the most"), "\(answer.text)")
      }
    }
  }

  /// A title that was taken stays the same to the byte in exports and in imports of them.
  @Test func aTitleThatIsTakenComesBackToTheByte() async throws {
    let titles = [
      longest, "e" + String(repeating: "\u{301}", count: 249), "\u{0d4e}<b>", "👩‍👩‍👧", "a\u{200d}", " x ",
      "ﬁ\u{0308}", String(repeating: "𝄞", count: 125), "\u{1112}\u{1161}\u{11ab}", "\u{ff9e}か\u{3099}",
    ]
    for title in titles {
      let folder = try TestFolder()
      let library = try await folder.library()
      let album = try await library.createAlbum(title)
      let picture = try TestPictures.write(to: folder.path + "/a.jpg")
      let photo = try await library.importFile(picture, to: album.id).id
      let stored = try await library.rename(photo: photo, in: album.id, to: title).photo.title
      await library.close()
      let zip = folder.path + "/a.zip"
      #expect(try await folder.run("export", zip, "--album", album.title).status == 0)
      let other = DataFolder(path: folder.path + "/other")
      let imported = try await folder.run("import", zip, data: other)
      #expect(imported.status == 0 && !imported.text.contains("could not be kept"), "\(imported.text)")
      let back = try await PhotoLibrary.visit(other, logger: .quiet)
      let found = try #require(try await back.albums().first)
      #expect(Array(found.title.utf8) == Array(album.title.utf8))
      #expect(try await back.photos(in: found.id).map { Array($0.title.utf8) } == [Array(stored.utf8)])
      await back.close()
    }
  }

  @Test(arguments: [false, true])
  func aTitleOfAManifestThatCannotBeKeptIsNamed(whileServing: Bool) async throws {
    let folder = try TestFolder()
    let export = folder.path + "/export"
    try Files.makeFolder(export)
    let titles = [longest + "x", "a\0b", "e" + String(repeating: "\u{301}", count: 300), "kept"]
    var photos: [AlbumManifest.Entry] = []
    for (number, title) in titles.enumerated() {
      let path = try TestPictures.write(to: "\(export)/\(number).jpg", number: number)
      let hash = try #require(try OriginalStore.hash(of: path))
      photos.append(
        AlbumManifest.Entry(
          file: "\(number).jpg", title: title, fileName: "\(number).jpg", taken: nil, hash: hash.text,
          width: 1,
          height: 1))
    }
    let manifest = AlbumManifest(album: String(repeating: "ä", count: 251), photos: photos)
    try TestPictures.put(try JSONEncoder().encode(manifest), at: export + "/manifest.json")
    let server = whileServing ? try Run(["serve", "--port", "0", "--data", folder.data.path]) : nil
    _ = try await server?.url()
    let run = try await folder.run("import", export)
    let again = try await folder.run("import", export)
    server?.signal(SIGTERM)
    await server?.wait()
    #expect(run.status == 0, "\(run.text)")
    for (number, title) in ["ééé", "ab", "2"].enumerated() {
      let lines = run.text.split(separator: "\n").filter { $0.contains("The title of “\(number).jpg”") }
      #expect(lines.count == 1, "\(run.text)")
      #expect(lines.first?.contains("became “\(title)") == true, "\(run.text)")
    }
    #expect(!run.text.contains("“3.jpg”"), "\(run.text)")
    #expect(run.text.contains("The album's title in manifest.json could not be kept: “ää"), "\(run.text)")
    #expect(run.text.contains("3 with another title than the manifest says"), "\(run.text)")
    // They are there already, by the titles that they have.
    #expect(again.status == 0 && !again.text.contains("The title of"), "\(again.text)")
  }

  @Test func anAlbumThatIsNamedTooLongIsRefused() async throws {
    let folder = try TestFolder()
    let picture = try TestPictures.write(to: folder.path + "/a.jpg")
    let run = try await folder.run("import", picture, "--album", longest + "x")
    #expect(run.status == 64 && run.text.contains("The title is too long"), "\(run.text)")
  }
}

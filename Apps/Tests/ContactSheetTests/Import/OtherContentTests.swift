import Foundation
import HTTPTypes
import Testing

@testable import ContactSheetLibrary

/// Exports in which somebody put another picture in the place of the one that the manifest names.
@Suite struct OtherContentTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Two photos of which the second is another than the manifest says, and a third of which it says nothing that is a hash.
  private func makeExport() throws -> String {
    let path = folder.path + "/export"
    try Files.makeFolder(path)
    var manifest = AlbumManifest(album: "Holiday", photos: [])
    for (number, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() {
      let picture = try TestPictures.write(to: "\(path)/\(name)", number: number, width: 40, height: 30)
      let hash = try #require(try OriginalStore.hash(of: picture)).text
      let said = [hash.uppercased(), String(repeating: "0", count: 64), "none"][number]
      manifest.photos.append(
        .init(file: name, title: "Title \(number)", fileName: name, hash: said, width: 40, height: 30))
    }
    try TestPictures.put(Array(try JSONEncoder().encode(manifest)), at: "\(path)/manifest.json")
    return path
  }

  @Test(arguments: [false, true])
  func aPictureThatIsNotTheManifestsIsNamedAndImportedAsItIs(throughTheServer: Bool) async throws {
    let export = try makeExport()
    let server = throughTheServer ? try Run(["serve", "--port", "0", "--data", folder.data.path]) : nil
    _ = try await server?.url()
    let importing = try Run(["import", export, "--data", folder.data.path])
    #expect(await importing.wait() == 0, "\(importing.text)")
    let lines = importing.text.split(separator: "\n").filter { $0.contains("its content is another") }
    #expect(lines.count == 1 && lines.first?.contains("“b.jpg”") == true, "\(importing.text)")
    #expect(importing.text.contains("1 with another content than the manifest says"), "\(importing.text)")
    // Run again, it says so again.
    let again = try Run(["import", export, "--data", folder.data.path])
    #expect(await again.wait() == 0)
    #expect(again.text.contains("“b.jpg” is not the file") && again.text.contains("3 were there already"))
    server?.signal(SIGTERM)
    await server?.wait()
    let library = try await folder.library()
    let album = try #require(try await library.albums().first { $0.title == "Holiday" })
    #expect(try await library.photos(in: album.id).map(\.title) == ["Title 0", "Title 1", "Title 2"])
    await library.close()
  }

  @Test func anUploadSaysWhetherItIsWhatWasAnnounced() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/a.jpg", width: 40, height: 30)
    let (bytes, hash) = (try TestPictures.bytes(path), try #require(try OriginalStore.hash(of: path)).text)
    try await server.run { client in
      let address = "/api/albums/\(album.id.wireText)/photos?name=a.jpg"
      let other = try await client.send(
        .post, address + "&hash=" + String(repeating: "0", count: 64), body: bytes)
      #expect(other.status == .created)
      #expect(try other.json()["differs"] as? Bool == true)
      let same = try await client.send(.post, address + "&hash=" + hash, body: bytes)
      #expect(try same.json()["differs"] == nil)
      #expect(try await client.send(.post, address + "&hash=x", body: bytes).status == .badRequest)
    }
  }
}

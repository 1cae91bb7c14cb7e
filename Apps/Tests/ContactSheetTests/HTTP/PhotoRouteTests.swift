import Foundation
import HTTPTypes
import Hummingbird
import NIOHTTP1
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct PhotoRouteTests {
  @Test func takesUploadsAndServesThem() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/a.jpg", width: 900, height: 600)
    let bytes = try TestPictures.bytes(path)
    let library = server.library
    try await server.run { client in
      let target = "/api/albums/\(album.id.wireText)/photos?name=dir%2FSt%C3%BCck%201.jpg"
      let answer = try await client.send(.post, target, body: bytes)
      #expect(answer.status == .created)
      #expect(try answer.json()["title"] as? String == "Stück 1")
      #expect(try answer.json()["status"] as? String == "imported")
      let again = try await client.send(.post, target, body: bytes)
      #expect(again.status == .ok)
      #expect(try again.json()["status"] as? String == "duplicate")
      #expect(try again.json()["id"] as? String == answer.json()["id"] as? String)

      let hash = try #require(try await library.photos(in: album.id).first?.contentHash)
      let original = try await client.send(.get, "/originals/\(hash)")
      #expect(Array(original.body.readableBytesView) == bytes)
      #expect(original.headers[.contentType] == "image/jpeg")
      #expect(original.headers[.xContentTypeOptions] == "nosniff")
      let thumbnail = try await client.send(.get, "/thumbnails/\(hash)")
      #expect(thumbnail.status == .ok)
      #expect(thumbnail.headers[.cacheControl] == "private, no-cache")
      #expect(Array(thumbnail.body.readableBytesView.prefix(2)) == [0xFF, 0xD8])
      let known = try await client.send(
        .get, "/thumbnails/\(hash)", headers: [.ifNoneMatch: thumbnail.headers[.eTag] ?? ""])
      #expect(known.status == .notModified)
      let albums = try await client.send(.get, "/api/albums").text
      #expect(albums == #"[{"count":1,"id":"\#(album.id.wireText)","title":"A"}]"#)
    }
  }

  @Test func showsPagesAPreviewOfWhatBrowsersDoNotShow() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let path = try TestPictures.write(to: server.folder.path + "/a.heic")
    _ = try await server.library.importFile(path, to: album.id)
    let hash = try #require(try await server.library.photos(in: album.id).first?.contentHash)
    try await server.run { client in
      let picture = try await client.send(.get, "/originals/\(hash)", headers: [.secFetchDest: "image"])
      #expect(picture.status == .seeOther)
      #expect(picture.headers[.location] == "/previews/\(hash)")
      let preview = try await client.send(.get, "/previews/\(hash)")
      #expect(preview.headers[.contentType] == "image/jpeg")
      let file = try await client.send(.get, "/originals/\(hash)", headers: [.secFetchDest: "document"])
      #expect(file.headers[.contentType] == "image/heic")
    }
  }

  @Test(arguments: [
    ("empty.jpg", "", 422, "empty"), ("text.jpg", "some words", 415, "notAnImage"),
    ("x.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", 415, "unsupported"),
  ])
  func saysWhatIsWrongWithAFile(_ name: String, _ text: String, _ status: Int, _ code: String) async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let folder = server.folder
    try await server.run { client in
      let answer = try await client.send(
        .post, "/api/albums/\(album.id.wireText)/photos?name=\(name)", body: Array(text.utf8))
      #expect(answer.status.code == status)
      #expect(try answer.errorCode() == code)
      #expect(answer.text.contains(name))
      #expect(folder.files(in: "incoming").isEmpty)
    }
  }

  @Test func refusesWhatIsTooLargeByItsLengthAndByItsBytes() async throws {
    var settings = Settings()
    settings.byteLimit = 1 << 20
    let server = try await TestServer(settings)
    let album = try await server.library.createAlbum("A")
    let folder = server.folder
    try await server.serve(to: { host, port in
      let body = [UInt8](repeating: 0xFF, count: 3 << 20)
      let answer = try await LocalRequest(
        method: .POST, target: "/api/albums/\(album.id.wireText)/photos?name=big.jpg", body: .bytes(body)
      ).send(host: host, port: port)
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(answer.status == 413)
      #expect(text.contains("\"code\":\"tooLarge\"") && text.contains("big.jpg"), "\(text)")
      #expect(folder.files(in: "incoming").isEmpty)
    })
  }

  @Test(arguments: ["/thumbnails/", "/originals/", "/previews/"])
  func hasNothingAtOtherNames(_ route: String) async throws {
    let server = try await TestServer()
    try await server.run { client in
      let unknown = String(repeating: "0", count: 64)
      for name in [unknown, "..%2F..%2Flock", "..", unknown.dropLast() + "G", "lock"] {
        let answer = try await client.send(.get, route + name)
        #expect(answer.status == .notFound, "\(name)")
      }
    }
  }

  @Test func movesAndDeletesByMutations() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let ids = try await server.library.insertRows(4, in: album.id)
    let names = ids.map(\.wireText)
    let library = server.library
    try await server.run { client in
      let base = "/api/albums/\(album.id.wireText)"
      let mutationID = UUID().wireText
      let move =
        #"{"act":"\#(mutationID)","ids":["\#(names[3])"],"after":"\#(names[0])","before":"\#(names[1])"}"#
      #expect(try await client.send(.post, base + "/moves", json: move).status == .ok)
      #expect(try await client.send(.post, base + "/moves", json: move).status == .ok)
      #expect(try await library.photos(in: album.id).map(\.id) == [ids[0], ids[3], ids[1], ids[2]])
      let delete = #"{"act":"\#(UUID().wireText)","ids":["\#(names[0])","\#(names[2])"]}"#
      #expect(try await client.send(.post, base + "/deletes", json: delete).status == .ok)
      #expect(try await library.photos(in: album.id).map(\.id) == [ids[3], ids[1]])
      let gone = #"{"act":"\#(UUID().wireText)","ids":["\#(names[3])"],"after":"\#(names[0])","before":null}"#
      let refused = try await client.send(.post, base + "/moves", json: gone)
      #expect(refused.status == .conflict)
      #expect(try refused.errorCode() == "conflict")
      for broken in ["", "{}", "[]", #"{"act":"x","ids":[]}"#] {
        #expect(
          try await client.send(.post, base + "/moves", json: broken).status == .badRequest, "\(broken)")
      }
    }
  }
}

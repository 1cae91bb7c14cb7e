import Foundation
import HTTPTypes
import LiveLists
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// The trash as a list, and what is done with it.
@Suite struct TrashRouteTests {
  private func body(_ members: String, mutationID: UUID = UUID()) -> String {
    #"{"act":"\#(mutationID.wireText)",\#(members)}"#
  }

  @Test func isAListOfAllAlbumsWithTheLastDeletedFirst() async throws {
    let server = try await TestServer()
    let library = server.library
    let (one, two) = (try await library.createAlbum("A").id, try await library.createAlbum("B").id)
    let ids = try await library.insertRows(2, in: one) + library.insertRows(1, in: two)
    for (id, album, moment) in [(ids[0], one, 1), (ids[2], two, 3), (ids[1], one, 2)] {
      try await library.delete([id], from: album, mutationID: UUID())
      try await library.records.write { db in
        try db.execute(
          sql: "UPDATE photo SET trashedDate = ? WHERE id = ?",
          arguments: [Int64(moment) * 86_400_000_000, id])
      }
    }
    try await library.records.write { try $0.execute(sql: "UPDATE trash_rule SET since = 0") }
    try await server.run { client in
      let rows = try await client.send(.get, "/api/trash/items?from=0&count=9").json()
      let section = try #require((rows["sections"] as? [[String: Any]])?.first)
      let window = try #require((section["windows"] as? [[Any]])?.first)
      #expect(window[1] as? [String] == [ids[2], ids[1], ids[0]].map(\.wireText))
      let content = try #require(rows["content"] as? [String: [String: Any]])
      let first = try #require(content[ids[2].wireText])
      #expect(first["album"] as? String == two.wireText)
      #expect(
        first["expires"] as? String == "1970-02-03T00:00:00Z", "thirty days after the fourth of January")
      #expect(first["hash"] != nil && first["title"] as? String == "0")
      // Their addresses say where they are, those of others lead to the page and say that they are gone.
      for (index, id) in [ids[2], ids[1], ids[0]].enumerated() {
        let page = try await client.send(.get, "/trash/photos/\(id.wireText)")
        #expect(page.status == .ok && page.text.contains("data-position=\"\(index + 1)\""))
      }
      #expect(try await client.send(.get, "/trash/photos/\(one.wireText)").status == .notFound)
    }
  }

  @Test func tellsItsReadersAndThoseOfTheAlbumsOfEveryMutation() async throws {
    let server = try await TestServer()
    let library = server.library
    let album = try await library.createAlbum("A").id
    let ids = try await library.insertRows(3, in: album)
    try await library.delete(ids, from: album, mutationID: UUID())
    let lists = SharedLists(library)
    let trash = FrameReader(try await lists.enter(.trash))
    let photos = FrameReader(try await lists.enter(.album(album)))
    for reader in [trash, photos] { #expect(await reader.frame { $0.contains("snapshot") } != nil) }
    let (back, gone) = (UUID(), UUID())
    try await library.restore([ids[0]], mutationID: back)
    await lists.acknowledge(back, in: nil)
    #expect(await trash.frame { $0.contains(back.wireText) }?.contains("deleted") == true)
    #expect(await photos.frame { $0.contains(back.wireText) }?.contains("inserted") == true)
    try await library.removeForGood([ids[1]], mutationID: gone)
    await lists.acknowledge(gone, in: nil)
    #expect(await trash.frame { $0.contains(gone.wireText) }?.contains("deleted") == true)
    let delete = UUID()
    try await library.delete([ids[0]], from: album, mutationID: delete)
    #expect(await trash.frame { $0.contains(delete.wireText) }?.contains("inserted") == true)
    await library.close()
  }

  @Test func restoresDeletesAndTakesBack() async throws {
    let server = try await TestServer()
    let library = server.library
    let (one, two) = (try await library.createAlbum("A").id, try await library.createAlbum("B").id)
    let ids = try await library.insertRows(4, in: one)
    let lost = try await library.insertRows(1, in: two)
    try await library.delete(ids, from: one, mutationID: UUID())
    try await library.deleteAlbum(two)
    try await server.run { client in
      func send(_ kind: String, _ json: String) async throws -> RouteAnswer {
        try await client.send(.post, "/api/trash/\(kind)", json: json)
      }
      let mutationID = UUID()
      let named = #""ids":["\#(ids[1].wireText)","\#(lost[0].wireText)"]"#
      let answer = try await send("restores", body(named, mutationID: mutationID)).json()
      #expect(answer["changed"] as? Bool == true && answer["left"] as? Int == 1)
      #expect(try await library.photos(in: one).map(\.id) == [ids[1]])
      let refused = try await send("restores", body(#""ids":["\#(lost[0].wireText)"]"#))
      #expect(refused.status == .conflict && refused.text.contains("has been deleted. Choose another."))
      let other = #""ids":["\#(lost[0].wireText)"],"album":"\#(one.wireText)""#
      #expect(try await send("restores", body(other)).status == .ok)
      #expect(try await library.photos(in: one).map(\.id) == [ids[1], lost[0]])
      let undo = try await send("undo", body(#""undoes":"\#(mutationID.wireText)""#)).json()
      #expect(undo["changed"] as? Bool == true)
      #expect(try await library.photos(in: one).map(\.id) == [lost[0]])
      // All that the list had at a version, but one.
      let rows = try await client.send(.get, "/api/trash/items?from=0&count=0").json()
      let version = "\(try #require(rows["epoch"] as? String)).\(try #require(rows["seq"] as? Int))"
      let all = #""all":{"version":"\#(version)","except":["\#(ids[3].wireText)"]}"#
      #expect(try await send("deletes", body(all)).json()["changed"] as? Bool == true)
      #expect(try await library.trash().count == 1)
      #expect(
        try await send("deletes", body("\"ids\":[\"\(ids[0].wireText)\"]")).json()["changed"] as? Bool
          == false)
      #expect(try await send("restores", #"{"ids":[]}"#).status == .badRequest)
      #expect(try await send("restores", body(all.replacing(version, with: "other.1"))).status == .conflict)
    }
  }

  @Test func withoutScriptsItsPageBringsPhotosBack() async throws {
    let server = try await TestServer()
    let library = server.library
    let album = try await library.createAlbum("A").id
    let ids = try await library.insertRows(2, in: album)
    try await library.delete(ids, from: album, mutationID: UUID())
    try await server.run { client in
      let page = try await client.send(.get, "/trash").text
      #expect(page.contains("value=\"\(ids[0].wireText)\"") && page.contains("value=\"restore\""))
      let form: HTTPFields = [
        .contentType: "application/x-www-form-urlencoded", .init("Sec-Fetch-Site")!: "same-origin",
      ]
      func send(_ text: String) async throws -> RouteAnswer {
        try await client.send(.post, "/trash", headers: form, body: Array(text.utf8))
      }
      let answer = try await send("act=\(UUID().wireText)&do=restore&ids=\(ids[0].wireText)")
      #expect(answer.status == .seeOther)
      #expect(try await library.photos(in: album).map(\.id) == [ids[0]])
      let said = try await client.send(.get, try #require(answer.headers[.location])).text
      #expect(said.contains("Brought back 1 photo."))
      #expect(try await send("do=restore").status == .badRequest)
      #expect(
        try await send("act=\(UUID().wireText)&do=restore").headers[.location]?.contains("said=none") == true)
    }
  }
}

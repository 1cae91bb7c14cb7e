import Foundation
import HTTPTypes
import LiveLists
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// The answers to mutations, and the changes of lists that follow.
@Suite struct MutationRouteTests {
  private struct Album {
    var path: String
    var id: UUID
    var ids: [UUID]
    var names: [String] { ids.map(\.wireText) }
  }

  /// An album of rows whose list, and a search in it, a test follows.
  private func run(
    _ count: Int,
    _ body: @escaping @Sendable (RouteClient, PhotoLibrary, Album) async throws -> Void
  ) async throws {
    let server = try await TestServer()
    let (library, id) = (server.library, try await server.library.createAlbum("A").id)
    let ids = try await library.insertRows(count, in: id)
    let album = Album(path: "/api/albums/\(id.wireText)", id: id, ids: ids)
    try await server.run { try await body($0, library, album) }
  }

  private func version(_ client: RouteClient, _ album: Album, _ query: String = "") async throws
    -> String
  {
    let rows = try await client.send(.get, "\(album.path)/items?from=0&count=0\(query)").json()
    return "\(try #require(rows["epoch"] as? String)).\(try #require(rows["seq"] as? Int))"
  }

  private func changed(_ answer: RouteAnswer) throws -> Bool? {
    #expect(answer.status == .ok, "\(answer.text)")
    return try answer.json()["changed"] as? Bool
  }

  @Test func saysWhetherAMutationChangedAnything() async throws {
    try await run(4) { client, library, album in
      let names = album.names
      func send(_ kind: String, _ json: String, mutationID: UUID = UUID()) async throws -> Bool? {
        let answer = try await client.send(
          .post, "\(album.path)/\(kind)", json: #"{"act":"\#(mutationID.wireText)",\#(json)}"#)
        return try changed(answer)
      }
      let ranks = try await library.ranks(in: album.id)
      let (drop, move) = (UUID(), UUID())
      let same = #""ids":["\#(names[1])","\#(names[2])"],"after":"\#(names[0])","before":"\#(names[3])""#
      #expect(try await send("moves", same, mutationID: drop) == false)
      let byTheOther = #""ids":["\#(names[1])","\#(names[2])"],"after":null,"before":"\#(names[3])""#
      #expect(try await send("moves", byTheOther) == false)
      let atTheEnd = #""ids":["\#(names[3])"],"after":"\#(names[2])","before":null"#
      #expect(try await send("moves", atTheEnd) == false)
      #expect(try await library.ranks(in: album.id) == ranks, "nothing is written")
      let turned = #""ids":["\#(names[2])","\#(names[1])"],"after":"\#(names[0])","before":"\#(names[3])""#
      #expect(try await send("moves", turned, mutationID: move) == true)
      #expect(try await send("moves", turned, mutationID: move) == true, "it is answered as it was")
      #expect(try await send("moves", turned) == false)
      #expect(
        try await send("moves", same, mutationID: drop) == false, "also where it would be a change by now")
      #expect(try await send("undo", #""undoes":"\#(drop.wireText)""#) == false)
      #expect(try await send("undo", #""undoes":"\#(move.wireText)""#) == true)
      #expect(try await send("undo", #""undoes":"\#(move.wireText)""#) == false)
      #expect(try await library.photos(in: album.id).map(\.id) == album.ids)
      #expect(try await send("deletes", #""ids":["\#(names[0])"]"#) == true)
      #expect(try await send("deletes", #""ids":["\#(names[0])"]"#) == false)
      let there = #""ids":["\#(names[1])"],"album":"\#(album.id.wireText)""#
      #expect(try await send("transfers", there) == false)
    }
  }

  @Test func tellsEveryListOfEveryMutation() async throws {
    let server = try await TestServer()
    let library = server.library
    let album = try await library.createAlbum("A")
    let ids = try await library.insertRows(4, in: album.id)
    let lists = SharedLists(library)
    let keys: [SharedLists.Key] = [.album(album.id), .months(album.id), .search(album.id, ["2"])]
    var readers: [FrameReader] = []
    for key in keys { readers.append(FrameReader(try await lists.enter(key))) }
    for reader in readers { #expect(await reader.frame { $0.contains("snapshot") } != nil) }
    // A drop where the photo lies; one that the search does not see; one after it.
    for (id, index) in [(1, 0), (0, 3), (3, 2)] {
      let mutationID = UUID()
      let before = try await library.photos(in: album.id).map(\.id)
      try await library.move(
        [ids[id]], in: album.id, to: DropPosition(after: ids[index], before: nil), mutationID: mutationID)
      await lists.acknowledge(mutationID, in: album.id)
      let isChange = try await library.photos(in: album.id).map(\.id) != before
      for (key, reader) in zip(keys, readers) {
        let frame = await reader.frame { $0.contains(mutationID.wireText) }
        if case .album = key { #expect(frame?.contains("moved") == isChange, "\(id): \(frame ?? "")") }
      }
    }
    // Each mutation came once: what follows the last one is the next.
    let deletion = UUID()
    try await library.delete([ids[2]], from: album.id, mutationID: deletion)
    await lists.acknowledge(deletion, in: album.id)
    for (key, reader) in zip(keys, readers) {
      let frame = await reader.frame { _ in true }
      #expect(frame?.contains(deletion.wireText) == true, "\(key)")
      #expect(frame?.contains("deleted") == true, "\(key)")
    }
    await library.close()
  }

  /// A change that waited to be saved while somebody deleted the album must not seem to be saved.
  @Test func refusesMutationsInAnAlbumThatIsGone() async throws {
    try await run(2) { client, library, album in
      let other = try await library.createAlbum("B")
      let move = UUID()
      func send(_ kind: String, _ json: String, mutationID: UUID = UUID()) async throws -> RouteAnswer {
        try await client.send(
          .post, "\(album.path)/\(kind)", json: #"{"act":"\#(mutationID.wireText)",\#(json)}"#)
      }
      let ids = #""ids":["\#(album.names[0])"]"#
      let toTheEnd = ids + #","after":"\#(album.names[1])","before":null"#
      #expect(try await send("moves", toTheEnd, mutationID: move).status == .ok)
      try await library.deleteAlbum(album.id)
      for (kind, json) in [
        ("moves", toTheEnd), ("deletes", ids), ("transfers", ids + #","album":"\#(other.id.wireText)""#),
        ("order", #""by":"title""#),
      ] {
        let answer = try await send(kind, json)
        #expect(answer.status == .notFound, "\(kind)")
        #expect(answer.text.contains("There is no such album."), "\(kind): \(answer.text)")
      }
      #expect(try await send("undo", #""undoes":"\#(move.wireText)""#).status == .notFound)
      #expect(try await send("moves", toTheEnd, mutationID: move).status == .ok, "it is answered as it was")
    }
  }

  /// A page may have had the answer to a mutation while no list was followed, or from the process before.
  @Test func tellsOfRecentMutationsWithAListThatIsReadAnew() async throws {
    let server = try await TestServer()
    let library = server.library
    let album = try await library.createAlbum("A")
    let other = try await library.createAlbum("B")
    let ids = try await library.insertRows(2, in: album.id)
    let (move, undo, drop, albums) = (UUID(), UUID(), UUID(), UUID())
    try await library.move(
      [ids[0]], in: album.id, to: DropPosition(after: ids[1], before: nil), mutationID: move)
    try await library.undo(move, in: album.id, mutationID: undo)
    try await library.move(
      [ids[0]], in: album.id, to: DropPosition(after: nil, before: ids[1]), mutationID: drop)
    try await library.moveAlbums(
      [album.id], to: DropPosition(after: other.id, before: nil), mutationID: albums)
    let lists = SharedLists(library)
    for key in [.album(album.id), .months(album.id), .search(album.id, ["1"])] as [SharedLists.Key] {
      // With the first frame, and not one by one in frames that follow it.
      let frame = await FrameReader(try await lists.enter(key)).frame { $0.contains("snapshot") } ?? ""
      #expect(frame.contains(#""seq":0,"#), "\(key)")
      for mutationID in [move, undo, drop] { #expect(frame.contains(mutationID.wireText), "\(key)") }
      #expect(!frame.contains(albums.wireText))
    }
    let frame = await FrameReader(try await lists.enter(.albums)).frame { $0.contains(albums.wireText) } ?? ""
    #expect(frame.contains(albums.wireText) && !frame.contains(move.wireText))
    await library.close()
  }

  @Test func takesAllThatAListHadAtAVersion() async throws {
    try await run(2_100) { client, library, album in
      let seen = try await version(client, album)
      let arrived = try await library.insertRows(1, in: album.id)
      let mutationID = UUID()
      let body = """
        {"act":"\(mutationID.wireText)","all":{"version":"\(seen)","except":["\(album.names[5])"]}}
        """
      #expect(try changed(await client.send(.post, album.path + "/deletes", json: body)) == true)
      #expect(try await library.photos(in: album.id).map(\.id) == [album.ids[5]] + arrived)
      // All that was seen is gone, and what came later is still not meant.
      let again = body.replacing(mutationID.wireText, with: UUID().wireText)
      #expect(try changed(await client.send(.post, album.path + "/deletes", json: again)) == false)
      // Sent again it is answered as it was, however old its version is by now.
      let late = body.replacing(seen, with: "another.1")
      #expect(try changed(await client.send(.post, album.path + "/deletes", json: late)) == true)
      let undo = #"{"act":"\#(UUID().wireText)","undoes":"\#(mutationID.wireText)"}"#
      #expect(try changed(await client.send(.post, album.path + "/undo", json: undo)) == true)
      #expect(try await library.photos(in: album.id).map(\.id) == album.ids + arrived)
    }
  }

  @Test func takesAllThatASearchFound() async throws {
    try await run(30) { client, library, album in
      let other = try await library.createAlbum("B")
      let found = try await version(client, album, "&query=2")
      let body = """
        {"act":"\(UUID().wireText)","all":{"version":"\(found)"},"album":"\(other.id.wireText)"}
        """
      #expect(try changed(await client.send(.post, album.path + "/transfers", json: body)) == true)
      let titles = try await library.photos(in: other.id).map(\.title)
      let expected = ["2", "12"] + (20..<30).map { "\($0)" }
      #expect(titles == expected)
      #expect(try await library.photos(in: album.id).count == 18)
    }
  }

  @Test func movesAllButOneBehindIt() async throws {
    try await run(5) { client, library, album in
      let seen = try await version(client, album)
      let body = """
        {"act":"\(UUID().wireText)","all":{"version":"\(seen)","except":["\(album.names[4])"]},
         "after":"\(album.names[4])","before":null}
        """
      #expect(try changed(await client.send(.post, album.path + "/moves", json: body)) == true)
      #expect(try await library.photos(in: album.id).map(\.id) == [album.ids[4]] + album.ids[..<4])
    }
  }

  @Test(arguments: [
    #""all":{}"#, #""all":{"version":"x"}"#, #""all":{"version":"e.1"},"ids":[]"#, #""all":[]"#,
    #""all":{"version":"e.1","except":["x"]}"#,
  ])
  func refusesWhatDoesNotNamePhotos(_ members: String) async throws {
    try await run(1) { client, library, album in
      let body = #"{"act":"\#(UUID().wireText)",\#(members)}"#
      let refused = try await client.send(.post, album.path + "/deletes", json: body)
      #expect(refused.status == .badRequest)
      let unknown = body.replacing(members, with: #""all":{"version":"another.1"}"#)
      let stale = try await client.send(.post, album.path + "/deletes", json: unknown)
      #expect(stale.status == .conflict)
      #expect(try await library.photos(in: album.id).count == 1)
    }
  }

  /// Two readers could take it for two mutations.
  @Test func aMemberThatIsThereTwiceIsRefused() async throws {
    try await run(3) { client, library, album in
      let mutationID = #""act":"\#(UUID().wireText)""#
      for json in [
        #"{\#(mutationID),"ids":["\#(album.names[0])"],"ids":["\#(album.names[1])"]}"#,
        #"{\#(mutationID),"ids":["\#(album.names[0])"],"\u0069ds":["\#(album.names[1])"]}"#,
        #"{\#(mutationID),"ids":["\#(album.names[0])"],"\#(#"more":{"x":1,"x":2}"#)}"#,
      ] {
        let answer = try await client.send(.post, album.path + "/deletes", json: json)
        #expect(answer.status == .badRequest && answer.text.contains("” twice."), "\(answer.text)")
      }
      for title in [
        #"{"title":"x",}"#, #"{"title":"x"}y"#, #"{"title":"a","title":"b"}"#, "{\"title\":\"x\"}\0",
      ] {
        #expect(try await client.send(.post, "/api/albums", json: title).status == .badRequest, "\(title)")
      }
      #expect(try await library.photos(in: album.id).count == 3)
      #expect(try await library.albums().count == 1)
    }
  }
}

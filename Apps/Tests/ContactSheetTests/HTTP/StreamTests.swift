import Foundation
import HTTPTypes
import LiveLists
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct StreamTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test func tellsEachReaderOfImportsMovesAndDeletions() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let lists = SharedLists(library)
    let list = try await lists.enter(.album(album.id))
    let readers = [FrameReader(list), FrameReader(list)]
    for reader in readers { #expect(await reader.frame { $0.contains(#""kind":"snapshot""#) } != nil) }

    let path = try TestPictures.write(to: folder.path + "/a.jpg", captured: "2024:05:06 07:08:09")
    let photo = try await library.importFile(path, to: album.id)
    for reader in readers {
      let frame = await reader.frame { $0.contains("inserted") }
      #expect(frame?.contains(photo.id.wireText) == true)
      #expect(frame?.contains(#""taken":"2024-05-06T07:08:09Z""#) == true)
      #expect(frame?.contains(##""color":"#"##) == true)
    }
    let ids = try await library.insertRows(3, in: album.id)
    let mutationID = UUID()
    try await library.move(
      [ids[2]], in: album.id, to: DropPosition(after: nil, before: photo.id), mutationID: mutationID)
    for reader in readers {
      let frame = await reader.frame { $0.contains(mutationID.wireText) }
      #expect(frame?.contains(#""moved":[["\#(ids[2].wireText)",0,3,0,0]]"#) == true, "\(frame ?? "")")
    }
    let deletion = UUID()
    try await library.delete([photo.id], from: album.id, mutationID: deletion)
    for reader in readers {
      let frame = await reader.frame { $0.contains(deletion.wireText) }
      #expect(frame?.contains(#""deleted":[["\#(photo.id.wireText)",0,1]]"#) == true, "\(frame ?? "")")
    }
    list.finish()
    await library.close()
  }

  @Test func findsByWordsInTitleNameAndDate() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    for (number, name) in ["Café au lait", "Geysir", "Gullfoss"].enumerated() {
      let path = try TestPictures.write(
        to: "\(folder.path)/\(name).jpg", number: number, captured: "2024:0\(number + 4):06 07:08:09")
      _ = try await library.importFile(path, to: album.id)
    }
    for (words, found) in [
      (["CAFE"], ["Café au lait"]), (["g"], ["Café au lait", "Geysir", "Gullfoss"]), (["may"], ["Geysir"]),
      (["2024", "foss"], ["Gullfoss"]), (["2024-06"], ["Gullfoss"]), (["x"], []), (["%"], []),
    ] as [([String], [String])] {
      let list = try await library.makeList(.search(album.id, words))
      let frame = await FrameReader(list).frame { _ in true } ?? ""
      for title in ["Café au lait", "Geysir", "Gullfoss"] {
        #expect(frame.contains("\"title\":\"\(title)\"") == found.contains(title), "\(words) \(title)")
      }
      list.finish()
    }
    await library.close()
  }

  @Test func dividesByMonthsWithoutDateLast() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    // Cameras tell local time and no zone: the first and the last second of a month are in it, whatever the server's is.
    for (number, date) in [
      "2024:05:31 23:59:59", nil, "2023:12:01 00:00:00", "2023:12:31 23:59:59", "2024:05:01 00:00:00",
    ].enumerated() {
      let path = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number, captured: date)
      _ = try await library.importFile(path, to: album.id)
    }
    let list = try await library.makeList(.months(album.id))
    let frame = await FrameReader(list).frame { _ in true } ?? ""
    let offsets = ["2023-12", "2024-05", ""].map { frame.range(of: "\"id\":\"\($0)\"")?.lowerBound }
    #expect(!offsets.contains(nil))
    #expect(frame.components(separatedBy: "\"items\":").count - 1 == 3)
    #expect(offsets.compactMap { $0 } == offsets.compactMap { $0 }.sorted())
    list.finish()
    let search = try await library.makeList(.search(album.id, ["2024"], byMonth: .newestLast))
    let found = await FrameReader(search).frame { _ in true } ?? ""
    #expect(found.contains(#""id":"2024-05""#), "what a search finds has its months, too")
    #expect(!found.contains(#""id":"2023-12""#) && !found.contains(#""id":"""#))
    search.finish()
    await library.close()
  }

  @Test func followsTheListOfAlbums() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let list = try await library.makeList(.albums)
    let reader = FrameReader(list)
    _ = await reader.frame { $0.contains(#""title":"A""#) }
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    _ = try await library.importFile(path, to: album.id)
    let hash = try #require(try await library.photos(in: album.id).first?.contentHash)
    #expect(await reader.frame { $0.contains(#""count":1"#) && $0.contains(hash) } != nil)
    _ = try await library.rename(album.id, to: "B")
    #expect(await reader.frame { $0.contains(#""title":"B""#) } != nil)
    try await library.deleteAlbum(album.id)
    #expect(await reader.frame { $0.contains(#""deleted":[["\#(album.id.wireText)""#) } != nil)
    list.finish()
    await library.close()
  }

  @Test func givesALongAlbumInWindows() async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let ids = try await server.library.insertRows(2_100, in: album.id)
    let lists = SharedLists(server.library)
    let list = try await lists.enter(.album(album.id))
    let reader = FrameReader(list, window: ListStreamWindow(from: 1_000, count: 3))
    let frame = try #require(await reader.frame { $0.contains(#""kind":"snapshot""#) })
    let named = ids[1_000..<1_003].map { "\"\($0.wireText)\"" }.joined(separator: ",")
    #expect(frame.contains(#""count":2100,"windows":[[1000,[\#(named)]]]"#), "\(frame.prefix(300))")
    #expect(frame.contains(#""title":"1002""#) && !frame.contains(#""title":"1003""#))
    let mutationID = UUID()
    try await server.library.move(
      [ids[2_000]], in: album.id, to: DropPosition(after: nil, before: ids[0]), mutationID: mutationID)
    #expect(await reader.frame { $0.contains(#""moved":[["\#(ids[2_000].wireText)",0,2000,0,0]]"#) } != nil)
    list.finish()
    let path = "/api/albums/\(album.id.wireText)/items"
    try await server.run { client in
      let last = try await client.send(.get, "\(path)?from=2098&count=60")
      #expect(last.status == .ok && last.headers[.cacheControl] == "no-store")
      #expect(last.text.contains(#""kind":"range""#) && last.text.contains(#""title":"2099""#))
      #expect(last.text.contains(#""count":2100"#))
      let bare = try await client.send(.get, "\(path)?from=0&count=2100&content=0")
      #expect(bare.text.contains(ids[1_999].wireText) && !bare.text.contains("title"))
      for query in ["", "?from=1", "?from=-1&count=2", "?from=a&count=b"] {
        #expect(try await client.send(.get, path + query).status == .badRequest, "\(query)")
      }
      let stranger = "/api/albums/\(UUID().wireText)/items?from=0&count=1"
      #expect(try await client.send(.get, stranger).status == .notFound)
    }
  }

  @Test func showsTheFirstRowsOfALongAlbumBeforeItsListIsRead() async throws {
    let library = try await folder.library()
    let (long, short) = (try await library.createAlbum("A"), try await library.createAlbum("B"))
    let ids = try await library.insertRows(2_100, in: long.id)
    _ = try await library.insertRows(3, in: short.id)
    let lists = SharedLists(library)
    #expect(await !lists.isReady(.album(long.id)))
    let window = ListStreamWindow(from: 2_098, count: 60)
    let opening = try #require(try await library.opening(.album(long.id), window))
    let list = try await lists.enter(.album(long.id))
    #expect(await lists.isReady(.album(long.id)))
    let frame = try #require(await FrameReader(list, window: window).frame { _ in true })
    // But for its version it is the frame that the list gives.
    let named =
      #""sections":[{"id":"","count":2100,"windows":[[2098,["\#(ids[2_098].wireText)","\#(ids[2_099].wireText)"]]]}]"#
    for text in [String(decoding: opening.json, as: UTF8.self), frame] {
      #expect(text.contains(named), "\(text.prefix(300))")
    }
    func contents(_ text: String) -> String? {
      text.range(of: #""content":"#).map { text[$0.upperBound...].trimmingCharacters(in: .newlines) }
    }
    #expect(contents(String(decoding: opening.json, as: UTF8.self)) == contents(frame))
    let epoch = try #require(opening.version).epoch
    #expect(!frame.contains(epoch))
    #expect(try await library.opening(.album(short.id), window) == nil)
    #expect(try await library.opening(.months(long.id), window) == nil)
    list.finish()
    await library.close()
  }

  @Test(arguments: ["7%20title", "7+title", "%37+Title&window=1"])
  func findsSeveralWordsHoweverSpacesAreWritten(_ query: String) async throws {
    let server = try await TestServer()
    let album = try await server.library.createAlbum("A")
    let ids = try await server.library.insertRows(9, in: album.id)
    try await server.library.records.write { db in
      try db.execute(sql: "UPDATE photo SET title = 'Title ' || title")
    }
    try await server.run { client in
      let path = "/api/albums/\(album.id.wireText)/items?from=0&count=9&query=\(query)"
      let found = try await client.send(.get, path)
      #expect(found.text.contains(#""count":1,"windows":[[0,["\#(ids[7].wireText)"]]]"#), "\(found.text)")
    }
  }

  @Test func keepsAListForASecondVisitAndLetsItGoAfterwards() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let lists = SharedLists(library, linger: .zero, albumLinger: .zero)
    let list = try await lists.enter(.album(album.id))
    let reader = FrameReader(list)
    #expect(await reader.frame { _ in true } != nil)
    #expect(await lists.count == 1)
    await lists.leave(.album(album.id))
    // The list ends for whoever still reads it once it is let go.
    #expect(await reader.frame { _ in false } == nil)
    #expect(await lists.count == 0)
    await library.close()
  }
}

import Foundation
import GRDB
import Testing

@testable import ContactSheet

@Suite struct UndoTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test(arguments: [5, 6, 7] as [UInt64])
  func takesActsBackOneAfterTheOther(_ seed: UInt64) async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let other = try await library.createAlbum("B")
    _ = try await library.insertRows(10, in: album.id)
    var generator = SeededGenerator(seed: seed)
    var states: [[UUID]] = []
    var acts: [UUID] = []
    for _ in 0..<20 {
      let order = try await library.photos(in: album.id).map(\.id)
      states.append(order)
      let some = Array(order.shuffled(using: &generator).prefix(2))
      let act = UUID()
      acts.append(act)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: try await library.delete(Array(some.prefix(1)), from: album.id, act: act)
      case 1: try await library.transfer(Array(some.prefix(1)), from: album.id, to: other.id, act: act)
      default:
        let place = order.first { !some.contains($0) }
        try await library.move(some, in: album.id, to: DropPlace(after: place, before: nil), act: act)
      }
    }
    for (act, state) in zip(acts, states).reversed() {
      _ = try? await library.undo(act, in: album.id, act: UUID())
      #expect(try await library.photos(in: album.id).map(\.id) == state, "seed \(seed)")
    }
    #expect(try await library.photos(in: other.id).isEmpty)
    await library.close()
  }

  @Test func saysWhyAnActCannotBeTakenBack() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let ids = try await library.insertRows(2, in: album.id)
    #expect(await code { try await library.undo(UUID(), in: album.id, act: UUID()) } == .notFound)
    let act = UUID()
    try await library.delete([ids[0]], from: album.id, act: act)
    try await library.emptyTrash()
    #expect(await code { try await library.undo(act, in: album.id, act: UUID()) } == .conflict)
    await library.close()
  }

  @Test func doesNotBringBackWhatWasImportedAgain() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let first = try await library.importFile(path, to: album.id)
    let act = UUID()
    try await library.delete([first.id], from: album.id, act: act)
    let second = try await library.importFile(path, to: album.id)
    #expect(second.status == .imported)
    #expect(await code { try await library.undo(act, in: album.id, act: UUID()) } == .conflict)
    #expect(try await library.photos(in: album.id).map(\.id) == [second.id])
    await library.close()
  }

  @Test func transfersToTheEndAndKeepsOneOfEachContent() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let other = try await library.createAlbum("B")
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let twin = try await library.importFile(path, to: album.id)
    _ = try await library.importFile(path, to: other.id)
    let ids = try await library.insertRows(3, in: album.id)
    let there = try await library.insertRows(1, in: other.id)
    let act = UUID()
    try await library.transfer([ids[2], ids[0], twin.id], from: album.id, to: other.id, act: act)
    #expect(try await library.photos(in: album.id).map(\.id) == [ids[1]])
    #expect(try await library.photos(in: other.id).map(\.id).suffix(3) == [there[0], ids[2], ids[0]])
    #expect(try await library.trash().count == 1)
    try await library.undo(act, in: album.id, act: UUID())
    #expect(try await library.photos(in: album.id).map(\.id) == [twin.id] + ids)
    await library.close()
  }
}

@Suite struct AlbumTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test func keepsCountsAndCoversRight() async throws {
    let library = try await folder.library()
    let albums = [try await library.createAlbum("A"), try await library.createAlbum("B")]
    for album in albums { _ = try await library.insertRows(6, in: album.id) }
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<60 {
      let (from, to) = Bool.random(using: &generator) ? (albums[0], albums[1]) : (albums[1], albums[0])
      let order = try await library.photos(in: from.id).map(\.id)
      let some = Array(order.shuffled(using: &generator).prefix(2))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: try await library.delete(some, from: from.id, act: UUID())
      case 1: try await library.transfer(some, from: from.id, to: to.id, act: UUID())
      case 2: _ = try await library.insertRows(2, in: from.id)
      case 3 where Int.random(in: 0..<4, using: &generator) == 0: try await library.emptyTrash()
      default:
        let place = order.first { !some.contains($0) }
        guard place != nil else { continue }
        try await library.move(some, in: from.id, to: DropPlace(after: nil, before: place), act: UUID())
      }
      for album in try await library.albums() {
        let photos = try await library.photos(in: album.id)
        #expect(album.photoCount == photos.count)
        #expect(album.cover == photos.first?.contentHash)
      }
    }
    await library.close()
  }

  @Test func ordersRenamesAndDeletes() async throws {
    let library = try await folder.library()
    let albums = try await [library.createAlbum("A"), library.createAlbum("B"), library.createAlbum("C")]
    try await library.moveAlbums(
      [albums[2].id], to: DropPlace(after: nil, before: albums[0].id), act: UUID())
    #expect(try await library.albums().map(\.title) == ["C", "A", "B"])
    try await library.moveAlbums(
      [albums[0].id, albums[2].id], to: DropPlace(after: albums[1].id, before: nil), act: UUID())
    #expect(try await library.albums().map(\.title) == ["B", "A", "C"])
    #expect(try await library.rename(albums[1].id, to: " Iceland\n2024 ").title == "Iceland 2024")
    let ids = try await library.insertRows(3, in: albums[1].id)
    try await library.deleteAlbum(albums[1].id)
    #expect(try await library.albums().map(\.title) == ["A", "C"])
    #expect(try await library.trash().count == ids.count)
    #expect(await code { try await library.rename(albums[1].id, to: "x") } == .notFound)
    try await library.emptyTrash()
    #expect(try await library.albumTitled("C").id == albums[2].id)
    await library.close()
  }
}

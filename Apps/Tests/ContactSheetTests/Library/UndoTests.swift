import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

@Suite struct UndoTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test(arguments: [5, 6, 7] as [UInt64])
  func takesMutationsBackOneAfterTheOther(_ seed: UInt64) async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let other = try await library.createAlbum("B")
    _ = try await library.insertRows(10, in: album.id)
    var generator = SeededGenerator(seed: seed)
    var states: [[UUID]] = []
    var mutationIDs: [UUID] = []
    for _ in 0..<20 {
      let order = try await library.photos(in: album.id).map(\.id)
      states.append(order)
      let some = Array(order.shuffled(using: &generator).prefix(2))
      let mutationID = UUID()
      mutationIDs.append(mutationID)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: try await library.delete(Array(some.prefix(1)), from: album.id, mutationID: mutationID)
      case 1:
        try await library.transfer(
          Array(some.prefix(1)), from: album.id, to: other.id, mutationID: mutationID)
      default:
        let neighbor = order.first { !some.contains($0) }
        try await library.move(
          some, in: album.id, to: DropPosition(after: neighbor, before: nil), mutationID: mutationID)
      }
    }
    for (mutationID, state) in zip(mutationIDs, states).reversed() {
      _ = try? await library.undo(mutationID, in: album.id, mutationID: UUID())
      #expect(try await library.photos(in: album.id).map(\.id) == state, "seed \(seed)")
    }
    #expect(try await library.photos(in: other.id).isEmpty)
    await library.close()
  }

  @Test func saysWhyAMutationCannotBeTakenBack() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let ids = try await library.insertRows(2, in: album.id)
    #expect(await code { try await library.undo(UUID(), in: album.id, mutationID: UUID()) } == .notFound)
    let mutationID = UUID()
    try await library.delete([ids[0]], from: album.id, mutationID: mutationID)
    try await library.emptyTrash()
    #expect(await code { try await library.undo(mutationID, in: album.id, mutationID: UUID()) } == .notFound)
    let (other, transfer) = (try await library.createAlbum("B"), UUID())
    try await library.transfer([ids[1]], from: album.id, to: other.id, mutationID: transfer)
    try await library.deleteAlbum(album.id)
    #expect(await code { try await library.undo(transfer, in: album.id, mutationID: UUID()) } == .notFound)
    await library.close()
  }

  /// Two people change the first of three photos: one moves it to the end, deletes it, … and takes that back after
  /// the other has done something with it.
  enum Deed { case move, moveAgain, sort, transfer, delete, deleteTarget }

  private func perform(
    _ deed: Deed, _ library: PhotoLibrary, _ ids: [UUID], _ album: UUID, _ other: UUID
  ) async throws -> UUID {
    let mutationID = UUID()
    switch deed {
    case .move:
      try await library.move(
        [ids[0]], in: album, to: DropPosition(after: ids[2], before: nil), mutationID: mutationID)
    case .moveAgain:
      try await library.move(
        [ids[0]], in: album, to: DropPosition(after: ids[1], before: nil), mutationID: mutationID)
    case .sort: try await library.sort(album, by: .reversed, mutationID: mutationID)
    case .transfer: try await library.transfer([ids[0]], from: album, to: other, mutationID: mutationID)
    case .delete: try await library.delete([ids[0]], from: album, mutationID: mutationID)
    case .deleteTarget: try await library.deleteAlbum(other)
    }
    return mutationID
  }

  @Test(
    arguments: [
      (.move, .delete), (.move, .transfer), (.move, .moveAgain), (.sort, .delete), (.sort, .transfer),
      (.transfer, .deleteTarget),
    ] as [(Deed, Deed)])
  func leavesWhatOthersDidSince(mine: Deed, theirs: Deed) async throws {
    let library = try await folder.library()
    let (album, other) = try await (library.createAlbum("A").id, library.createAlbum("B").id)
    let ids = try await library.insertRows(3, in: album)
    let mutationID = try await perform(mine, library, ids, album, other)
    if mine == .sort {
      // The photos that others did nothing with go back; the last of a sort is alone in it.
      try await library.delete([ids[1], ids[2]], from: album, mutationID: UUID())
    }
    let theirMutationID = try await perform(theirs, library, ids, album, other)
    let here = try await library.photos(in: album).map(\.id)
    let there = theirs == .deleteTarget ? [] : try await library.photos(in: other).map(\.id)
    let trash = try await library.trash().count
    await #expect(throws: ContactSheetError.self) {
      try await library.undo(mutationID, in: album, mutationID: UUID())
    }
    #expect(try await library.photos(in: album).map(\.id) == here)
    if theirs != .deleteTarget { #expect(try await library.photos(in: other).map(\.id) == there) }
    #expect(try await library.trash().count == trash)
    // Theirs can be taken back all the same, and then mine.
    guard theirs != .deleteTarget, mine != .sort else { return await library.close() }
    #expect(try await library.undo(theirMutationID, in: album, mutationID: UUID()))
    #expect(try await library.undo(mutationID, in: album, mutationID: UUID()))
    #expect(try await library.photos(in: album).map(\.id) == ids)
    await library.close()
  }

  @Test func takesBackTheRestOfWhatOthersChangedInPart() async throws {
    let library = try await folder.library()
    let (album, other) = try await (library.createAlbum("A").id, library.createAlbum("B").id)
    let ids = try await library.insertRows(5, in: album)
    let mutationID = UUID()
    try await library.move(
      Array(ids[..<4]), in: album, to: DropPosition(after: ids[4], before: nil), mutationID: mutationID)
    try await library.delete([ids[0]], from: album, mutationID: UUID())
    try await library.transfer([ids[1]], from: album, to: other, mutationID: UUID())
    try await library.move(
      [ids[2]], in: album, to: DropPosition(after: ids[3], before: nil), mutationID: UUID())
    #expect(try await library.undo(mutationID, in: album, mutationID: UUID()))
    #expect(try await library.photos(in: album).map(\.id) == [ids[3], ids[4], ids[2]])
    #expect(try await library.photos(in: other).map(\.id) == [ids[1]])
    #expect(try await library.trash().count == 1)
    await library.close()
  }

  @Test func saysWhatHappenedSince() async throws {
    for (theirs, reason) in [
      (.delete, "The photo has been deleted since then."),
      (.transfer, "The photo has been moved to another album since then."),
      (.moveAgain, "The photo has been moved again since then."),
    ] as [(Deed, String)] {
      let folder = try TestFolder()
      let library = try await folder.library()
      let (album, other) = try await (library.createAlbum("A").id, library.createAlbum("B").id)
      let ids = try await library.insertRows(3, in: album)
      let mutationID = try await perform(.move, library, ids, album, other)
      _ = try await perform(theirs, library, ids, album, other)
      let error = await #expect(throws: ContactSheetError.self) {
        try await library.undo(mutationID, in: album, mutationID: UUID())
      }
      #expect(error?.code == .conflict)
      #expect(error?.message == reason)
      await library.close()
    }
  }

  @Test func doesNotBringBackWhatWasImportedAgain() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let first = try await library.importFile(path, to: album.id)
    let mutationID = UUID()
    try await library.delete([first.id], from: album.id, mutationID: mutationID)
    let second = try await library.importFile(path, to: album.id)
    #expect(second.status == .imported)
    #expect(await code { try await library.undo(mutationID, in: album.id, mutationID: UUID()) } == .conflict)
    #expect(try await library.photos(in: album.id).map(\.id) == [second.id])
    await library.close()
  }

  @Test func transfersToTheEndAndLeavesWhatTheOtherAlbumHas() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let other = try await library.createAlbum("B")
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let twin = try await library.importFile(path, to: album.id)
    _ = try await library.importFile(path, to: other.id)
    let ids = try await library.insertRows(3, in: album.id)
    let there = try await library.insertRows(1, in: other.id)
    let mutationID = UUID()
    for _ in 0..<2 {
      let result = try await library.transfer(
        [ids[2], ids[0], twin.id], from: album.id, to: other.id, mutationID: mutationID)
      #expect(result == TransferResult(moved: 2, left: 1))
    }
    #expect(try await library.photos(in: album.id).map(\.id) == [twin.id, ids[1]])
    #expect(try await library.photos(in: other.id).map(\.id).suffix(3) == [there[0], ids[2], ids[0]])
    #expect(try await library.trash().count == 0)
    try await library.undo(mutationID, in: album.id, mutationID: UUID())
    #expect(try await library.photos(in: album.id).map(\.id) == [twin.id] + ids)
    let alone = try await library.transfer([twin.id], from: album.id, to: other.id, mutationID: UUID())
    #expect(alone == TransferResult(moved: 0, left: 1))
    await library.close()
  }
}

@Suite struct AlbumTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test func aTitleIsTakenBackUnlessSomebodyHasChangedItSince() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let photo = try await library.insertRows(1, in: album.id)[0]
    let former = try await library.rename(photo: photo, in: album.id, to: "Kite").former
    #expect(try await library.rename(photo: photo, in: album.id, to: former, from: "Kite").former == "Kite")
    #expect(
      await code { try await library.rename(photo: photo, in: album.id, to: former, from: "Kite") }
        == .conflict)
    #expect(try await library.rename(album.id, to: "B").former == "A")
    #expect(try await library.rename(album.id, to: "A", from: "B").album.title == "A")
    #expect(await code { try await library.rename(album.id, to: "A", from: "B") } == .conflict)
    await library.close()
  }

  @Test func aDeletedAlbumComesBackWithWhatWentToTheTrashWithIt() async throws {
    let library = try await folder.library()
    let (album, other) = (try await library.createAlbum("A"), try await library.createAlbum("B"))
    let ids = try await library.insertRows(4, in: album.id)
    try await library.delete([ids[0]], from: album.id, mutationID: UUID())
    try await library.deleteAlbum(album.id)
    try await library.restore([ids[1]], to: other.id, mutationID: UUID())
    for _ in 0..<2 { #expect(try await library.restoreAlbum(album.id).title == "A") }
    #expect(try await library.albums().map(\.title) == ["A", "B"])
    #expect(try await library.photos(in: album.id).map(\.id) == [ids[2], ids[3]])
    #expect(try await library.photos(in: other.id).map(\.id) == [ids[1]])
    try await library.deleteAlbum(album.id)
    try await library.emptyTrash()
    #expect(await code { try await library.restoreAlbum(album.id) } == .notFound)
    await library.close()
  }

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
      case 0: try await library.delete(some, from: from.id, mutationID: UUID())
      case 1: try await library.transfer(some, from: from.id, to: to.id, mutationID: UUID())
      case 2: _ = try await library.insertRows(2, in: from.id)
      case 3 where Int.random(in: 0..<4, using: &generator) == 0: try await library.emptyTrash()
      default:
        let neighbor = order.first { !some.contains($0) }
        guard neighbor != nil else { continue }
        try await library.move(
          some, in: from.id, to: DropPosition(after: nil, before: neighbor), mutationID: UUID())
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
      [albums[2].id], to: DropPosition(after: nil, before: albums[0].id), mutationID: UUID())
    #expect(try await library.albums().map(\.title) == ["C", "A", "B"])
    try await library.moveAlbums(
      [albums[0].id, albums[2].id], to: DropPosition(after: albums[1].id, before: nil), mutationID: UUID())
    #expect(try await library.albums().map(\.title) == ["B", "A", "C"])
    #expect(try await library.rename(albums[1].id, to: " Iceland\n2024 ").album.title == "Iceland 2024")
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

import Foundation
import LiveLists
import Testing

@testable import ContactSheetLibrary

@Suite struct MoveTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// An album of rows without files: moves touch none.
  private func album(_ count: Int) async throws -> (PhotoLibrary, Album, [UUID]) {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let ids = try await library.insertRows(count, in: album.id)
    return (library, album, ids)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func keepsTheOrderThatAListWouldHave(_ seed: UInt64) async throws {
    let (library, album, ids) = try await album(12)
    var model = ids
    var generator = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let moving = Array(model.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator)))
      let rest = model.filter { !moving.contains($0) }
      let gap = Int.random(in: 0...rest.count, using: &generator)
      let position = DropPosition(
        after: gap > 0 ? rest[gap - 1] : nil, before: gap < rest.count ? rest[gap] : nil)
      try await library.move(moving, in: album.id, to: position, mutationID: UUID())
      model = Array(rest[..<gap]) + moving + Array(rest[gap...])
      let order = try await library.photos(in: album.id).map(\.id)
      #expect(order == model, "seed \(seed), step \(step)")
      if order != model { break }
    }
    await library.close()
  }

  @Test func writesOneRowForEachPhotoThatMoves() async throws {
    let (library, album, ids) = try await album(50)
    let before = try await library.ranks(in: album.id)
    try await library.move(
      [ids[40], ids[3]], in: album.id, to: DropPosition(after: ids[10], before: ids[11]), mutationID: UUID())
    let after = try await library.ranks(in: album.id)
    #expect(Set(ids.filter { before[$0] != after[$0] }) == [ids[40], ids[3]])
    await library.close()
  }

  @Test func findsThePlaceByTheNeighbourThatIsLeft() async throws {
    let (library, album, ids) = try await album(5)
    try await library.delete([ids[1]], from: album.id, mutationID: UUID())
    try await library.move(
      [ids[4]], in: album.id, to: DropPosition(after: ids[1], before: ids[2]), mutationID: UUID())
    #expect(try await library.photos(in: album.id).map(\.id) == [ids[0], ids[4], ids[2], ids[3]])
    let failure = await code {
      try await library.move(
        [ids[0]], in: album.id, to: DropPosition(after: ids[1], before: UUID()), mutationID: UUID())
    }
    #expect(failure == .conflict)
    // What is gone is passed over, and moving only what is gone is no error.
    try await library.move(
      [ids[1], ids[0]], in: album.id, to: DropPosition(after: ids[3], before: nil), mutationID: UUID())
    try await library.move(
      [ids[1]], in: album.id, to: DropPosition(after: ids[3], before: nil), mutationID: UUID())
    #expect(try await library.photos(in: album.id).map(\.id) == [ids[4], ids[2], ids[3], ids[0]])
    await library.close()
  }

  @Test func carriesAMutationOutOnce() async throws {
    let (library, album, ids) = try await album(3)
    let mutationID = UUID()
    try await library.move(
      [ids[0]], in: album.id, to: DropPosition(after: ids[2], before: nil), mutationID: mutationID)
    try await library.move(
      [ids[1]], in: album.id, to: DropPosition(after: ids[0], before: nil), mutationID: UUID())
    try await library.move(
      [ids[0]], in: album.id, to: DropPosition(after: ids[2], before: nil), mutationID: mutationID)
    #expect(try await library.photos(in: album.id).map(\.id) == [ids[2], ids[0], ids[1]])
    await library.close()
  }

  @Test func makesRoomBetweenEqualRanks() async throws {
    let (library, album, ids) = try await album(40)
    try await library.records.write { db in
      try db.execute(sql: "UPDATE photo SET rank = (SELECT min(rank) FROM photo)")
    }
    let order = try await library.photos(in: album.id).map(\.id)
    try await library.move(
      [order[30]], in: album.id, to: DropPosition(after: order[5], before: order[6]), mutationID: UUID())
    var expected = order
    expected.insert(expected.remove(at: 30), at: 6)
    #expect(try await library.photos(in: album.id).map(\.id) == expected)
    #expect(Set(ids) == Set(expected))
    await library.close()
  }

  @Test func keepsRanksShortHoweverOftenOnePlaceIsDroppedAt() async throws {
    let (library, album, ids) = try await album(4)
    var model = ids
    for _ in 0..<600 {
      let moved = model[3]
      try await library.move(
        [moved], in: album.id, to: DropPosition(after: model[0], before: model[1]), mutationID: UUID())
      model = [model[0], moved, model[1], model[2]]
    }
    #expect(try await library.photos(in: album.id).map(\.id) == model)
    let longest = try await library.ranks(in: album.id).values.map(\.bytes.count).max() ?? 0
    #expect(longest <= 64)
    await library.close()
  }

  @Test func keepsToItsAlbum() async throws {
    let (library, album, ids) = try await album(3)
    let other = try await library.createAlbum("B")
    let strangers = try await library.insertRows(2, in: other.id)
    try await library.move(
      [strangers[0]], in: album.id, to: DropPosition(after: ids[0], before: ids[1]), mutationID: UUID())
    #expect(try await library.photos(in: album.id).map(\.id) == ids)
    #expect(try await library.photos(in: other.id).map(\.id) == strangers)
    await library.close()
  }
}

extension PhotoLibrary {
  /// Rows without files, in order.
  func insertRows(_ count: Int, in albumID: UUID) async throws -> [UUID] {
    let ids = (0..<count).map { _ in UUID() }
    try await records.write { db in
      let ranks = try AlbumOrder(albumID: albumID, db: db).ranks(count, at: .end)
      for (number, id) in ids.enumerated() {
        try Photo(
          id: id, albumID: albumID, title: "\(number)", fileName: "\(number).jpg", captureDate: nil,
          importedDate: Timestamp(microseconds: 0),
          contentHash: ContentHash(digest: id.uuidBytes + id.uuidBytes).text,
          width: 3, height: 2, byteCount: 1, format: .jpeg, rank: ranks[number], color: nil,
          checksum: nil, dateText: "", trashedDate: nil
        ).insert(db)
      }
    }
    return ids
  }

  func ranks(in albumID: UUID) async throws -> [UUID: Rank] {
    Dictionary(
      uniqueKeysWithValues: try await records.read { db in
        try Row.fetchAll(db, sql: "SELECT id, rank FROM photo WHERE albumID = ?", arguments: [albumID])
          .map { ($0["id"] as UUID, $0["rank"] as Rank) }
      })
  }
}

extension UUID {
  var uuidBytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

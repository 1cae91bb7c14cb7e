import Foundation
import LiveLists
import Testing

@testable import ContactSheetLibrary

/// Mutations on everything but some, beside the same mutations by ids.
@Suite struct SelectionTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func list(_ library: PhotoLibrary, _ album: Album) async throws -> DiffableSnapshot<
    FetchSectionID, UUID
  > {
    try DiffableSnapshot(sections: [("", try await library.photos(in: album.id).map(\.id))])
  }

  @Test(arguments: [11, 12, 13, 14, 15, 16] as [UInt64])
  func movesAllButSomeAsIfTheyWereNamed(_ seed: UInt64) async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    var model = try await library.insertRows(12, in: album.id)
    var generator = SeededGenerator(seed: seed)
    for step in 0..<40 {
      let list = try await list(library, album)
      let except = Set(model.shuffled(using: &generator).prefix(Int.random(in: 1...11, using: &generator)))
      // These came after the list was seen.
      let late = step % 8 == 0 ? try await library.insertRows(1, in: album.id) : []
      let before = model + late
      let moving = model.filter { !except.contains($0) }
      let rest = before.filter { !moving.contains($0) }
      let gap = Int.random(in: 0...rest.count, using: &generator)
      let position = DropPosition(
        after: gap > 0 ? rest[gap - 1] : nil, before: gap < rest.count ? rest[gap] : nil)
      let mutationID = UUID()
      let changed = try await library.move(
        .all(of: list, except: except), in: album.id, to: position, mutationID: mutationID)
      let wanted = Array(rest[..<gap]) + moving + Array(rest[gap...])
      #expect(changed == (wanted != before), "seed \(seed), step \(step)")
      try #require(
        try await library.photos(in: album.id).map(\.id) == wanted, "seed \(seed), step \(step)")
      if step % 3 == 0 {
        #expect(try await library.undo(mutationID, in: album.id, mutationID: UUID()) == changed)
        #expect(try await library.photos(in: album.id).map(\.id) == before, "seed \(seed), step \(step)")
        model = before
      } else {
        model = wanted
      }
    }
    await library.close()
  }

  @Test func writesTheFewThatStayWhereMostMove() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let ids = try await library.insertRows(50, in: album.id)
    let before = try await library.ranks(in: album.id)
    let mutationID = UUID()
    try await library.move(
      .all(of: try await list(library, album), except: [ids[20], ids[30], ids[49]]), in: album.id,
      to: DropPosition(after: ids[20], before: ids[30]), mutationID: mutationID)
    #expect(try await library.photos(in: album.id).first?.id == ids[20])
    #expect(try await library.photos(in: album.id).map(\.id).suffix(2) == [ids[30], ids[49]])
    let after = try await library.ranks(in: album.id)
    #expect(after.filter { before[$0.key] != $0.value }.count == 2, "the last one stands there already")
    await library.close()
  }

  @Test func deletesAndTransfersWhatWasSeenAndNothingElse() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let other = try await library.createAlbum("B")
    let path = try TestPictures.write(to: folder.path + "/twin.jpg")
    let twin = try await library.importFile(path, to: album.id).id
    _ = try await library.importFile(path, to: other.id)
    let ids = try await library.insertRows(2_500, in: album.id)
    let seen = try await list(library, album)
    let late = try await library.insertRows(2, in: album.id)
    try await library.delete([ids[7]], from: album.id, mutationID: UUID())

    let transfer = UUID()
    try await library.transfer(
      .all(of: seen, except: [ids[3]]), from: album.id, to: other.id, mutationID: transfer)
    #expect(try await library.photos(in: album.id).map(\.id) == [twin, ids[3]] + late)
    let moved = ids.filter { $0 != ids[3] && $0 != ids[7] }
    #expect(try await library.photos(in: other.id).dropFirst().map(\.id) == moved)
    #expect(try await library.trash().count == 1, "what is there already stays where it is")
    let back = UUID()
    #expect(try await library.undo(transfer, in: album.id, mutationID: back))
    let all = [twin] + ids.filter { $0 != ids[7] } + late
    #expect(try await library.photos(in: album.id).map(\.id) == all)

    let deletion = UUID()
    #expect(try await library.delete(.all(of: seen, except: []), from: album.id, mutationID: deletion))
    #expect(try await library.photos(in: album.id).map(\.id) == late)
    #expect(try await library.undo(deletion, in: album.id, mutationID: UUID()))
    #expect(try await library.photos(in: album.id).map(\.id) == all)
    // Taking back the taking back, of what was done first.
    #expect(try await library.undo(back, in: album.id, mutationID: UUID()))
    #expect(try await library.photos(in: album.id).map(\.id) == [twin, ids[3]] + late)
    await library.close()
  }

  @Test func keepsTwentyMutationsHoweverLargeAndForgetsOlderLargeOnes() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let ids = try await library.insertRows(1, in: album.id)
    // Mutations as large as this take long, so the first of them are written as the library would have written them.
    let mutationIDs = (0..<30).map { _ in UUID() }
    try await library.records.write { db in
      for (number, mutationID) in mutationIDs.enumerated() {
        _ = try Mutations.begin(
          mutationID, in: album.id, db, now: Date(timeIntervalSinceNow: Double(number) - 100))
        try db.execute(
          sql: "UPDATE act SET firstPlace = ?, photoCount = 100001 WHERE id = ?",
          arguments: [number * 200_000 + 1, mutationID])
        try db.execute(
          sql: "INSERT INTO act_photo (place, photoID, albumID, rank) VALUES (?, ?, ?, x'8000')",
          arguments: [number * 200_000 + 1, ids[0], album.id])
      }
    }
    let last = UUID()
    try await library.records.write { db in
      _ = try Mutations.begin(last, in: album.id, db)
      try Mutations.remember(of: last, in: album.id, db) { insert in
        try insert(
          """
          WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
          SELECT photo.id, albumID, rank, NULL FROM numbers, photo
          """, [])
      }
    }
    let known = try await library.records.read { db in
      try (mutationIDs + [last]).map { try Mutations.before($0, db) != nil }
    }
    // Nineteen and the last are twenty, and as many are within the two million.
    #expect(known == Array(repeating: false, count: 11) + Array(repeating: true, count: 20))
    let rows = try await library.records.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM act_photo WHERE place <= 5800001")
    }
    #expect(rows == 19)
    await library.close()
  }
}

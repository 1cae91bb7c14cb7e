import Foundation
import LiveLists
import Testing

@testable import ContactSheetLibrary

@Suite struct FewestMovesTests {
  /// The longest rise by trying everything.
  private func longest(_ numbers: [Int]) -> Int {
    var best = 0
    for set in 0..<(1 << numbers.count) {
      let run = numbers.indices.filter { set >> $0 & 1 == 1 }.map { numbers[$0] }
      if zip(run, run.dropFirst()).allSatisfy({ $0 < $1 }) { best = max(best, run.count) }
    }
    return best
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func writesAsFewRanksAsCanBe(_ seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    for count in 0...9 {
      for _ in 0..<40 {
        let wanted = Array(0..<count).shuffled(using: &dice)
        let ranks = try Rank.between(nil, nil, count: count)
        let moves = FewestMoves.moves(ranks: ranks, wanted: wanted)
        #expect(moves.count == count - longest(wanted), "seed \(seed)")
        var after = ranks
        for move in moves { after[move.index] = move.rank }
        #expect(wanted.map { after[$0] } == after.sorted(), "seed \(seed)")
        #expect(Set(after).count == count)
      }
    }
  }

  @Test func ranksAllAnewWhereThereIsNoRoom() throws {
    let same = try Rank.between(nil, nil)
    let moves = FewestMoves.moves(ranks: [same, same, same, same], wanted: [0, 3, 1, 2])
    var after = [Rank](repeating: same, count: 4)
    for move in moves { after[move.index] = move.rank }
    #expect([0, 3, 1, 2].map { after[$0] } == after.sorted())
    #expect(Set(after).count == 4)
  }
}

@Suite struct SortTests {
  private func album(_ folder: TestFolder) async throws -> (PhotoLibrary, Album) {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    for (name, captured) in [
      ("b 10.jpg", "2024:05:03 10:00:00"), ("B 9.jpg", nil), ("Ä.jpg", "2024:05:01 10:00:00"),
      ("a.jpg", "2024:05:02 10:00:00"),
    ] {
      let path = try TestPictures.write(
        to: "\(folder.path)/\(name)", number: name.utf8.reduce(0) { $0 * 31 + Int($1) } & 0xFFFF,
        captured: captured)
      _ = try await library.importFile(path, to: album.id)
    }
    return (library, album)
  }

  @Test(
    arguments: [
      (.by(.date), false, ["Ä", "a", "b 10", "B 9"]), (.by(.date), true, ["B 9", "b 10", "a", "Ä"]),
      (.by(.title), false, ["Ä", "a", "B 9", "b 10"]), (.by(.name), false, ["Ä", "a", "B 9", "b 10"]),
      (.by(.imported), false, ["b 10", "B 9", "Ä", "a"]), (.reversed, false, ["a", "Ä", "B 9", "b 10"]),
    ] as [(PhotoOrder, Bool, [String])])
  func bringsAnAlbumIntoOrder(_ order: PhotoOrder, _ reversed: Bool, _ expected: [String]) async throws {
    let folder = try TestFolder()
    let (library, album) = try await album(folder)
    try await library.sort(album.id, by: order, reversed: reversed, mutationID: UUID())
    #expect(try await library.photos(in: album.id).map(\.title) == expected)
    await library.close()
  }

  @Test func takesAnOrderByIdsAndHashesAndUndoesIt() async throws {
    let folder = try TestFolder()
    let (library, album) = try await album(folder)
    let before = try await library.photos(in: album.id)
    let mutationID = UUID()
    let ids = [before[3].id, UUID(), before[1].id, before[3].id]
    let moved = try await library.sort(album.id, by: .ids(ids), mutationID: mutationID)
    #expect(moved > 0)
    #expect(
      try await library.photos(in: album.id).map(\.id)
        == [before[3], before[1], before[0], before[2]].map(\.id))
    let again = try await library.sort(album.id, by: .reversed, mutationID: mutationID)
    #expect(again == moved, "an act that is sent again is answered as it was")
    #expect(try await library.photos(in: album.id).first?.id == before[3].id, "and counts once")
    try await library.undo(mutationID, in: album.id, mutationID: UUID())
    #expect(try await library.photos(in: album.id).map(\.id) == before.map(\.id))
    #expect(
      try await library.sort(album.id, by: .hashes(before.map(\.contentHash)), mutationID: UUID()) == 0,
      "what is in order is not written")
    await library.close()
  }

  @Test func readsListsOfIdsNamesAndTitlesAndSaysWhatIsUnclear() async throws {
    let folder = try TestFolder()
    let (library, album) = try await album(folder)
    let photos = try await library.photos(in: album.id)
    let text = "\(photos[2].id.uuidString)\tsome words\n\na.jpg\n b 10 \r\n"
    #expect(try OrderList.list(text, naming: photos) == .ids([photos[2], photos[3], photos[0]].map(\.id)))
    #expect(await code(of: { try OrderList.list("unknown.jpg", naming: photos) }) == .notFound)
    #expect(await code(of: { try OrderList.list("\n", naming: photos) }) == .badRequest)
    try await library.rename(photo: photos[0].id, in: album.id, to: "a.jpg")
    let renamed = try await library.photos(in: album.id)
    #expect(await code(of: { try OrderList.list("a.jpg", naming: renamed) }) == .notFound)
    await library.close()
  }

  @Test func photosGetTitlesOfOneCleanLine() async throws {
    let folder = try TestFolder()
    let (library, album) = try await album(folder)
    let photo = try #require(try await library.photos(in: album.id).first)
    for (typed, title) in [
      ("  Two\n words\u{202E} ", "Two words"), ("", "b 10"),
      (String(repeating: "ü ", count: 166) + "  ", String(repeating: "ü ", count: 165) + "ü"),
    ] {
      #expect(try await library.rename(photo: photo.id, in: album.id, to: typed).photo.title == title)
    }
    #expect(await code(of: { try await library.rename(photo: UUID(), in: album.id, to: "x") }) == .notFound)
    await library.close()
  }
}

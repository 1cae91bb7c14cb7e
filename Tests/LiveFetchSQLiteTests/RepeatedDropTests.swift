import LiveListsTestSupport
#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Testing

  @Suite("Dropping rows")
  struct RepeatedDropTests {
    @Test(
      "Dropped 600 times between the same two, each row is where it was dropped, and others change only where their ranks were spread"
    )
    func sameNeighbours() async throws {
      let temporary = try TemporaryStore()
      let store = temporary.store
      let ranks = try Rank.between(nil, nil, count: 30)
      let notes = ranks.enumerated().map { number, rank in
        Note(
          id: UUID(), album: "a", title: nil, position: number, weight: nil,
          created: Date(timeIntervalSince1970: 0), rank: rank)
      }
      try await store.write { db in for note in notes { try note.insert(db) } }
      let controller = FetchController(
        FetchDescriptor<Note>().filter(#Predicate { $0.album == "a" }).ordered(by: .ascending(\.rank)),
        in: store)
      var order = try await controller.performFetch().itemIdentifiers
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      let first = notes[10].id
      var rankOf = Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0.rank) })
      var spread = 0
      for drop in 0..<600 {
        // The last of the list goes directly behind the same row, before the one that was dropped there last.
        let id = order.removeLast()
        let index = try #require(order.firstIndex(of: first)) + 1
        let known = try order.map { try #require(rankOf[$0]) }
        let placement = try Rank.place(
          1, before: Array(known[..<index]), after: Array(known[index...]), reachesStart: true,
          reachesEnd: true)
        let renumbered =
          Array(zip(order[..<index].suffix(placement.before.count), placement.before))
          + Array(zip(order[index...], placement.after))
        order.insert(id, at: index)
        let written = renumbered + [(id, placement.placed[0])]
        for (id, rank) in written { rankOf[id] = rank }
        try await store.write { db in
          for (id, rank) in written {
            try db.execute(sql: "UPDATE note SET rank = ? WHERE id = ?", arguments: [rank, id])
          }
        }
        let change = try #require(try await changes.next())
        #expect(change.snapshot.itemIdentifiers == order, "drop \(drop)")
        #expect(change.moved == [id] && Set(change.updated) == Set(renumbered.map(\.0)), "drop \(drop)")
        spread += renumbered.isEmpty ? 0 : 1
      }
      #expect(spread > 0 && spread < 20, "renumbered \(spread) times")
    }
  }
#endif

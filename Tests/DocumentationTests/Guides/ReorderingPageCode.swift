#if SQLite
  import ListSourcesTestSupport
  import LiveLists

  // The pieces of "Reordering that is saved", which only have to compile: the tests of ListSources run the like.
  @MainActor final class ReorderingPage {
    typealias Target = StrictListView<FetchSectionID, UUID, OrderGuide.Photo>

    let source: DiffableDataSource<Target>
    let store: SQLiteStore
    let ranks: [UUID: Rank]

    init(_ source: DiffableDataSource<Target>, _ store: SQLiteStore, _ ranks: [UUID: Rank]) {
      self.source = source
      self.store = store
      self.ranks = ranks
    }

    func isPinned(_ id: UUID) -> Bool { false }

    nonisolated func setRank(_ rank: Rank, of id: UUID, in db: Database) throws {
      try db.execute(sql: "UPDATE photo SET rank = ? WHERE id = ?", arguments: [rank, id])
    }

    func handlers() {
      source.reorderingHandlers.canReorderItem = { [unowned self] id in !isPinned(id) }
      source.reorderingHandlers.didReorder = { [unowned self] transaction in save(transaction) }
    }

    func drag(_ id: UUID, to indexPath: ListIndexPath) async {
      guard var session = source.beginReordering([id]) else { return }  // lifted
      session.move(to: indexPath, in: source.snapshot())  // over a gap
      await source.endReordering(session)  // dropped
    }

    func save(_ transaction: ReorderTransaction<FetchSectionID, UUID>) {
      Task {
        do {
          let writes = try transaction.rankWrites {
            ranks[$0]
          } between: {
            try Rank.between($0, $1, count: $2)
          }
          try await store.write { [self] db in
            for write in writes { try setRank(write.rank, of: write.item, in: db) }
          }
        } catch {
          await source.apply(transaction.initialSnapshot)
        }
      }
    }

    func moved(
      _ session: ReorderSession<FetchSectionID, UUID>, from: ListIndexPath, to: ListIndexPath
    ) async {
      var session = session
      guard let gap = ReorderDestination(tableRowMovedFrom: from, to: to, in: source.snapshot()) else {
        return
      }
      session.move(to: gap)
      await source.endReordering(session, isShownAlready: true)
    }
  }
#endif

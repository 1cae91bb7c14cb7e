import ExampleServer
import LiveLists

/// A drag as `<live-list>` posts it: the photos, and the neighbours that they are to have, which are null at an end.
struct Move: Decodable {
  var act: String
  var ids: [UUID]
  var after, before: UUID?

  /// Ranks the photos between their new neighbours: as many rows are written as photos are moved, however many there are.
  func perform(_ db: Database) throws {
    let photos = try ids.compactMap { id in try Photo.fetchOne(db, key: id) }
    let lower = try photoBelowGap(db)
    // Only where a gap has been used up, after some five hundred drags into the same one, its neighbourhood is ranked anew, too.
    for reach in [1, 64, Int.max] {
      let below = try neighbours(.below, lower, reach, db)
      let above = try neighbours(.above, lower, reach, db)
      do {
        let ranks = try Rank.place(
          photos.count, before: below.reversed().map(\.rank), after: above.map(\.rank),
          reachesStart: below.count < reach, reachesEnd: above.count < reach)
        let ranked = below.prefix(ranks.before.count).reversed() + photos + above.prefix(ranks.after.count)
        for (var photo, rank) in zip(ranked, ranks.before + ranks.placed + ranks.after) {
          try photo.updateChanges(db) { photo in photo.rank = rank }
        }
        return
      } catch RankError.crowded {}
    }
  }

  /// The photo below the gap, nil at the start. Others may have moved or deleted one of the two neighbours meanwhile: the other counts.
  private func photoBelowGap(_ db: Database) throws -> Photo? {
    if let after, let photo = try others.filter(key: after).fetchOne(db) { return photo }
    if let before, let photo = try others.filter(key: before).fetchOne(db) {
      return try neighbours(.below, photo, 2, db).first { $0.id != before }
    }
    if after != nil || before != nil { throw ExampleServer.Refusal("The photos beside it are gone.") }
    return nil
  }

  private var others: QueryInterfaceRequest<Photo> { Photo.filter(!ids.contains(Column("id"))) }

  private enum Side { case below, above }

  /// The nearest photos on one side of the gap above a photo, which is among those below; nil for the gap at the start.
  private func neighbours(_ side: Side, _ photo: Photo?, _ count: Int, _ db: Database) throws -> [Photo] {
    let (rank, id) = (Column("rank"), Column("id"))
    let gap: StatementArguments = photo.map { [$0.rank, $0.id] } ?? [Data(), Data()]
    return switch side {
    case .below:
      try others.filter(sql: "(rank, id) <= (?, ?)", arguments: gap).order(rank.desc, id.desc).limit(count)
        .fetchAll(db)
    case .above:
      try others.filter(sql: "(rank, id) > (?, ?)", arguments: gap).order(rank, id).limit(count).fetchAll(db)
    }
  }
}

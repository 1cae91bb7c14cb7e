import Foundation
import LiveLists

/// The positions of photos in an album, inside one transaction. Photos in the trash keep theirs.
struct AlbumOrder {
  let albumID: UUID
  let db: Database

  /// A photo's position.
  struct Position: Equatable, Comparable {
    var id: UUID
    var rank: Rank

    /// By rank; the identifier decides between equal ones, as in the database.
    static func < (lhs: Position, rhs: Position) -> Bool {
      lhs.rank == rhs.rank
        ? withUnsafeBytes(of: lhs.id.uuid) { left in
          withUnsafeBytes(of: rhs.id.uuid) { left.lexicographicallyPrecedes($0) }
        } : lhs.rank < rhs.rank
    }
  }

  /// Where photos are to go: beside a photo, or at the end.
  enum Target {
    case after(Position)
    case before(Position)
    case end
  }

  /// The position of a photo, or `nil` where the album has it no more.
  func position(of id: UUID) throws -> Position? {
    let statement = try db.cachedStatement(
      sql: "SELECT id, rank FROM photo WHERE id = ? AND albumID = ? AND trashedDate IS NULL")
    return try Row.fetchOne(statement, arguments: [id, albumID]).map {
      Position(id: try $0.value("id"), rank: try $0.value("rank"))
    }
  }

  /// Whether photos stand at a target already, side by side and in this order. Photos in the trash do not count.
  func stand(_ ids: [UUID], at target: Target) throws -> Bool {
    switch target {
    case .after(let position): try neighbors(.after, position, ids.count) == ids
    case .before(let position): try neighbors(.before, position, ids.count) == ids.reversed()
    case .end: try neighbors(.before, nil, ids.count) == ids.reversed()
    }
  }

  private func neighbors(_ side: Side, _ position: Position?, _ count: Int) throws -> [UUID] {
    try positions(side, position, count, [], areShown: true).map(\.id)
  }

  /// Ranks for photos that are to stand side by side at a target.
  ///
  /// Where there is no room the neighbourhood is ranked anew: after very many drops into one gap, or where two
  /// photos have the same rank, as in two merged databases.
  ///
  /// - Parameters:
  ///   - count: How many photos.
  ///   - target: Where they go.
  ///   - moving: Photos that leave their positions, which therefore bound nothing.
  /// - Returns: As many ranks, ascending.
  /// - Complexity: O(log n + count) rows read and none written, but for a neighbourhood that is ranked anew.
  func ranks(_ count: Int, at target: Target, moving: Set<UUID> = []) throws -> [Rank] {
    var reach = 1
    while true {
      let (before, after) = try neighborhood(of: target, reach: reach, moving: moving)
      do {
        let placement = try Rank.place(
          count, before: before.map(\.rank), after: after.map(\.rank), reachesStart: before.count < reach,
          reachesEnd: after.count < reach)
        let update = try db.cachedStatement(sql: "UPDATE photo SET rank = ? WHERE id = ? AND rank <> ?")
        for (position, rank) in zip(before.suffix(placement.before.count), placement.before) {
          try update.execute(arguments: [rank, position.id, rank])
        }
        for (position, rank) in zip(after, placement.after) {
          try update.execute(arguments: [rank, position.id, rank])
        }
        return placement.placed
      } catch RankError.crowded {
        reach *= 8
      }
    }
  }

  /// Up to `reach` photos on each side of a gap, in the album's order.
  private func neighborhood(
    of target: Target, reach: Int, moving: Set<UUID>
  ) throws -> (before: [Position], after: [Position]) {
    switch target {
    case .after(let position):
      let further = try positions(.before, position, reach - 1, moving)
      return (further.reversed() + [position], try positions(.after, position, reach, moving))
    case .before(let position):
      let further = try positions(.after, position, reach - 1, moving)
      return (try positions(.before, position, reach, moving).reversed(), [position] + further)
    case .end:
      return (try positions(.before, nil, reach, moving).reversed(), [])
    }
  }

  private enum Side { case before, after }

  /// The photos nearest to a position on one side, nearest first; without a position, those nearest to the end.
  private func positions(
    _ side: Side, _ position: Position?, _ count: Int, _ moving: Set<UUID>, areShown: Bool = false
  ) throws -> [Position] {
    let (comparison, order) = side == .after ? (">", "ASC") : ("<", "DESC")
    let beyond =
      (position == nil ? "" : "AND (rank, id) \(comparison) (?, ?)")
      + (areShown ? " AND trashedDate IS NULL" : "")
    var arguments: StatementArguments = [albumID]
    if let position { arguments += [position.rank, position.id] }
    let statement = try db.cachedStatement(
      sql: "SELECT id, rank FROM photo WHERE albumID = ? \(beyond) ORDER BY rank \(order), id \(order)")
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var found: [Position] = []
    while found.count < count, let row = try rows.next() {
      let position = Position(id: try row.value("id"), rank: try row.value("rank"))
      if !moving.contains(position.id) { found.append(position) }
    }
    return found
  }
}

extension AlbumOrder {
  /// How many photos that the album shows fulfil a condition.
  func count(where condition: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) \(shown(condition))", arguments: [albumID]) ?? 0
  }

  /// The positions of the photos that fulfil a condition, in order.
  func positions(where condition: String) throws -> [Position] {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT id, rank \(shown(condition)) ORDER BY rank, id", arguments: [albumID])
    var positions: [Position] = []
    while let row = try rows.next() {
      positions.append(Position(id: try row.value("id"), rank: try row.value("rank")))
    }
    return positions
  }

  enum End: String {
    case first = "ASC"
    case last = "DESC"
  }

  /// The first or the last photo that fulfils a condition.
  func end(_ end: End, where condition: String) throws -> Position? {
    let direction = end.rawValue
    return try Row.fetchOne(
      db, sql: "SELECT id, rank \(shown(condition)) ORDER BY rank \(direction), id \(direction) LIMIT 1",
      arguments: [albumID]
    ).map { Position(id: try $0.value("id"), rank: try $0.value("rank")) }
  }

  private func shown(_ condition: String) -> String {
    "FROM photo WHERE albumID = ? AND trashedDate IS NULL AND \(condition)"
  }
}

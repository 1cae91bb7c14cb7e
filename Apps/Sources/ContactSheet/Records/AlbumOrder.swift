import Foundation
import GRDB

/// The places of photos in an album, inside one transaction.
struct AlbumOrder {
  let albumID: UUID
  let db: Database

  /// A photo's place.
  struct Place: Equatable {
    var id: UUID
    var rank: Data
  }

  /// Where photos are to go: beside a photo, or at the end.
  enum Target {
    case after(Place)
    case before(Place)
    case end
  }

  /// Keys longer than this make their neighbourhood be ranked anew.
  static let longestRank = 48

  /// The place of a photo, or `nil` where the album has it no more.
  func place(of id: UUID) throws -> Place? {
    try Row.fetchOne(
      db, sql: "SELECT id, rank FROM photo WHERE id = ? AND albumID = ?", arguments: [id, albumID]
    ).map { Place(id: $0["id"], rank: $0["rank"]) }
  }

  /// Ranks for photos that are to stand side by side at a target, making room there where there is none.
  ///
  /// - Parameters:
  ///   - count: How many photos.
  ///   - target: Where they go.
  ///   - moving: Photos that leave their places, which therefore bound nothing.
  /// - Returns: As many ranks, ascending.
  /// - Complexity: O(log n + count) rows read and none written, but for a neighbourhood that is ranked anew.
  func ranks(_ count: Int, at target: Target, moving: Set<UUID> = []) throws -> [Data] {
    let (lower, upper) = try bounds(of: target, moving: moving)
    if isRoom(between: lower?.rank, and: upper?.rank) {
      let ranks = try Order.ranks(count, after: lower?.rank, before: upper?.rank)
      if ranks.allSatisfy({ $0.count <= Self.longestRank }) { return ranks }
    }
    return try makeRoom(for: count, between: lower, and: upper, moving: moving)
  }

  private func bounds(of target: Target, moving: Set<UUID>) throws -> (lower: Place?, upper: Place?) {
    switch target {
    case .after(let place): (place, try neighbor(of: place, .next, moving: moving))
    case .before(let place): (try neighbor(of: place, .previous, moving: moving), place)
    case .end: (try last(moving: moving), nil)
    }
  }

  private enum Side { case next, previous }

  private func neighbor(of place: Place, _ side: Side, moving: Set<UUID>) throws -> Place? {
    let (comparison, order) = side == .next ? (">", "ASC") : ("<", "DESC")
    return try first(
      sql: """
        SELECT id, rank FROM photo WHERE albumID = ? AND (rank, id) \(comparison) (?, ?)
        ORDER BY rank \(order), id \(order)
        """, arguments: [albumID, place.rank, place.id], moving: moving)
  }

  private func last(moving: Set<UUID>) throws -> Place? {
    try first(
      sql: "SELECT id, rank FROM photo WHERE albumID = ? ORDER BY rank DESC, id DESC",
      arguments: [albumID], moving: moving)
  }

  private func first(sql: String, arguments: StatementArguments, moving: Set<UUID>) throws -> Place? {
    let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
    while let row = try rows.next() {
      let place = Place(id: row["id"], rank: row["rank"])
      if !moving.contains(place.id) { return place }
    }
    return nil
  }

  private func isRoom(between lower: Data?, and upper: Data?) -> Bool {
    guard let lower, let upper else { return true }
    return lower.lexicographicallyPrecedes(upper)
  }

  /// Ranks a window around the target anew and leaves a gap in it. Rare: after very many drops into one gap,
  /// or where two photos have the same rank, as two merged databases may have.
  private func makeRoom(
    for count: Int, between lower: Place?, and upper: Place?, moving: Set<UUID>
  ) throws -> [Data] {
    var reach = 16
    while true {
      var before: [Place] = []
      var edge = lower
      while let place = edge, before.count < reach {
        before.append(place)
        edge = try neighbor(of: place, .previous, moving: moving)
      }
      var after: [Place] = []
      var limit = upper
      while let place = limit, after.count < reach {
        after.append(place)
        limit = try neighbor(of: place, .next, moving: moving)
      }
      let isWhole = edge == nil && limit == nil
      if isWhole || isRoom(between: edge?.rank, and: limit?.rank) {
        let total = before.count + count + after.count
        let ranks = try Order.ranks(total, after: edge?.rank, before: limit?.rank)
        if isWhole || ranks.allSatisfy({ $0.count <= Self.longestRank }) {
          let gap = before.count..<(before.count + count)
          let update = try db.makeStatement(sql: "UPDATE photo SET rank = ? WHERE id = ? AND rank <> ?")
          for (place, rank) in zip(before.reversed(), ranks) {
            try update.execute(arguments: [rank, place.id, rank])
          }
          for (place, rank) in zip(after, ranks[gap.upperBound...]) {
            try update.execute(arguments: [rank, place.id, rank])
          }
          return Array(ranks[gap])
        }
      }
      reach *= 4
    }
  }
}

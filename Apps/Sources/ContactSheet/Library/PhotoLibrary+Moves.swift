public import Foundation
import GRDB

/// Where a user dropped photos: beside the neighbours that were seen there.
public struct DropPlace: Sendable, Hashable {
  /// The photo that was before the gap.
  public var after: UUID?
  /// The photo that was behind the gap.
  public var before: UUID?

  /// Names the neighbours of a gap; at the start or end of the list one of them is `nil`.
  public init(after: UUID?, before: UUID?) {
    self.after = after
    self.before = before
  }
}

extension PhotoLibrary {
  /// Moves photos to stand side by side in another place of their album.
  ///
  /// The place is found by the neighbour that is still there, the one before the gap first. One row is
  /// written for each photo.
  ///
  /// - Parameters:
  ///   - ids: The photos in the order in which they are to stand. Those that are gone are passed over.
  ///   - albumID: Their album.
  ///   - place: Where they were dropped.
  ///   - act: The user's act; one that was carried out already does nothing.
  /// - Returns: Whether anything was written; where not, no list will tell of the act.
  /// - Throws: `ContactSheetError.Code.conflict` where both neighbours are gone.
  @discardableResult
  public func move(_ ids: [UUID], in albumID: UUID, to place: DropPlace, act: UUID) async throws -> Bool {
    try await records.write(origin: act.wireText) { db in
      guard try Acts.isNew(act, in: albumID, db) else { return false }
      let order = AlbumOrder(albumID: albumID, db: db)
      let moving = try Self.shown(ids, in: albumID, db)
      guard !moving.isEmpty else { return false }
      let movingIDs = Set(moving.map(\.id))

      let target: AlbumOrder.Target
      if let after = place.after, !movingIDs.contains(after), let found = try order.place(of: after) {
        target = .after(found)
      } else if let before = place.before, !movingIDs.contains(before),
        let found = try order.place(of: before)
      {
        target = .before(found)
      } else {
        throw ContactSheetError(
          .conflict, "The photos beside that place are gone. Look where they should go and move them again.")
      }
      let ranks = try order.ranks(moving.count, at: target, moving: movingIDs)
      try Acts.remember(moving, of: act, db)
      let update = try db.makeStatement(sql: "UPDATE photo SET rank = ? WHERE id = ?")
      for (photo, rank) in zip(moving, ranks) { try update.execute(arguments: [rank, photo.id]) }
      return true
    }
  }
}

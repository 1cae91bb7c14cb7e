package import Foundation
import LiveLists

/// Where a user dropped photos: beside the neighbours that were seen there.
package struct DropPosition: Sendable, Hashable {
  /// The photo that was before the gap.
  package var after: UUID?
  /// The photo that was behind the gap.
  package var before: UUID?

  /// Names the neighbours of a gap; at the start or end of the list one of them is `nil`.
  package init(after: UUID?, before: UUID?) {
    self.after = after
    self.before = before
  }
}

extension PhotoLibrary {
  /// Moves photos to stand side by side in another position of their album.
  ///
  /// The position is found by the neighbour that is still there, the one before the gap first. One row is
  /// written for each photo; none where they stand there already.
  ///
  /// - Parameters:
  ///   - ids: The photos in the order in which they are to stand. Those that are gone are passed over.
  ///   - albumID: Their album.
  ///   - position: Where they were dropped.
  ///   - mutationID: The identifier of the mutation; one that was performed already does nothing.
  /// - Returns: Whether the mutation changed anything.
  /// - Throws: `ContactSheetError.Code.conflict` where both neighbours are gone, `notFound` where the album is.
  @discardableResult
  package func move(_ ids: [UUID], in albumID: UUID, to position: DropPosition, mutationID: UUID) async throws
    -> Bool
  {
    try await move(.ids(ids), in: albumID, to: position, mutationID: mutationID)
  }

  @discardableResult
  package func move(
    _ photos: PhotoSelection, in albumID: UUID, to position: DropPosition, mutationID: UUID
  ) async throws -> Bool {
    try await records.write(origin: mutationID.wireText) { db in
      if let known = try Mutations.begin(mutationID, in: albumID, db) { return known }
      guard try Self.album(albumID, db) != nil else { throw Self.noSuchAlbum }
      let move = PhotoMove(albumID: albumID, position: position, mutationID: mutationID, db: db)
      switch photos {
      case .ids(let ids): return try move.perform(ids)
      case .all(let list, let except):
        return try move.perform { list.containsItem($0) && !except.contains($0) }
      }
    }
  }
}

/// A move inside its transaction.
private struct PhotoMove {
  let albumID: UUID
  let position: DropPosition
  let mutationID: UUID
  let db: Database

  private var order: AlbumOrder { AlbumOrder(albumID: albumID, db: db) }

  /// - Parameter ids: The photos in the order in which they are to stand.
  func perform(_ ids: [UUID]) throws -> Bool {
    let moving = try PhotoLibrary.shown(ids, in: albumID, db).map(\.id)
    let movingIDs = Set(moving)
    let target: AlbumOrder.Target
    if moving.isEmpty {
      target = .end
    } else if let after = position.after, !movingIDs.contains(after),
      let found = try order.position(of: after)
    {
      target = .after(found)
    } else if let before = position.before, !movingIDs.contains(before),
      let found = try order.position(of: before)
    {
      target = .before(found)
    } else {
      throw Self.noSuchPlace
    }
    let isChange = try !moving.isEmpty && !order.stand(moving, at: target)
    try PhotoSelection.ids(isChange ? moving : []).remember(of: mutationID, in: albumID, db)
    if isChange { try put(moving, at: target, moving: movingIDs) }
    return isChange
  }

  /// Where most photos of an album move, it is the others that are written: those that were before the position go ahead
  /// of them all, those behind it behind.
  func perform(_ isSelected: @escaping @Sendable (UUID) -> Bool) throws -> Bool {
    try PhotoSelection.withTest(isSelected, db) { test in
      let count = try order.count(where: test)
      guard try count > order.count(where: "NOT \(test)") else {
        return try perform(try order.positions(where: test).map(\.id))
      }
      guard let first = try order.end(.first, where: test), let last = try order.end(.last, where: test)
      else {
        return try perform([])
      }
      let others = try order.positions(where: "NOT \(test)")
      let gap: Int
      if let after = others.firstIndex(where: { $0.id == position.after }) {
        gap = after + 1
      } else if let before = others.firstIndex(where: { $0.id == position.before }) {
        gap = before
      } else {
        throw Self.noSuchPlace
      }
      let leading = others[..<gap].filter { $0 > first }.map(\.id)
      let trailing = others[gap...].filter { $0 < last }.map(\.id)
      try PhotoSelection.ids(leading + trailing).remember(of: mutationID, in: albumID, db)
      let moving = Set(leading + trailing)
      try put(leading, at: .before(first), moving: moving)
      // The ranks of neighbours may be other ones since, where there was no room.
      if let last = try order.position(of: last.id) { try put(trailing, at: .after(last), moving: moving) }
      return !moving.isEmpty
    }
  }

  private func put(_ ids: [UUID], at target: AlbumOrder.Target, moving: Set<UUID>) throws {
    guard !ids.isEmpty else { return }
    let update = try db.makeStatement(sql: "UPDATE photo SET rank = ? WHERE id = ?")
    for (id, rank) in zip(ids, try order.ranks(ids.count, at: target, moving: moving)) {
      try update.execute(arguments: [rank, id])
    }
  }

  private static var noSuchPlace: ContactSheetError {
    ContactSheetError(
      .conflict, "The photos beside that position are gone. Look where they should go and move them again.")
  }
}

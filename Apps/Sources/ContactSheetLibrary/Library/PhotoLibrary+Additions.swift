package import Foundation
import LiveLists

extension PhotoLibrary {
  /// Adds photos to the end of another album, where each has a row of its own, with a position, a title and a trash of its own, and
  /// the same original. Those whose content the other album has already are passed over.
  ///
  /// Taking that back puts the new rows into the trash.
  ///
  /// - Parameters:
  ///   - ids: The photos in the order in which they are to arrive. Those that are gone are passed over.
  ///   - albumID: The album that holds them, and keeps them.
  ///   - targetID: The album that is to have them, too.
  ///   - mutationID: The identifier of the mutation; one that was performed already does nothing.
  /// - Returns: Whether the mutation added any.
  /// - Throws: `ContactSheetError.Code.notFound` where one of the albums is gone.
  @discardableResult
  package func add(
    _ ids: [Photo.ID], of albumID: Album.ID, to targetID: Album.ID, mutationID: UUID
  ) async throws -> Bool {
    try await add(.ids(ids), of: albumID, to: targetID, mutationID: mutationID) > 0
  }

  /// - Returns: How many photos the mutation has added, now or when it was performed.
  package func add(
    _ photos: PhotoSelection, of albumID: Album.ID, to targetID: Album.ID, mutationID: UUID
  ) async throws -> Int {
    let now = Timestamp(Date())
    return try await records.write(origin: mutationID.wireText) { db in
      guard try Self.album(targetID, db) != nil else { throw Self.noSuchAlbum }
      if try Mutations.begin(mutationID, in: albumID, db) != nil {
        return try Mutations.before(mutationID, db)?.count ?? 0
      }
      guard try Self.album(albumID, db) != nil else { throw Self.noSuchAlbum }
      guard albumID != targetID else { return 0 }
      let named = try photos.remember(of: mutationID, in: albumID, db)
      let added = try Self.addCopies(of: named, to: targetID, trashed: now, db)
      try Mutations.replace(named, by: added, of: mutationID, db)
      return added.count
    }
  }

  /// How many photos are copied at a time, so that no number of them fills the memory.
  private static let portion = 1_000

  /// Makes a row for each of the photos of a mutation, in its order, and remembers each as if it had come out of the trash.
  private static func addCopies(
    of named: Mutations.Before, to targetID: Album.ID, trashed: Timestamp, _ db: Database
  ) throws -> Mutations.Before {
    let select = try db.makeStatement(
      sql: """
        SELECT act_photo.place, photo.* FROM act_photo JOIN photo ON photo.id = photoID
        WHERE \(Mutations.Before.condition) AND NOT EXISTS (
          SELECT 1 FROM photo AS twin
          WHERE twin.albumID = ? AND twin.contentHash = photo.contentHash AND twin.trashedDate IS NULL)
        ORDER BY place LIMIT ?
        """)
    let remember = try db.makeStatement(
      sql: "INSERT INTO act_photo (photoID, albumID, rank, trashedDate) VALUES (?, ?, ?, ?)")
    var rest = named.bounds
    var added = Mutations.Before(first: rest[1], count: 0)
    while true {
      let found = try Row.fetchAll(select, arguments: [rest[0], rest[1], targetID, portion])
      guard let last = found.last else { return added }
      let ranks = try AlbumOrder(albumID: targetID, db: db).ranks(found.count, at: .end)
      for (row, rank) in zip(found, ranks) {
        var copy = try Photo(row: row)
        copy.id = UUID()
        copy.albumID = targetID
        copy.rank = rank
        try copy.insert(db)
        try remember.execute(arguments: [copy.id, targetID, rank, trashed])
        added.count += 1
      }
      rest[0] = try last.value("place") + 1
    }
  }
}

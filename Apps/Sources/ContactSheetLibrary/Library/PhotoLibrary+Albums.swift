package import Foundation
package import LiveLists

extension PhotoLibrary {
  /// All albums, in order.
  package func albums() async throws -> [Album] {
    try await records.read { db in
      try Album.fetchAll(db, sql: "SELECT * FROM album WHERE deletedDate IS NULL ORDER BY rank, id")
    }
  }

  /// One album, or `nil` where there is none with this id.
  package func album(_ id: Album.ID) async throws -> Album? {
    try await records.read { try Self.album(id, $0) }
  }

  package static func album(_ id: Album.ID, _ db: Database) throws -> Album? {
    let statement = try db.cachedStatement(sql: "SELECT * FROM album WHERE id = ? AND deletedDate IS NULL")
    return try Album.fetchOne(statement, arguments: [id])
  }

  static var noSuchAlbum: ContactSheetError {
    ContactSheetError(.notFound, "There is no such album. It may have been deleted.")
  }

  /// The photos of an album in its order. Pages do not use this: they follow the live list.
  package func photos(in albumID: Album.ID) async throws -> [Photo] {
    try await records.read { try Self.photos(in: albumID, $0) }
  }

  static func photos(in albumID: Album.ID, _ db: Database) throws -> [Photo] {
    try Photo.fetchAll(
      db, sql: "SELECT * FROM photo WHERE albumID = ? AND trashedDate IS NULL ORDER BY rank, id",
      arguments: [albumID])
  }

  /// Makes an album behind the others.
  ///
  /// - Parameters:
  ///   - title: What the user typed; made one line.
  ///   - mutationID: The mutation's id, which becomes the album's: the same mutation makes one album, however often it is sent, and in whatever order
  ///     its tries arrive. Without one, each call makes an album.
  /// - Returns: The album; of a mutation that was performed before, as it is now.
  /// - Throws: `ContactSheetError.Code.badRequest` where the title has more than 500 bytes, `ContactSheetError.Code.notFound` where the
  ///   album of the mutation has been deleted since.
  @discardableResult
  package func createAlbum(_ title: String, mutationID: UUID? = nil) async throws -> Album {
    let title = try Album.title(typed: title)
    return try await records.write { db in
      guard let mutationID else { return try Self.insertAlbum(title, db) }
      let isKnown = try Mutations.begin(mutationID, db) != nil
      if let album = try Self.album(mutationID, db) { return album }
      // It was deleted: a try that comes late does not bring it back.
      let row = try Int.fetchOne(db, sql: "SELECT count(*) FROM album WHERE id = ?", arguments: [mutationID])
      guard !isKnown, row == 0 else { throw Self.noSuchAlbum }
      return try Self.insertAlbum(title, id: mutationID, db)
    }
  }

  /// The first album with a title, made where there is none.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it has more than 500 bytes.
  package func albumTitled(_ title: String) async throws -> Album {
    let clean = try Album.title(typed: title)
    return try await records.write { db in
      try Album.fetchOne(
        db, sql: "SELECT * FROM album WHERE title = ? AND deletedDate IS NULL ORDER BY rank, id",
        arguments: [clean]) ?? Self.insertAlbum(clean, db)
    }
  }

  /// Sees to it that there is an album to show: makes a first one where there is none.
  package func prepareFirstAlbum() async throws {
    // Asked first: a disk that is full is no reason to refuse what needs no writing.
    guard try await albums().isEmpty, try await !blocking({ self.hasNoRoom }) else { return }
    try await records.write { db in
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM album WHERE deletedDate IS NULL")
      if count == 0 { _ = try Self.insertAlbum("My photos", db) }
    }
  }

  private static func insertAlbum(_ title: String, id: Album.ID = UUID(), _ db: Database) throws -> Album {
    let last = try Rank.fetchOne(db, sql: "SELECT rank FROM album ORDER BY rank DESC LIMIT 1")
    let album = Album(
      id: id, title: title, createdDate: Timestamp(Date()), rank: try Rank.between(last, nil))
    try album.insert(db)
    return album
  }

  /// Gives an album another title.
  ///
  /// - Parameter former: The title that it must have, as for taking a title back; `nil`: whichever it has.
  /// - Returns: The album, and the title that it had.
  /// - Throws: `ContactSheetError.Code.badRequest` where it has more than 500 bytes, `ContactSheetError.Code.notFound` where there is no such
  ///   album, `ContactSheetError.Code.conflict` where the album has another title than the former one.
  @discardableResult
  package func rename(_ id: Album.ID, to title: String, from former: String? = nil) async throws -> (
    album: Album, former: String
  ) {
    let title = try Album.title(typed: title)
    return try await records.write { db in
      guard var album = try Self.album(id, db) else { throw Self.noSuchAlbum }
      let before = album.title
      guard former == nil || former == before else { throw Self.renamedSince }
      try db.execute(sql: "UPDATE album SET title = ? WHERE id = ?", arguments: [title, id])
      album.title = title
      return (album, before)
    }
  }

  /// Makes a photo of an album its cover, for as long as the album shows it.
  ///
  /// - Parameter photoID: The photo; `nil` has the cover be the first photo again.
  /// - Returns: The album, and the photo that was chosen before where the album still shows it.
  /// - Throws: `ContactSheetError.Code.notFound` where there is no such album, or it does not show the photo.
  @discardableResult
  package func setCover(
    _ photoID: Photo.ID?, of id: Album.ID
  ) async throws -> (album: Album, previous: Photo.ID?) {
    try await records.write { db in
      guard try Self.album(id, db) != nil else { throw Self.noSuchAlbum }
      let chosen = try Photo.ID.fetchOne(db, sql: "SELECT coverID FROM album WHERE id = ?", arguments: [id])
      let previous = try chosen.flatMap { try Self.shown([$0], in: id, db).isEmpty ? nil : $0 }
      if let photoID, try Self.shown([photoID], in: id, db).isEmpty {
        throw ContactSheetError(.notFound, "There is no such photo in this album. It may have been deleted.")
      }
      try db.execute(sql: "UPDATE album SET coverID = ? WHERE id = ?", arguments: [photoID, id])
      guard let album = try Self.album(id, db) else { throw Self.noSuchAlbum }
      return (album, previous)
    }
  }

  /// Deletes an album; its photos go to the trash.
  package func deleteAlbum(_ id: Album.ID) async throws {
    let now = Timestamp(Date())
    try await records.write { db in
      guard try Self.album(id, db) != nil else { throw Self.noSuchAlbum }
      try db.execute(
        sql: "UPDATE photo SET trashedDate = ? WHERE albumID = ? AND trashedDate IS NULL",
        arguments: [now, id])
      try db.execute(sql: "UPDATE album SET deletedDate = ? WHERE id = ?", arguments: [now, id])
    }
  }

  /// Brings back an album that was deleted, in its position, with the photos that went to the trash with it and are still there.
  ///
  /// - Returns: The album; one that is not deleted stays as it is.
  /// - Throws: `ContactSheetError.Code.notFound` where there was no such album, or its photos were removed for good.
  @discardableResult
  package func restoreAlbum(_ id: Album.ID) async throws -> Album {
    try await records.write { db in
      if let album = try Self.album(id, db) { return album }
      try db.execute(
        sql: """
          UPDATE photo SET trashedDate = NULL FROM album
          WHERE album.id = ? AND photo.albumID = album.id AND photo.trashedDate = album.deletedDate
          """, arguments: [id])
      try db.execute(sql: "UPDATE album SET deletedDate = NULL WHERE id = ?", arguments: [id])
      guard let album = try Self.album(id, db) else {
        throw ContactSheetError(.notFound, "The album has been removed for good.")
      }
      return album
    }
  }

  /// Moves albums to stand side by side in another position among the albums.
  ///
  /// - Returns: Whether the mutation changed anything.
  @discardableResult
  package func moveAlbums(_ ids: [Album.ID], to position: DropPosition, mutationID: UUID) async throws -> Bool
  {
    try await records.write(origin: mutationID.wireText) { db in
      if let known = try Mutations.begin(mutationID, db) { return known }
      let albums = try Album.fetchAll(
        db, sql: "SELECT * FROM album WHERE deletedDate IS NULL ORDER BY rank, id")
      let moving = ids.uniqued().filter { id in albums.contains { $0.id == id } }
      let rest = albums.filter { !moving.contains($0.id) }
      guard !moving.isEmpty else { return false }
      let gap: Int
      if let after = rest.firstIndex(where: { $0.id == position.after }) {
        gap = after + 1
      } else if let before = rest.firstIndex(where: { $0.id == position.before }) {
        gap = before
      } else {
        throw ContactSheetError(.conflict, "The albums beside that position are gone. Look and move again.")
      }
      let placement = try Rank.place(
        moving.count, before: rest[..<gap].map(\.rank), after: rest[gap...].map(\.rank), reachesStart: true,
        reachesEnd: true)
      let update = try db.makeStatement(sql: "UPDATE album SET rank = ? WHERE id = ? AND rank <> ?")
      let written =
        Array(zip(moving, placement.placed))
        + zip(rest[..<gap].suffix(placement.before.count).map(\.id), placement.before)
        + zip(rest[gap...].map(\.id), placement.after)
      var isChange = false
      for (id, rank) in written {
        try update.execute(arguments: [rank, id, rank])
        isChange = isChange || db.changesCount > 0
      }
      if isChange { try Mutations.noteChange(by: mutationID, db) }
      return isChange
    }
  }
}

extension Sequence where Element: Hashable {
  /// The elements, each where it comes first.
  package func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

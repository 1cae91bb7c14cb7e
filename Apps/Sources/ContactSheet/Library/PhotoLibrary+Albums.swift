public import Foundation
import GRDB

/// An album and how many photos it has.
public struct AlbumSummary: Sendable, Hashable {
  /// The album.
  public var album: Album
  /// How many photos it has.
  public var count: Int
}

extension PhotoLibrary {
  /// All albums, in order.
  public func albums() async throws -> [AlbumSummary] {
    try await records.read { db in
      let counts = try Row.fetchAll(db, sql: "SELECT albumID, count(*) AS number FROM photo GROUP BY albumID")
      let numbers = Dictionary(
        try counts.map { (try $0.value("albumID") as UUID, try $0.value("number") as Int) },
        uniquingKeysWith: { first, _ in first })
      return try Album.fetchAll(db, sql: "SELECT * FROM album ORDER BY createdDate, id")
        .map { AlbumSummary(album: $0, count: numbers[$0.id] ?? 0) }
    }
  }

  /// One album, or `nil` where there is none with this id.
  public func album(_ id: UUID) async throws -> Album? {
    try await records.read { db in
      try Album.fetchOne(db, sql: "SELECT * FROM album WHERE id = ?", arguments: [id])
    }
  }

  /// The photos of an album in its order. Pages do not use this: they follow the live list.
  public func photos(in albumID: Album.ID) async throws -> [Photo] {
    try await records.read { db in
      try Photo.fetchAll(
        db, sql: "SELECT * FROM photo WHERE albumID = ? ORDER BY rank, id", arguments: [albumID])
    }
  }

  /// Makes an album.
  ///
  /// - Parameter title: What the user typed; made one line of a decent length.
  @discardableResult
  public func createAlbum(_ title: String) async throws -> Album {
    let album = Album(id: UUID(), title: Album.title(from: title), createdDate: Timestamp(Date()))
    try await records.write { db in try album.insert(db) }
    return album
  }

  /// The first album with a title, made where there is none.
  public func albumTitled(_ title: String) async throws -> Album {
    let clean = Album.title(from: title)
    let fresh = Album(id: UUID(), title: clean, createdDate: Timestamp(Date()))
    return try await records.write { db in
      if let album = try Album.fetchOne(
        db, sql: "SELECT * FROM album WHERE title = ? ORDER BY createdDate, id", arguments: [clean])
      {
        return album
      }
      try fresh.insert(db)
      return fresh
    }
  }

  /// Sees to it that there is an album to show: makes a first one where there is none.
  public func prepareFirstAlbum() async throws {
    let title = "My photos"
    let first = Album(id: UUID(), title: title, createdDate: Timestamp(Date()))
    try await records.write { db in
      if try Album.fetchCount(db) == 0 { try first.insert(db) }
    }
  }
}

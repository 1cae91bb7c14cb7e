import Foundation
package import LiveLists

/// The photos that a mutation is about.
package enum PhotoSelection: Sendable {
  /// These, in this order.
  case ids([Photo.ID])
  /// All that a list had at some time, but some; in the order of the album.
  case all(of: DiffableSnapshot<FetchSectionID, Photo.ID>, except: Set<Photo.ID>)
}

extension PhotoSelection {
  /// Remembers those of the photos that an album shows, before a mutation changes them: the rows are then the selection
  /// itself, in its order.
  ///
  /// - Complexity: O(number of photos named); for all of a list, one pass over the album, in constant memory.
  @discardableResult
  func remember(of mutationID: UUID, in albumID: Album.ID, _ db: Database) throws -> Mutations.Before {
    try Mutations.remember(of: mutationID, in: albumID, db) { insert in
      switch self {
      case .ids(let ids):
        for id in ids.uniqued() {
          try insert(
            """
            SELECT id, albumID, rank, trashedDate FROM photo
            WHERE id = ? AND albumID = ? AND trashedDate IS NULL
            """, [id, albumID])
        }
      case .all(let list, let except):
        try Self.withTest({ list.containsItem($0) && !except.contains($0) }, db) { test in
          // The date is left to be null, not read, so that the index has all that is needed.
          try insert(
            """
            SELECT id, albumID, rank, NULL FROM photo
            WHERE albumID = ? AND trashedDate IS NULL AND \(test) ORDER BY rank, id
            """, [albumID])
        }
      }
    }
  }

  /// Remembers those of the photos that are in the trash, of whatever album, before a mutation changes them. Of a whole list those
  /// that were deleted last come first.
  @discardableResult
  func rememberTrashed(of mutationID: UUID, _ db: Database) throws -> Mutations.Before {
    let columns = "SELECT id, albumID, rank, trashedDate FROM photo"
    return try Mutations.remember(of: mutationID, in: nil, db) { insert in
      switch self {
      case .ids(let ids):
        for id in ids.uniqued() { try insert("\(columns) WHERE id = ? AND trashedDate IS NOT NULL", [id]) }
      case .all(let list, let except):
        try Self.withTest({ list.containsItem($0) && !except.contains($0) }, db) { test in
          try insert(
            "\(columns) WHERE trashedDate IS NOT NULL AND \(test) ORDER BY trashedDate DESC, id", [])
        }
      }
    }
  }

  /// Lets SQL ask Swift whether a photo is selected.
  ///
  /// - Parameters:
  ///   - isSelected: The answer.
  ///   - body: Is given the question in SQL, about the column `id`.
  static func withTest<Result>(
    _ isSelected: @escaping @Sendable (Photo.ID) -> Bool, _ db: Database, _ body: (String) throws -> Result
  ) throws -> Result {
    let function = DatabaseFunction("is_selected", argumentCount: 1) { values in
      UUID.fromDatabaseValue(values[0]).map(isSelected) ?? false
    }
    db.add(function: function)
    // Taken away again with what it holds on to: a list of a million, perhaps.
    defer { db.remove(function: function) }
    return try body("is_selected(id)")
  }
}

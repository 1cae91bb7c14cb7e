import Foundation
import Synchronization

/// The data of a photo besides its file, as from the manifest of an export.
package struct PhotoDetails: Sendable, Hashable {
  /// The title; without one, the file's name is the title.
  package var title: String?
  /// When it was taken, which may be "not known"; `nil` where the file itself is to tell.
  package var taken: Timestamp??
  /// Its position among those of its batch, which otherwise come in the order of capture.
  package var position: Int?
  /// The hash of the file that was exported, as a manifest says it.
  package var hash: ContentHash?

  /// Knows nothing but the file.
  package init() {}
}

/// The photos that came in together, in the order of their capture dates or of the positions they were given: they
/// arrive at the end of the album, and among themselves in that order, whichever is ready first.
package final class ImportBatch: Sendable {
  /// The value by which a photo of the batch is ordered.
  struct Key: Sendable, Comparable {
    /// The capture date, or the position that was given. Photos without a date follow those with one.
    let captureDate: Int64
    let name: NaturalOrder.Key
    let id: UUID

    init(captureDate: Int64, fileName: String, id: UUID) {
      self.captureDate = captureDate
      name = NaturalOrder.Key(fileName)
      self.id = id
    }

    static func < (lhs: Key, rhs: Key) -> Bool {
      if lhs.captureDate != rhs.captureDate { return lhs.captureDate < rhs.captureDate }
      if lhs.name != rhs.name { return lhs.name < rhs.name }
      return lhs.id.uuidString < rhs.id.uuidString
    }
  }

  private let keys = Mutex<[Key]>([])

  /// Creates an empty batch.
  package init() {}

  /// Hands on the photos of the batch nearest to a key: those before it, nearest first, and those after it.
  ///
  /// They are not to be kept: whoever holds them while another photo is added has all of them copied.
  func withNeighbors<Result>(
    of key: Key,
    _ body: (_ before: ReversedCollection<ArraySlice<Key>>, _ after: ArraySlice<Key>) throws -> Result
  ) rethrows -> Result {
    try keys.withLock { keys in
      let position = Self.position(of: key, in: keys)
      return try body(keys[..<position].reversed(), keys[position...])
    }
  }

  /// Adds a photo that has been stored.
  func insert(_ key: Key) {
    keys.withLock { keys in keys.insert(key, at: Self.position(of: key, in: keys)) }
  }

  private static func position(of key: Key, in keys: [Key]) -> Int {
    keys.indices.partitionPoint { keys[$0] < key }
  }
}

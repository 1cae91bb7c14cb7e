package import Foundation

/// The result of making a damaged database anew.
package struct RebuildReport: Sendable, Hashable {
  /// The number of albums that were read whole.
  package var albums = 0
  /// The number of photos that were read whole.
  package var photos = 0
  /// The new titles of photos of which only the position in the album could be read.
  package var untitled: [UUID: String] = [:]
  /// Photos of which could not be read whether they are in the trash.
  package var withoutTrash: Set<UUID> = []
  /// Albums whose title could not be read.
  package var untitledAlbums: Set<UUID> = []
  /// Albums for whose cover a photo was chosen that could not be read, with their titles.
  package var lostCovers: [UUID: String] = [:]
  /// The number of photos that are known to have been there, and of which too little could be read.
  package var lost = 0
  /// The path at which the damaged database is kept, or the journal of a missing one.
  package var keptAs = ""
  /// Whether there was no database at all.
  package var wasMissing = false

  /// Whether albums may have been there of which nothing could be read.
  var mayLackAlbums: Bool { wasMissing || !keptAs.isEmpty && (albums == 0 || !untitledAlbums.isEmpty) }

  /// Whether photos may have been there of which nothing could be read: of pages that are damaged nobody knows what was in
  /// them.
  var mayLackPhotos: Bool { wasMissing || !keptAs.isEmpty }

  /// Creates a report that says that nothing had to be rebuilt.
  package init() {}
}

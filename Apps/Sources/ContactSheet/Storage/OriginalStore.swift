import Foundation

/// Puts photos' files into the data folder and takes them out, so that a process which is killed at any
/// moment leaves nothing half done that `recover` cannot tell. Its calls block.
///
/// ```
/// incoming/<uuid>.part   being received
///    │ synced, renamed
/// incoming/<hash>        the intent: "this photo is being stored"
///    │ linked
/// originals/ab/<hash>    complete, but not yet anybody's
///    │ row committed
/// incoming/<hash> gone   stored
/// ```
///
/// An original without an intent is never removed for want of a row: a lost database does not cost photos.
struct OriginalStore: Sendable {
  let folder: DataFolder

  /// How a photo's files came to be where they are.
  struct Placement: Sendable {
    var hash: ContentHash
    /// Whether the original was not there before; only then may a failed import take it away.
    var isNew: Bool
  }

  /// Moves a received file and its thumbnail to their places. The content must be durable already.
  ///
  /// - Parameters:
  ///   - received: The file in `incoming/`.
  ///   - thumbnail: Its small JPEG in `incoming/`.
  func place(_ received: IncomingFile.Received, thumbnail: String) throws(ContactSheetError) -> Placement {
    let hash = received.hash
    let target = folder.original(hash)
    var isNew = true
    do throws(SystemError) {
      if Files.size(target) == received.byteCount {
        isNew = false
        try Files.remove(received.path)
      } else {
        let parent = "\(folder.originals)/\(hash.prefix)"
        try Files.makeFolder(parent)
        // The intent's rename comes before the link in the same journal, so no crash can keep the link
        // and lose the intent.
        try Files.rename(received.path, to: folder.intent(hash))
        if try !Files.link(folder.intent(hash), to: target) {
          // What is there has another length than its name says: a damaged copy makes room.
          try Files.remove(target)
          try Files.link(folder.intent(hash), to: target)
        }
        try Files.syncFolder(parent)
      }
      try Files.makeFolder("\(folder.thumbnails)/\(hash.prefix)")
      try Files.rename(thumbnail, to: folder.thumbnail(hash))
    } catch {
      if isNew { remove(hash) }
      throw .writing(target, error)
    }
    return Placement(hash: hash, isNew: isNew)
  }

  /// Ends a photo's storing after its row is committed.
  func confirm(_ placement: Placement) {
    // An intent that stays is taken away at the next start, since its row is there.
    try? Files.remove(folder.intent(placement.hash))
  }

  /// Takes back what `place` did, after its row could not be committed.
  func withdraw(_ placement: Placement) {
    if placement.isNew { remove(placement.hash) }
  }

  /// Removes a photo's files: the original, what was made of it, and last the intent.
  func remove(_ hash: ContentHash) {
    for path in [folder.original(hash), folder.thumbnail(hash), folder.preview(hash), folder.intent(hash)] {
      try? Files.remove(path)
    }
  }

  /// Clears up after a process that did not end by itself. Nobody else may use the folder meanwhile.
  ///
  /// - Parameter isStored: Whether a photo with this content has a row.
  /// - Returns: The photos whose storing had not been completed, and which are gone now.
  func recover(isStored: (ContentHash) throws -> Bool) rethrows -> [ContentHash] {
    var withdrawn: [ContentHash] = []
    for name in Files.names(in: folder.incoming) {
      if let hash = ContentHash(name), try !isStored(hash) {
        remove(hash)
        withdrawn.append(hash)
      } else {
        // Pictures of the demo lie in a folder of their own.
        try? FileManager.default.removeItem(atPath: "\(folder.incoming)/\(name)")
      }
    }
    return withdrawn
  }
}

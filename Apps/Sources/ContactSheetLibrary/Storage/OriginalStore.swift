import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  struct Stored: Sendable {
    var hash: ContentHash
    /// Whether the original was not there before; only then may a failed import take it away.
    var isNew: Bool
    /// Whether it took the place of one that was damaged.
    var mended = false
  }

  /// The names of all originals.
  var names: [String] {
    Files.names(in: folder.originals).flatMap { Files.names(in: "\(folder.originals)/\($0)") }.sorted()
  }

  /// The hash of a file's content, or `nil` where there is none.
  static func hash(of path: String) throws -> ContentHash? { try measure(path)?.hash }

  /// The properties of a file's content that the database keeps.
  struct Measures: Sendable {
    var hash: ContentHash
    var byteCount: Int
    /// Its CRC-32.
    var checksum: UInt32
  }

  /// Returns what a file's content measures, or `nil` where there is none.
  ///
  /// - Complexity: reads the file once.
  static func measure(_ path: String) throws -> Measures? {
    guard Files.size(path) != nil, let handle = Files.handle(path) else { return nil }
    defer { try? handle.close() }
    var hasher = SHA256()
    var checksum = CRC32()
    var byteCount = 0
    while let data = try handle.read(upToCount: 1 << 20), !data.isEmpty {
      hasher.update(data)
      data.withUnsafeBytes { checksum.update($0) }
      byteCount += data.count
    }
    return Measures(
      hash: ContentHash(digest: hasher.finish()), byteCount: byteCount, checksum: checksum.value)
  }

  /// The state of the file at an original's path.
  enum Condition: Sendable, Hashable {
    case missing, damaged, whole
    /// Something is there, or may be, and the system does not let it be read.
    case unreadable
  }

  /// Returns the condition of a file that should hold an original, as far as can be said without reading it: `nil` where it can be read.
  static func obstacle(_ path: String) -> Condition? {
    do throws(SystemError) {
      close(try Files.openRegular(path))
      return nil
    } catch {
      switch error.number {
      case EACCES, EPERM, ELOOP, EIO, EMFILE, ENFILE, ENOMEM: return .unreadable
      default: return .missing
      }
    }
  }

  /// Compares the stored original of a received file with that file, byte by byte: equal lengths prove nothing.
  func condition(of received: IncomingFile.Received) -> Condition {
    let target = folder.original(received.hash)
    guard let size = Files.size(target) else { return .missing }
    return size == received.byteCount && Files.areSame(target, received.path) ? .whole : .damaged
  }

  /// Stores a received file in place of an original that is missing or damaged. The content must be durable already.
  func mend(_ received: IncomingFile.Received) throws(ContactSheetError) {
    let target = folder.original(received.hash)
    let parent = "\(folder.originals)/\(received.hash.prefix)"
    do throws(SystemError) {
      try Files.makeFolder(parent)
      try Files.rename(received.path, to: target)
      try Files.syncFolder(parent)
    } catch {
      throw .writing(target, error)
    }
  }

  /// Moves a received file and its thumbnail to their places. The content must be durable already.
  ///
  /// A file that is there already is replaced unless it has the same bytes.
  ///
  /// - Parameters:
  ///   - received: The file in `incoming/`.
  ///   - thumbnail: Its small JPEG in `incoming/`.
  ///   - preview: Its JPEG of a screen's size in `incoming/`, if there is one.
  func place(
    _ received: IncomingFile.Received, thumbnail: String, preview: String? = nil
  ) throws(ContactSheetError) -> Stored {
    let hash = received.hash
    let target = folder.original(hash)
    let condition = condition(of: received)
    let isNew = condition == .missing
    do throws(SystemError) {
      switch condition {
      case .whole: try Files.remove(received.path)
      case .damaged, .unreadable:
        // No intent: what was there before the import is not taken away with it, whole or not.
        try Files.rename(received.path, to: target)
        try Files.syncFolder("\(folder.originals)/\(hash.prefix)")
      case .missing:
        let parent = "\(folder.originals)/\(hash.prefix)"
        try Files.makeFolder(parent)
        // The intent's rename comes before the link in the same journal, so no crash can keep the link
        // and lose the intent.
        try Files.rename(received.path, to: folder.intent(hash))
        if try !Files.link(folder.intent(hash), to: target) {
          // Something that is no file.
          try Files.remove(target)
          try Files.link(folder.intent(hash), to: target)
        }
        try Files.syncFolder(parent)
      }
      try Files.makeFolder("\(folder.thumbnails)/\(hash.prefix)")
      try Files.rename(thumbnail, to: folder.thumbnail(hash))
      if let preview {
        try Files.makeFolder("\(folder.previews)/\(hash.prefix)")
        try Files.rename(preview, to: folder.preview(hash))
      }
    } catch {
      if isNew { remove(hash) }
      throw .writing(target, error)
    }
    return Stored(hash: hash, isNew: isNew, mended: condition == .damaged)
  }

  /// Ends a photo's storing after its row is committed.
  func confirm(_ stored: Stored) {
    // An intent that stays is taken away at the next start, since its row is there.
    try? Files.remove(folder.intent(stored.hash))
  }

  /// Takes back what `place` did, after its row could not be committed.
  func withdraw(_ stored: Stored) {
    if stored.isNew { remove(stored.hash) }
  }

  /// Removes a photo's files: the original, what was made of it, and last the intent.
  func remove(_ hash: ContentHash) {
    removeAllButIntent(hash)
    try? Files.remove(folder.intent(hash))
  }

  private func removeAllButIntent(_ hash: ContentHash) {
    for path in [folder.original(hash), folder.thumbnail(hash), folder.preview(hash)] {
      try? Files.remove(path)
    }
  }

  /// Ends the storing of photos whose intents are left where no database says which have a row: the photos are kept, and
  /// become originals without an album. Nobody else may use the folder meanwhile. Blocks.
  ///
  /// - Throws: `ContactSheetError` where a photo that lies in `incoming/` only cannot be moved to its place.
  func keepIntents() throws(ContactSheetError) {
    for hash in Files.names(in: folder.incoming).compactMap({ ContentHash($0) }) {
      let (intent, target) = (folder.intent(hash), folder.original(hash))
      do throws(SystemError) {
        if (try? Self.hash(of: target)) != hash, (try? Self.hash(of: intent)) == hash {
          let parent = "\(folder.originals)/\(hash.prefix)"
          try Files.makeFolder(parent)
          try Files.rename(intent, to: target)
          try Files.syncFolder(parent)
        }
        // Two names of one file stay both when one is renamed to the other. A folder of that name is removed by `recover`.
        if Files.size(intent) != nil { try Files.remove(intent) }
      } catch {
        throw .writing(target, error)
      }
    }
  }

  /// Clears up after a process that did not end by itself. Nobody else may use the folder meanwhile.
  ///
  /// - Parameter isStored: Whether a photo with this content has a row.
  /// - Returns: The photos whose storing had not been completed, and which are gone now.
  func recover(isStored: (ContentHash) throws -> Bool) rethrows -> [ContentHash] {
    var withdrawn: [ContentHash] = []
    // Somebody may have been quicker than the look at the start, or be so now: the folder is held open.
    guard let incoming = try? OwnFolder(folder.incoming) else { return [] }
    for name in incoming.names {
      if let hash = ContentHash(name), try !isStored(hash) {
        removeAllButIntent(hash)
        withdrawn.append(hash)
      }
      // Pictures of the demo lie in a folder of their own.
      incoming.remove(name)
    }
    return withdrawn
  }
}

import LiveLists

/// The originals in a folder that is to hold a backup: those of the photos that were backed up there, which go where these are gone, and
/// any others, which somebody else put there and which stay.
struct BackupOriginals {
  private let folder: DataFolder
  /// The names of those that the folder's own database names, or that a backup which was cut off brought.
  private let known: Set<String>
  /// The names that a backup which was cut off noted.
  private let begun: Set<String>

  /// The most bytes of a note that are read: of four million photos.
  private static let noteLimit = 256 << 20

  /// - Complexity: O(*n*) in the number of photos of the folder.
  init(in folder: DataFolder) {
    self.folder = folder
    let note = (try? Files.ownContents(folder.unfinishedBackup, upTo: Self.noteLimit)).map(Array.init) ?? []
    begun = Set(String(decoding: note, as: UTF8.self).parts(between: "\n").map { String($0) })
    var known = begun
    if !folder.hasEmptyDatabase, let database = try? DatabaseQueue(path: folder.database) {
      for table in ["photo", "discarded"] {
        let names = try? database.read { try String.fetchSet($0, sql: "SELECT contentHash FROM \(table)") }
        known.formUnion(names ?? [])
      }
      try? database.close()
    }
    self.known = known
  }

  /// Throws where originals are all that is left of albums: with the backup's database beside them nobody would look for them any more.
  ///
  /// - Parameters:
  ///   - wanted: The names of the originals that the backup is to have.
  ///   - replacing: Whether they may stay as photos of no album.
  func checkNoneIsOrphaned(besides wanted: Set<String>, replacing: Bool) throws(ContactSheetError) {
    guard folder.hasEmptyDatabase, !replacing else { return }
    let others = OriginalStore(folder: folder).names
      .filter { ContentHash($0) != nil && !known.contains($0) && !wanted.contains($0) }
    guard !others.isEmpty else { return }
    throw ContactSheetError(
      .conflict,
      "“\(folder.path)” holds \(others.count) \(others.count == 1 ? "photo" : "photos") and no database: it is a data folder or a backup"
        + " that has lost it. Nothing was changed. “contact-sheet check --repair --data” with that folder makes an album of them. Name"
        + " another folder for the backup; with --replace they stay there, in no album.")
  }

  /// Notes which originals a backup is about to bring and to remove, so that the next one knows them if this is cut off.
  func noteBegin(of wanted: Set<String>) throws(ContactSheetError) {
    let new = wanted.filter { name in
      ContentHash(name).map { Files.size(folder.original($0)) == nil } ?? false
    }
    let note = begun.union(new).union(known.subtracting(wanted)).sorted().joined(separator: "\n")
    do throws(SystemError) {
      try Files.writePrivately(Array(note.utf8), to: folder.unfinishedBackup)
    } catch {
      throw ContactSheetError.writing(folder.unfinishedBackup, error)
    }
  }

  /// Removes those of photos that have been removed for good since the last backup.
  func removeGone(besides wanted: Set<String>) {
    for name in known.subtracting(wanted) {
      if let hash = ContentHash(name) { OriginalStore(folder: folder).remove(hash) }
    }
  }
}

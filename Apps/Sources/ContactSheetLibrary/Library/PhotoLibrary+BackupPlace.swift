import CVipsShim

extension PhotoLibrary {
  /// Throws where a backup is the data folder itself, by whatever path.
  static func checkIsAnother(_ backup: DataFolder, than folder: DataFolder) throws(ContactSheetError) {
    guard Files.areOne(backup.path, folder.path) else { return }
    throw ContactSheetError(
      .badRequest, "“\(backup.path)” is the data folder itself. Name another folder for the backup.")
  }

  /// Throws where one of the folders lies in the other, by whatever path: `incoming` is emptied at each start, originals that
  /// no row names are looked for, and a backup that is lost together with what it is of is none.
  static func checkIsApart(_ backup: DataFolder, from folder: DataFolder) throws(ContactSheetError) {
    if Files.lies(backup.path, below: folder.path) {
      throw ContactSheetError(
        .badRequest,
        "“\(backup.path)” lies in the data folder “\(folder.path)”. Name a folder outside of it for the backup."
      )
    }
    if Files.lies(folder.path, below: backup.path) {
      throw ContactSheetError(
        .badRequest,
        "The data folder “\(folder.path)” lies in “\(backup.path)”. Name a folder beside it for the backup.")
    }
  }

  /// Throws where links in the backup lead to the folders in which the library has its own originals: whatever happens to these
  /// happens to the backup.
  static func checkHasOwnOriginals(_ backup: DataFolder, besides folder: DataFolder) throws(ContactSheetError)
  {
    let own = [folder.originals] + Files.names(in: folder.originals).map { "\(folder.originals)/\($0)" }
    let others = [backup.originals] + Files.names(in: backup.originals).map { "\(backup.originals)/\($0)" }
    guard let shared = others.first(where: { other in own.contains { Files.areOne(other, $0) } }) else {
      return
    }
    throw ContactSheetError(
      .conflict,
      "“\(shared)” is a link to the library's own photos: what happens to these would happen to the backup. Take the link away,"
        + " or name another folder for the backup.")
  }
}

extension PhotoLibrary {
  /// The files that folders have for themselves.
  private static func ownFiles(of folder: DataFolder) -> [String] {
    DataFolder.databaseEndings.map { folder.database + $0 } + folder.files
  }

  /// Throws where the backup has a file that is one of the library's own by a link, in whichever of the two it is: what is
  /// written into the one is in the other.
  static func checkHasOwnFiles(_ backup: DataFolder, besides folder: DataFolder) throws(ContactSheetError) {
    for theirs in ownFiles(of: backup) {
      guard let ours = ownFiles(of: folder).first(where: { Files.areOne(theirs, $0) }) else { continue }
      throw ContactSheetError(
        .conflict,
        "“\(theirs)” and the library's own “\(ours)” are the same file, by a link. Nothing was copied. Put a copy in the place of the"
          + " link, or name another folder for the backup.")
    }
    // SQLite writes into these where they are, whoever else has a name for them.
    for ending in DataFolder.databaseEndings.dropFirst() where cs_name_count(backup.database + ending) > 1 {
      throw .writing(backup.database + ending, .linked)
    }
  }

  /// Throws where the library's database or an original is a link into the backup: the library would go with the backup.
  ///
  /// - Complexity: O(*n*) in the number of originals.
  static func checkLinksLeadElsewhere(
    _ folder: DataFolder, than backup: DataFolder
  ) throws(ContactSheetError) {
    let originals = Files.names(in: folder.originals).flatMap { part in
      Files.names(in: "\(folder.originals)/\(part)").map { "\(folder.originals)/\(part)/\($0)" }
    }
    for path in [folder.database] + originals
    where cs_is_no_file(path) != 0 && Files.lies(path, below: backup.path) {
      throw ContactSheetError(
        .conflict,
        "“\(path)” of the library is a link into the backup's folder: what happens to the backup would happen to the library. Nothing was"
          + " copied. Put a copy of the file in the place of the link, or name another folder for the backup."
      )
    }
  }
}

extension Files {
  /// Returns whether a path is a folder, or lies below it, by whatever links; also a path that does not exist yet.
  static func lies(_ path: String, below folder: String) -> Bool { lies(path, belowAnyOf: [folder]) }

  /// Returns whether a path is one of some folders, or lies below one, by whatever links; also a path that does not exist yet.
  static func lies(_ path: String, belowAnyOf folders: [String]) -> Bool {
    var current = resolved(path)
    while true {
      if folders.contains(where: { areOne(current, $0) }) { return true }
      if current.isExactly("/") { return false }
      current = parent(of: current)
    }
  }

  /// The path that making a folder and its parents would lead to: links of what exists are followed, `..` of what does not
  /// exist yet takes back the part before it.
  private static func resolved(_ path: String) -> String {
    var current = "/"
    for part in path.parts(between: "/") {
      if part.isExactly(".") { continue }
      if part.isExactly("..") {
        current = parent(of: current)
        continue
      }
      let next = current.isExactly("/") ? "/\(part)" : "\(current)/\(part)"
      current = real(next) ?? next
    }
    return current
  }
}

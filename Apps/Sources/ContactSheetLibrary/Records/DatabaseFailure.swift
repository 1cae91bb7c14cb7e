import GRDB

/// Turns what the database says into what the user is told.
enum DatabaseFailure {
  /// Returns the error to tell instead of one of the database; other errors as they are.
  ///
  /// - Parameter isOpen: Whether this process has the database open. Its file is not looked into then: closing it again would give
  ///   back the locks that SQLite has on it.
  static func explain(_ error: any Error, _ path: String, isOpen: Bool = false) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    var code = error.resultCode
    // Of a journal or an index that finds no room SQLite says only that it could not be written.
    if code == .SQLITE_IOERR || code == .SQLITE_CANTOPEN, !Files.hasRoom(path, bytes: 128 << 10, files: 4) {
      code = .SQLITE_FULL
    }
    // Of one byte of the header SQLite says that a newer release may read the database, and nobody write it.
    if code == .SQLITE_READONLY, !isOpen, DatabaseHeader.isDamaged(path) { code = .SQLITE_CORRUPT }
    switch code {
    case .SQLITE_FULL:
      return ContactSheetError(
        .diskFull, "The disk that holds “\(path)” is full. Make room and try again.", cause: "\(error)")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
      return ContactSheetError(
        .readOnly,
        "“\(path)” cannot be written. Give ContactSheet the right to write there, or choose another data folder.",
        cause: "\(error)")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return ContactSheetError(
        .inUse, "“\(path)” is locked by another program. Close that one and try again.", cause: "\(error)")
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      return ContactSheetError(
        .storage,
        "“\(path)” is damaged; the photos in “originals” are not touched. “contact-sheet check --repair” reads what can be"
          + " read of it, and takes the rest from a backup (--from).",
        cause: error.message)
    case .SQLITE_ERROR:
      // A table that is gone, in most cases.
      return ContactSheetError(
        .storage,
        "“\(path)” could not be used; the photos in “originals” are not touched. “contact-sheet check” says what is the matter"
          + " with it, and “contact-sheet check --repair” makes it anew of what can be read.",
        cause: error.message)
    case .SQLITE_IOERR where SystemLimits.fileSizeAdvice != nil:
      return ContactSheetError(
        .storage, "“\(path)” could not be written. \(SystemLimits.fileSizeAdvice ?? "")", cause: "\(error)")
    case .SQLITE_NOMEM:
      return ContactSheetError(
        .limited, "“\(path)” could not be used: the system gives ContactSheet no more memory.",
        cause: "\(error)")
    default:
      return ContactSheetError(.storage, "“\(path)” could not be used.", cause: "\(error)")
    }
  }
}

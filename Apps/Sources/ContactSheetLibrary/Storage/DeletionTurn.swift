#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps the removal of originals and the copying of them apart, also between processes.
///
/// A backup copies the rows first, in one state, and then the files that they name. What is deleted meanwhile has no row any
/// more, but its file is wanted: as long as a backup runs, files of deleted photos stay where they are.
///
/// The system gives a turn back when its process ends, however it ends.
final class DeletionTurn: Sendable {
  private let descriptor: CInt

  private init(descriptor: CInt) { self.descriptor = descriptor }

  deinit {
    // As in `FolderLock`: a process that is just being started may have a copy.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Keeps originals from being removed for as long as the result lives. Waits for a removal that is under way; blocks.
  static func keepingFiles(of folder: DataFolder) throws(ContactSheetError) -> DeletionTurn {
    try take(folder, LOCK_SH)
  }

  /// Returns the right to remove originals, or `nil` where a backup is running.
  static func removingFiles(of folder: DataFolder) throws(ContactSheetError) -> DeletionTurn? {
    let turn = try opened(folder)
    if flock(turn.descriptor, LOCK_EX | LOCK_NB) == 0 { return turn }
    let failure = SystemError.last("flock")
    guard failure.number == EWOULDBLOCK else { throw .writing(folder.backupLock, failure) }
    return nil
  }

  /// Waits until no backup runs; blocks.
  static func waitForBackups(of folder: DataFolder) { _ = try? take(folder, LOCK_EX) }

  private static func take(_ folder: DataFolder, _ kind: CInt) throws(ContactSheetError) -> DeletionTurn {
    let turn = try opened(folder)
    while flock(turn.descriptor, kind) != 0 {
      let failure = SystemError.last("flock")
      guard failure.number == EINTR else { throw .writing(folder.backupLock, failure) }
    }
    return turn
  }

  private static func opened(_ folder: DataFolder) throws(ContactSheetError) -> DeletionTurn {
    do throws(SystemError) {
      return DeletionTurn(descriptor: try Files.openOwn(folder.backupLock))
    } catch {
      throw .writing(folder.backupLock, error)
    }
  }
}

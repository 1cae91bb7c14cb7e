import CVipsShim
package import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that a user names to be written: it is written beside it under a name of its own, and takes its name when it is whole. What
/// had the name before stays until then. Its calls block.
///
/// A program that is ended meanwhile leaves a file that begins with `.contact-sheet-`. The next one that writes a file into the folder takes it
/// away: as long as it is being written, its writer holds its lock.
package final class PartialFile {
  private let target: ExportTarget
  private var partial: String
  private var descriptor: CInt

  /// Begins to write a file.
  ///
  /// - Parameters:
  ///   - path: The file, which is replaced where an export wrote it.
  ///   - folder: The data folder, in which no file of the user's is written.
  ///   - replacing: Whether a file that no export wrote is replaced, too.
  /// - Throws: `ContactSheetError` that names the file and says why it cannot be written there: where it is a folder, a link, a pipe, a
  ///   device or another program's file, or lies in the data folder, and where its own folder does not exist.
  package init(_ path: String, outside folder: DataFolder, replacing: Bool = false) throws(ContactSheetError)
  {
    target = ExportTarget(path: path, folder: folder, isReplacing: replacing)
    let (absolute, parent) = (target.absolute, target.parent)
    (partial, descriptor) = ("", -1)
    try target.check()
    if access(path, F_OK) != 0, errno == ENAMETOOLONG {
      throw target.refusal("\(SystemError.last("access").reason). Choose another name")
    }
    Self.removeLeftovers(in: parent)
    do throws(SystemError) {
      (partial, descriptor) = try Self.make(in: parent)
    } catch {
      switch error.number {
      case ENOENT: throw target.refusal("there is no folder “\(parent)”. Make it, or choose another place")
      case ENOSPC, EDQUOT: throw .writing(target.path, error)
      default: throw target.refusal("\(error.reason). Choose another place", cause: error)
      }
    }
    // As private as photos are, unless a file that is there was opened to others.
    let mode = cs_file_mode(absolute)
    if mode >= 0 { fchmod(descriptor, mode_t(mode)) }
  }

  private static let (prefix, suffix) = (".contact-sheet-", ".part")

  /// Makes a file under a name of its own, and takes its lock: two that write the same file must not write into each other's.
  private static func make(in folder: String) throws(SystemError) -> (path: String, descriptor: CInt) {
    while true {
      let path = "\(folder)/\(prefix)\(UInt64.random(in: .min ... .max))\(suffix)"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .last("open") }
      // Somebody who takes leftovers away may have been quicker, and then the path is free. File systems without locks have none to
      // take either.
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      if isLocked, Files.size(path) != nil { return (path, descriptor) }
      close(descriptor)
      try? Files.remove(path)
    }
  }

  /// Takes away what programs that were ended left in a folder. What one of them is writing is locked, and stays.
  private static func removeLeftovers(in folder: String) {
    for name in Files.names(in: folder) where isOurs(name) {
      let path = "\(folder)/\(name)"
      guard let descriptor = try? Files.openOwn(path, O_RDWR) else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? Files.remove(path) }
      close(descriptor)
    }
  }

  /// Returns whether a name is one that `make` gives.
  private static func isOurs(_ name: String) -> Bool {
    guard name.beginsExactly(with: prefix), name.endsExactly(with: suffix) else { return false }
    let number = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
    return (1...20).contains(number.count) && number.allSatisfy { (48...57).contains($0) }
  }

  deinit { discard() }

  /// Adds bytes at the end.
  ///
  /// - Throws: `ContactSheetError` that names the file.
  package func append(_ bytes: ByteBuffer) throws(ContactSheetError) {
    var failure: SystemError?
    bytes.withUnsafeReadableBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          failure = .last("write")
          return
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
    if let failure { throw .writing(target.path, failure) }
  }

  /// Makes the content durable, and gives the file its name.
  ///
  /// - Throws: `ContactSheetError` that names the file; what had the name before is still there then.
  package func finish() throws(ContactSheetError) {
    // Somebody may have put something else there meanwhile. The system itself replaces no folder by a file.
    try target.check()
    do throws(SystemError) {
      guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("fsync") }
      try Files.rename(partial, to: target.path)
      try Files.syncFolder(Files.parent(of: partial))
    } catch {
      throw .writing(target.path, error)
    }
    close(descriptor)
    descriptor = -1
  }

  /// Takes away what was written, unless the file has its name already.
  package func discard() {
    guard descriptor >= 0 else { return }
    // Removed before its lock is given back.
    try? Files.remove(partial)
    close(descriptor)
    descriptor = -1
  }
}

import CVipsShim
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps a data folder to one process at a time.
///
/// The system releases the lock when the process ends, however it ends. What the file says (which process,
/// at which address) is for others to read while it is held.
package final class FolderLock: Sendable {
  /// Who holds the lock.
  package struct Holder: Sendable, Hashable, Codable {
    /// The process.
    package var pid: Int32
    /// Where it serves pages, once it does.
    package var url: String?
  }

  private let descriptor: CInt
  private let path: String
  private let released = Mutex(false)

  private init(descriptor: CInt, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { release() }

  /// Takes the lock of a folder.
  ///
  /// - Parameter isTarget: Whether it is the folder that a backup writes to, and not that of the library.
  /// - Throws: `ContactSheetError.Code.inUse`, with a message that names the process and its address, where
  ///   another process has it.
  package static func acquire(_ folder: DataFolder, isTarget: Bool = false) throws(ContactSheetError)
    -> FolderLock
  {
    let descriptor = try locked(folder, isTarget: isTarget)
    let lock = FolderLock(descriptor: descriptor, path: folder.lock)
    do throws(ContactSheetError) {
      try lock.announce(url: nil)
    } catch {
      guard error.code == .diskFull else { throw error }
      // The lock holds whatever the file says.
      Reserve(folder).release()
      try? lock.announce(url: nil)
    }
    return lock
  }

  /// Opens the file of a folder's lock, and takes the lock.
  ///
  /// A file that has other names, too, as in a copy by hard links, is given up for one of the folder's own: what is written into it
  /// would be in all of them, and one of them may be a photo.
  private static func locked(_ folder: DataFolder, isTarget: Bool) throws(ContactSheetError) -> CInt {
    for _ in 0..<maximumAttempts {
      let descriptor = try opened(folder)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let failure = SystemError.last("flock")
        close(descriptor)
        guard failure.number == EWOULDBLOCK else { throw .writing(folder.lock, failure) }
        throw inUse(folder, by: read(folder.lock), isTarget: isTarget)
      }
      // Somebody else may have given it up meanwhile.
      let isInPlace = cs_is_at(descriptor, folder.lock) != 0
      if isInPlace, cs_open_name_count(descriptor) == 1 { return descriptor }
      let failure: SystemError? = isInPlace && unlink(folder.lock) != 0 ? .last("unlink") : nil
      flock(descriptor, LOCK_UN)
      close(descriptor)
      if let failure { throw .writing(folder.lock, failure) }
    }
    throw .writing(folder.lock, .linked)
  }

  /// The most times that a file is given up for another one.
  private static let maximumAttempts = 8

  /// Who holds the lock of a folder now, or `nil` where nobody does.
  package static func holder(of folder: DataFolder) -> Holder? {
    guard let descriptor = try? Files.openOwn(folder.lock, O_RDONLY) else { return nil }
    defer {
      // A lock that was free is given back.
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    return read(folder.lock) ?? Holder(pid: 0, url: nil)
  }

  /// Writes into the lock file where this process can be reached.
  package func announce(url: String?) throws(ContactSheetError) {
    let holder = Holder(pid: getpid(), url: url)
    guard let bytes = try? JSONEncoder().encode(holder) else { return }
    guard ftruncate(descriptor, 0) == 0 else { throw .writing(path, .last("ftruncate")) }
    let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count else { throw .writing(path, .last("write")) }
  }

  /// Gives the lock back. Doing so twice is fine.
  package func release() {
    let first = released.withLock { released in
      defer { released = true }
      return !released
    }
    guard first else { return }
    _ = ftruncate(descriptor, 0)
    // A process that is just being started may have a copy of the descriptor; closing this one alone would not release the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func opened(_ folder: DataFolder) throws(ContactSheetError) -> CInt {
    do throws(SystemError) {
      return try Files.openOwn(folder.lock)
    } catch {
      guard error.number == ENOSPC, Reserve(folder).release() else { throw .writing(folder.lock, error) }
    }
    do throws(SystemError) { return try Files.openOwn(folder.lock) } catch {
      throw .writing(folder.lock, error)
    }
  }

  private static func read(_ path: String) -> Holder? {
    (try? Files.ownContents(path)).flatMap { try? JSONDecoder().decode(Holder.self, from: $0) }
  }

  private static func inUse(_ folder: DataFolder, by holder: Holder?, isTarget: Bool) -> ContactSheetError {
    let who = holder.map { $0.pid > 0 ? "process \($0.pid)" : "another process" } ?? "another process"
    let address = holder?.url.map { ", at \($0)" } ?? ""
    if isTarget {
      return ContactSheetError(
        .inUse,
        "The backup's folder “\(folder.path)” is in use by ContactSheet (\(who)\(address)), perhaps by another backup. Wait until it"
          + " has ended, or name another folder for the backup.")
    }
    return ContactSheetError(
      .inUse,
      "The data folder “\(folder.path)” is already in use by ContactSheet (\(who)\(address))."
        + " Stop that one first, or choose another folder with --data.")
  }
}

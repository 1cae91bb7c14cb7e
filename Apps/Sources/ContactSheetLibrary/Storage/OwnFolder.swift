#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of ContactSheet's own that is held open: what is removed is removed there, also where its path leads elsewhere
/// meanwhile. Its calls block.
final class OwnFolder: Sendable {
  private let descriptor: CInt

  /// Opens a folder, and follows no link in its place.
  ///
  /// - Throws: `SystemError` where it is a link, no folder, or cannot be read.
  convenience init(_ path: String) throws(SystemError) { try self.init(path, in: AT_FDCWD) }

  private init(_ path: String, in folder: CInt) throws(SystemError) {
    descriptor = openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open") }
  }

  deinit { close(descriptor) }

  /// The names in the folder, without `.` and `..`; none where it cannot be read.
  var names: [String] {
    // Listing closes what it lists.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let folder = fdopendir(copy) else {
      close(copy)
      return []
    }
    return Files.names(in: folder)
  }

  /// Removes a file or a link, or a folder with all that is in it. What cannot be removed stays.
  func remove(_ name: String) {
    guard unlinkat(descriptor, name, 0) != 0 else { return }
    guard let folder = try? OwnFolder(name, in: descriptor) else { return }
    for name in folder.names { folder.remove(name) }
    _ = unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}

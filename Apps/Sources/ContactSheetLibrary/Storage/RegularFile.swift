import CVipsShim
package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Files {
  /// Opens a file to read it, and refuses pipes, devices and folders: to open or read one of these may wait for ever.
  ///
  /// - Returns: The system's number for the file, which the caller closes.
  static func openRegular(_ path: String) throws(SystemError) -> CInt {
    // Without waiting: to open a pipe ends when somebody writes to it.
    let descriptor = PathBytes.with(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .last("open") }
    guard cs_is_regular(descriptor) != 0 else {
      close(descriptor)
      throw .notRegular
    }
    return descriptor
  }

  /// Opens a file that ContactSheet keeps for itself, and refuses whatever else has its name: links, too, since what they lead
  /// to is not ContactSheet's to lock or to write.
  ///
  /// - Parameter flags: How it is opened. A file that is made is its owner's alone.
  /// - Returns: The system's number for the file, which the caller closes.
  static func openOwn(_ path: String, _ flags: CInt = O_RDWR | O_CREAT) throws(SystemError) -> CInt {
    let descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      let failure = SystemError.last("open")
      if cs_is_no_file(path) != 0 { throw .notRegular }
      throw failure
    }
    guard cs_is_regular(descriptor) != 0 else {
      close(descriptor)
      throw .notRegular
    }
    return descriptor
  }

  /// Returns whether a path names a folder and no link to one, or nothing yet.
  static func isOwnFolder(_ path: String) -> Bool {
    cs_is_folder(path) != 0 || !isTaken(path)
  }

  /// Returns whether a name is taken by anything, also by a link that leads nowhere.
  static func isTaken(_ path: String) -> Bool { cs_is_no_file(path) != 0 || access(path, F_OK) == 0 }

  /// Opens a regular file to read it; `nil` where there is none.
  package static func handle(_ path: String) -> FileHandle? {
    guard let descriptor = try? openRegular(path) else { return nil }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The most bytes of a file that ContactSheet keeps for itself: a thousand sessions take a tenth of it.
  static let maximumOwnLength = 1 << 20

  /// Returns the bytes of a small file that ContactSheet keeps for itself. Whoever made it as long as the disk gets it read no further
  /// than the limit.
  ///
  /// - Throws: `SystemError.tooLong` where it has more bytes than the limit; `SystemError` where there is none, or it cannot be
  ///   read.
  package static func ownContents(_ path: String, upTo limit: Int = maximumOwnLength) throws(SystemError)
    -> Data
  {
    let file = try OpenFile(reading: path)
    guard file.size <= limit else { throw .tooLong }
    // It may have grown since.
    let bytes = file.bytes(at: 0, count: min(file.size, limit))
    return Data(bytes)
  }

  /// Returns the path of a file or folder without links; `nil` where there is none.
  static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns whether two paths lead to the same file or folder, by whatever links.
  static func areOne(_ path: String, _ other: String) -> Bool { cs_are_one(path, other) != 0 }
}

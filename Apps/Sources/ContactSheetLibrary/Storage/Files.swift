import CVipsShim
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calls of the operating system that storing needs, with their errors as values.
package enum Files {
  /// Makes a folder that is its owner's alone; one that is there already is fine.
  static func makeFolder(_ path: String, withParents: Bool = false) throws(SystemError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    if errno == ENOENT, withParents, let slash = path.lastByte(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]), withParents: true)
      if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    }
    throw .last("mkdir")
  }

  /// Makes what a folder lists durable: the names in it, not the files' contents.
  static func syncFolder(_ path: String) throws(SystemError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open") }
    defer { close(descriptor) }
    // Some file systems cannot sync a folder and say so with EINVAL; they keep no promise to break.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("fsync") }
  }

  /// Makes the content of a file durable.
  static func sync(_ path: String) throws(SystemError) {
    let descriptor = try openRegular(path)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last("fsync") }
  }

  static func rename(_ from: String, to: String) throws(SystemError) {
    #if canImport(Glibc)
      let result = Glibc.rename(from, to)
    #elseif canImport(Musl)
      let result = Musl.rename(from, to)
    #else
      let result = Darwin.rename(from, to)
    #endif
    guard result == 0 else { throw .last("rename") }
  }

  /// Gives a file a second name.
  ///
  /// - Returns: `false` where the second name is taken.
  @discardableResult
  static func link(_ from: String, to: String) throws(SystemError) -> Bool {
    #if canImport(Glibc)
      let result = Glibc.link(from, to)
    #elseif canImport(Musl)
      let result = Musl.link(from, to)
    #else
      let result = Darwin.link(from, to)
    #endif
    if result == 0 { return true }
    if errno == EEXIST { return false }
    throw .last("link")
  }

  /// Removes a file; one that is not there is fine.
  static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink") }
  }

  /// Returns the first of `path`, `path-2`, `path-3` … that no file has, also with any of the endings behind it.
  static func unused(_ path: String, with endings: [String] = [""]) -> String {
    var candidate = path
    var number = 2
    while endings.contains(where: { size(candidate + $0) != nil }) {
      candidate = "\(path)-\(number)"
      number += 1
    }
    return candidate
  }

  /// The size of a file, or `nil` where there is none.
  package static func size(_ path: String) -> Int? {
    let size = PathBytes.with(path, cs_file_size)
    return size < 0 ? nil : Int(clamping: size)
  }

  /// Returns how many bytes can still be written where a path is, or `nil` where the system does not say.
  static func freeSpace(_ path: String) -> Int? {
    let space = cs_free_space(parent(of: path))
    return space < 0 ? nil : Int(clamping: space)
  }

  /// Returns whether a disk has room for so many bytes and files where a path is; true where the system does not say.
  static func hasRoom(_ path: String, bytes: Int, files: Int) -> Bool {
    let count = cs_free_files(parent(of: path))
    return freeSpace(path) ?? .max >= bytes && (count < 0 || count >= files)
  }

  /// The path of the folder that a path is in.
  static func parent(of path: String) -> String {
    let folder = path.lastByte(of: "/").map { String(path[..<$0]) } ?? "."
    return folder.isEmpty ? "/" : folder
  }

  /// Returns whether two files hold the same bytes. One that cannot be read is the same as no other.
  static func areSame(_ path: String, _ other: String) -> Bool {
    guard let one = Files.handle(path), let two = Files.handle(other) else {
      return false
    }
    defer {
      try? one.close()
      try? two.close()
    }
    while true {
      guard let left = try? one.read(upToCount: 1 << 20) ?? Data(),
        let right = try? two.read(upToCount: 1 << 20) ?? Data(), left == right
      else { return false }
      if left.isEmpty { return true }
    }
  }

  /// Returns the stamp that tells a file from the one that was there before, or `nil` where there is none.
  static func stamp(_ path: String) -> FileStamp? {
    var stamp = cs_stamp()
    guard cs_file_stamp(path, &stamp) == 0 else { return nil }
    return FileStamp(
      device: stamp.device, inode: stamp.inode, size: stamp.size, seconds: stamp.seconds,
      nanoseconds: stamp.nanoseconds)
  }

  /// Writes a file that only its owner can read; who reads it meanwhile sees the old one or the new one whole.
  static func writePrivately(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let temporary = path + ".new"
    try remove(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last("open") }
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    var failure: SystemError? = count == bytes.count ? nil : .last("write")
    if failure == nil, fsync(descriptor) != 0 { failure = .last("fsync") }
    close(descriptor)
    if let failure {
      try? remove(temporary)
      throw failure
    }
    try rename(temporary, to: path)
  }

  #if canImport(Darwin)
    typealias Stream = UnsafeMutablePointer<DIR>
  #else
    typealias Stream = OpaquePointer
  #endif

  /// The names in a folder, without `.` and `..`; none where it cannot be read.
  static func names(in path: String) -> [String] {
    PathBytes.with(path) { opendir($0) }.map { names(in: $0) } ?? []
  }

  /// The names in a folder that is being listed, without `.` and `..`; closes it.
  static func names(in folder: Stream) -> [String] {
    var names: [String] = []
    _ = list(folder) { names.append($0) }
    return names
  }

  /// Lists the names in a folder, without `.` and `..`, and closes it.
  ///
  /// - Returns: The number of the error by which the list ended too early; 0 where it did not.
  static func list(_ folder: Stream, _ body: (String) -> Void) -> Int32 {
    defer { closedir(folder) }
    errno = 0
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { start in
          PathBytes.text(
            UnsafeBufferPointer(
              start: start, count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))))
        }
      }
      if name != "." && name != ".." { body(name) }
      errno = 0
    }
    return errno
  }
}

/// A stamp that tells a file from another of the same name.
struct FileStamp: Sendable, Hashable {
  var device: Int64
  var inode: Int64
  var size: Int64
  var seconds: Int64
  var nanoseconds: Int64

  /// Returns whether two stamps are of one file, whatever was written to it between.
  func isSameFile(as other: FileStamp?) -> Bool { device == other?.device && inode == other?.inode }
}

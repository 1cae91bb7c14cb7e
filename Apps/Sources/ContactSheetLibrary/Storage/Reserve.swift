import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file without meaning that sets disk space aside, for when the disk is full and the trash is to be emptied,
/// which has to write before it can delete.
///
/// While it is used up nothing else is written: what was set aside would be gone for a title or a move.
final class Reserve: Sendable {
  /// The size in bytes: enough for the journal of a database, for its index in shared memory, and for a few small
  /// files.
  static let size = 1 << 20

  private let folder: DataFolder
  private let isUsed = Mutex(false)

  init(_ folder: DataFolder) { self.folder = folder }

  /// Whether it has been given up and could not be set aside again.
  var isUsedUp: Bool { isUsed.withLock { $0 } }

  /// Sets the space aside, if it is not yet. Blocks.
  ///
  /// - Returns: Whether it is.
  @discardableResult
  func fill() -> Bool {
    isUsed.withLock { isUsed in
      isUsed = Files.size(folder.reserve) != Self.size && !write()
      return !isUsed
    }
  }

  /// Frees the space; where none was set aside, as in folders of older versions, removes as much of the previews and then
  /// of the thumbnails, which can be made again. Blocks.
  ///
  /// - Returns: Whether there was anything to give up.
  @discardableResult
  func release() -> Bool {
    isUsed.withLock { isUsed in
      isUsed = true
      if Files.size(folder.reserve) != nil, (try? Files.remove(folder.reserve)) != nil { return true }
      var freed = 0
      for part in [folder.previews, folder.thumbnails] {
        for name in Files.tree(part) where freed < Self.size {
          guard let size = Files.size("\(part)/\(name)"), (try? Files.remove("\(part)/\(name)")) != nil else {
            continue
          }
          freed += max(1, size)
        }
      }
      return freed > 0
    }
  }

  private func write() -> Bool {
    let temporary = folder.reserve + ".new"
    // Left by a process that was killed.
    try? Files.remove(temporary)
    guard let descriptor = try? Files.openOwn(temporary, O_WRONLY | O_CREAT | O_EXCL) else { return false }
    // No zeros: some file systems keep no room for them.
    var state: UInt64 = 88_172_645_463_325_252
    var words = ContiguousArray(repeating: UInt64(0), count: Self.size / 8)
    var next = 0
    // Each start writes it: a closure for each word would take a tenth of the start of a debug build.
    while next < words.count {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      words[next] = state
      next += 1
    }
    let isWritten = words.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Self.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    let isDurable = isWritten && fsync(descriptor) == 0
    close(descriptor)
    if isDurable, (try? Files.rename(temporary, to: folder.reserve)) != nil { return true }
    try? Files.remove(temporary)
    return false
  }

  private static func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}

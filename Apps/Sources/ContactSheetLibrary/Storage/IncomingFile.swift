import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file on its way in: written to a temporary name while its hash is taken. Its calls block.
final class IncomingFile: Sendable {
  /// The file when it is complete.
  struct Received: Sendable {
    /// Its temporary name.
    var path: String
    var hash: ContentHash
    var byteCount: Int
    /// Its CRC-32.
    var checksum: UInt32
    /// Its first bytes.
    var head: [UInt8]
  }

  private struct State: ~Copyable {
    var hasher = SHA256()
    var byteCount = 0
    var checksum = CRC32()
    var head: [UInt8] = []
    var isOpen = true
  }

  let path: String
  private let folder: String
  private let name: String
  private let byteLimit: Int
  private let descriptor: CInt
  private let state = Mutex(State())

  /// Opens a new file in the folder's `incoming/`.
  ///
  /// - Parameters:
  ///   - name: The name by which messages call the file.
  ///   - byteLimit: How many bytes are too many.
  init(in folder: DataFolder, named name: String, byteLimit: Int) throws(ContactSheetError) {
    path = folder.temporary("part")
    self.folder = folder.incoming
    self.name = name
    self.byteLimit = byteLimit
    var opened = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // Somebody has cleared up too much; nothing of it is missed.
    if opened < 0, errno == ENOENT, Files.isTaken(folder.path),
      (try? Files.makeFolder(folder.incoming)) != nil
    {
      opened = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    descriptor = opened
    guard descriptor >= 0 else { throw .writing(folder.incoming, .last("open")) }
  }

  deinit { if state.withLock({ $0.isOpen }) { close(descriptor) } }

  /// Adds bytes at the end.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ContactSheetError) {
    try state.withLock { (state) throws(ContactSheetError) in
      guard state.byteCount + bytes.count <= byteLimit else {
        throw ContactSheetError(
          .tooLarge,
          "“\(name)” is larger than the limit of \(byteLimit >> 20) MB. Make it smaller, or raise the limit"
            + " with --max-megabytes.")
      }
      if state.head.count < 16 { state.head += bytes.prefix(16 - state.head.count) }
      state.hasher.update(bytes)
      state.byteCount += bytes.count
      state.checksum.update(bytes)
      var rest = bytes
      while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw .writing(folder, .last("write")) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// Ends the writing and says what came. The content is not durable before `sync`.
  func finish() throws(ContactSheetError) -> Received {
    let received = state.withLock { state in
      Received(
        path: path, hash: ContentHash(digest: state.hasher.finish()), byteCount: state.byteCount,
        checksum: state.checksum.value, head: state.head)
    }
    guard received.byteCount > 0 else {
      throw ContactSheetError(.empty, "“\(name)” is empty: it has no bytes. Copy it again.")
    }
    return received
  }

  /// Makes the content durable and closes the file.
  func sync() throws(ContactSheetError) {
    let result = fsync(descriptor)
    let failure = SystemError.last("fsync")
    state.withLock { state in
      state.isOpen = false
      close(descriptor)
    }
    guard result == 0 else { throw .writing(folder, failure) }
  }

  /// Removes the temporary file.
  func discard() { try? Files.remove(path) }
}

extension IncomingFile {
  /// Copies a file of the user's in, taking its hash on the way.
  static func copy(
    of source: String, into folder: DataFolder, named name: String, byteLimit: Int
  ) throws(ContactSheetError) -> (IncomingFile, Received) {
    let descriptor: CInt
    do throws(SystemError) { descriptor = try Files.openRegular(source) } catch {
      throw .reading(source, error)
    }
    defer { close(descriptor) }
    let file = try IncomingFile(in: folder, named: name, byteLimit: byteLimit)
    do throws(ContactSheetError) {
      let size = 1 << 20
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
      defer { buffer.deallocate() }
      while true {
        let count = read(descriptor, buffer.baseAddress, size)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw .reading(source, .last("read")) }
        if count == 0 { break }
        try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      return (file, try file.finish())
    } catch {
      file.discard()
      throw error
    }
  }
}

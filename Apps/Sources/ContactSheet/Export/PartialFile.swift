import CVipsShim
public import NIOCore

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
/// A program that is ended meanwhile leaves a file that begins with `.contact-sheet-`.
public final class PartialFile {
  private let path: String
  private let partial: String
  private var descriptor: CInt

  /// Begins to write a file.
  ///
  /// - Parameters:
  ///   - path: The file, which is replaced if it exists.
  ///   - folder: The data folder, in which no file of the user's is written.
  /// - Throws: `ContactSheetError` that names the file and says why it cannot be written there: where it is a folder, a link, a pipe or a
  ///   device, or lies in the data folder, and where its own folder does not exist.
  public init(_ path: String, outside folder: DataFolder) throws(ContactSheetError) {
    self.path = path
    let absolute = DataFolder(path: path).path
    let parent = Files.parent(of: absolute)
    // Two that write the same file must not write into each other's.
    partial = "\(parent)/.contact-sheet-\(UInt64.random(in: .min ... .max)).part"
    try Self.checkIsFile(path)
    if Files.lies(parent, below: folder.path) {
      throw Self.refusal(path, "it lies in the data folder “\(folder.path)”. Name a file outside of it")
    }
    if access(path, F_OK) != 0, errno == ENAMETOOLONG {
      throw Self.refusal(path, "\(SystemError.last("access").reason). Choose another name")
    }
    // As private as photos are, unless a file that is there was opened to others.
    descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor < 0 else {
      let mode = cs_file_mode(absolute)
      if mode >= 0 { fchmod(descriptor, mode_t(mode)) }
      return
    }
    let failure = SystemError.last("open")
    switch failure.number {
    case ENOENT:
      throw Self.refusal(path, "there is no folder “\(parent)”. Make it, or choose another place")
    case ENOSPC, EDQUOT: throw .writing(path, failure)
    default: throw Self.refusal(path, "\(failure.reason). Choose another place", cause: failure)
    }
  }

  /// Throws where a path names something else than a file. What a link leads to may be anywhere, and is not replaced either.
  private static func checkIsFile(_ path: String) throws(ContactSheetError) {
    if path.isEmpty || path.endsExactly(with: "/") || cs_is_folder(path) != 0
      || cs_is_link_to_folder(path) != 0
    {
      throw refusal(path, "it is a folder. Name a file in it")
    }
    if cs_is_no_file(path) != 0 {
      throw refusal(path, "it is a link, a pipe or a device, and no file. Choose another name")
    }
  }

  deinit { discard() }

  /// Adds bytes at the end.
  ///
  /// - Throws: `ContactSheetError` that names the file.
  public func append(_ bytes: ByteBuffer) throws(ContactSheetError) {
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
    if let failure { throw .writing(path, failure) }
  }

  /// Makes the content durable, and gives the file its name.
  ///
  /// - Throws: `ContactSheetError` that names the file; what had the name before is still there then.
  public func finish() throws(ContactSheetError) {
    // Somebody may have put something else there meanwhile. The system itself replaces no folder by a file.
    try Self.checkIsFile(path)
    do throws(SystemError) {
      guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("fsync") }
      try Files.rename(partial, to: path)
      try Files.syncFolder(Files.parent(of: partial))
    } catch {
      throw .writing(path, error)
    }
    close(descriptor)
    descriptor = -1
  }

  /// Takes away what was written, unless the file has its name already.
  public func discard() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    try? Files.remove(partial)
  }

  private static func refusal(_ path: String, _ reason: String, cause: SystemError? = nil)
    -> ContactSheetError
  {
    ContactSheetError(
      .readOnly, "“\(path)” cannot be written: \(reason).", cause: cause.map { "\($0.call): \($0.reason)" })
  }
}

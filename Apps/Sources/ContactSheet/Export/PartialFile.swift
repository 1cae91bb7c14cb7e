import CVipsShim
public import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that a user names to be written: it is written beside it under the same name with `.part` behind, and takes its name when it is whole. What
/// had the name before stays until then. Its calls block.
public final class PartialFile {
  private let path: String
  private let partial: String
  private var descriptor: CInt

  /// Begins to write a file.
  ///
  /// - Parameter path: The file, which is replaced if it exists.
  /// - Throws: `ContactSheetError` that names the file and says why it cannot be written there: where it is a folder or a device, where its
  ///   folder does not exist, and where something that is no file has the name that is written to.
  public init(_ path: String) throws(ContactSheetError) {
    (self.path, partial) = (path, path + ".part")
    if cs_is_folder(path) != 0 || cs_is_link_to_folder(path) != 0 {
      throw Self.refusal(path, "it is a folder. Name a file in it")
    }
    if access(path, F_OK) == 0, Files.size(path) == nil {
      throw Self.refusal(path, "it is a pipe or a device, and no file. Choose another name")
    }
    if cs_is_no_file(partial) != 0 {
      throw Self.refusal(
        path,
        "it is written as “\(partial)” first, which is a link, a folder, a pipe or a device. Take that away")
    }
    // What an export that was cut off has left.
    _ = unlink(partial)
    descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor < 0 else { return }
    let failure = SystemError.last("open")
    switch failure.number {
    case ENOENT:
      throw Self.refusal(
        path, "there is no folder “\(Files.parent(of: path))”. Make it, or choose another place")
    case ENOSPC, EDQUOT: throw .writing(path, failure)
    default: throw Self.refusal(path, "\(failure.reason). Choose another place", cause: failure)
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
    do throws(SystemError) {
      guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last("fsync") }
      try Files.rename(partial, to: path)
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

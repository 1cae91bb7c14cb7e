import CVipsShim
package import NIOCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file, which is closed with its last reference. Decoders get files in this form, since a confined process cannot
/// open files by name.
package final class OpenFile: Sendable {
  /// The system's number for the file.
  let descriptor: CInt

  /// Takes over a descriptor that is open.
  init(descriptor: CInt) { self.descriptor = descriptor }

  /// Opens a file to read it.
  ///
  /// - Throws: `SystemError.notRegular` where it is a pipe, a device or a folder.
  package init(reading path: String) throws(SystemError) { descriptor = try Files.openRegular(path) }

  /// Opens a file to write it anew; it is its owner's alone where it has to be made.
  init(writing path: String) throws(SystemError) {
    // Emptied when it is known to be nobody else's.
    let opened = try Files.openOwn(path, O_WRONLY | O_CREAT)
    let failure: SystemError? =
      cs_open_name_count(opened) > 1 ? .linked : ftruncate(opened, 0) == 0 ? nil : .last("ftruncate")
    if let failure {
      close(opened)
      throw failure
    }
    descriptor = opened
  }

  /// Opens a file without changing it, making an empty one that is its owner's alone where there is none.
  ///
  /// - Throws: `SystemError.notRegular` where it is a pipe, a device or a folder.
  init(appendingTo path: String) throws(SystemError) {
    // Without waiting, as in `Files.openRegular`.
    let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard opened >= 0 else { throw errno == EISDIR || errno == ENXIO ? .notRegular : .last("open") }
    guard cs_is_regular(opened) != 0 else {
      close(opened)
      throw .notRegular
    }
    descriptor = opened
  }

  /// Makes an empty file that is its owner's alone: a database that SQLite makes by itself can be read by others.
  static func make(_ path: String) throws(ContactSheetError) {
    do throws(SystemError) { _ = try OpenFile(appendingTo: path) } catch { throw .writing(path, error) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The length of the file in bytes; 0 where the system does not say.
  var size: Int { max(0, Int(lseek(descriptor, 0, SEEK_END))) }

  /// Bytes at an offset; fewer where the file ends before.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset)) }
    return read == count ? bytes : Array(bytes.prefix(max(0, read)))
  }

  /// Bytes at an offset, to be sent; fewer where the file ends before, or cannot be read.
  package func buffer(at offset: Int, count: Int) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
      var read = 0
      repeat {
        read = pread(descriptor, target.baseAddress, count, off_t(offset))
      } while read < 0 && errno == EINTR
      return max(0, read)
    }
    return buffer
  }
}

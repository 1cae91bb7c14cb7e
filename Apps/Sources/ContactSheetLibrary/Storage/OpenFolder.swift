import CVipsShim

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder that is held open, so that it can be told from another one that has taken its name.
final class OpenFolder: Sendable {
  private let path: String
  /// Negative where the folder could not be opened.
  private let descriptor: CInt

  init(_ path: String) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A Boolean value that indicates whether the path leads to the folder still; true where the folder could not be opened.
  var isInPlace: Bool { descriptor < 0 || cs_is_at(descriptor, path) != 0 }

  /// Throws where the path leads elsewhere by now: rows would go to the one folder and files to the other.
  func checkIsInPlace() throws(ContactSheetError) {
    guard !isInPlace else { return }
    throw ContactSheetError(
      .storage,
      "The data folder “\(path)” was moved away or replaced while ContactSheet used it, and nothing was changed. Start ContactSheet"
        + " again.")
  }
}

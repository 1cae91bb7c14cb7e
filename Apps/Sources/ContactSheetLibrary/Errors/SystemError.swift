import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A failed call of the operating system.
package struct SystemError: Error, Sendable, Hashable {
  /// The number that the system gave.
  let number: Int32
  /// The call that failed.
  let call: String

  /// Takes the number of the call that failed last on this thread.
  static func last(_ call: String) -> SystemError { SystemError(number: errno, call: call) }

  /// The failure to read a pipe, a device or a folder as if it were a file.
  static let notRegular = SystemError(number: 0, call: "open")

  /// The failure to write to a file that has other names, too.
  static let linked = SystemError(number: EMLINK, call: "open")

  /// The failure to read a file that is longer than its kind can be.
  static let tooLong = SystemError(number: EFBIG, call: "read")

  /// The failure to use as a folder what is a link or no folder.
  static let notFolder = SystemError(number: 0, call: "opendir")

  /// The system's words for the number.
  var reason: String {
    if self == .notRegular { return "it is no regular file" }
    if self == .notFolder { return "it is a link, or no folder" }
    return strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}

extension ContactSheetError {
  /// Says which path could not be written, and why, in the user's terms.
  static func writing(_ path: String, _ error: SystemError) -> ContactSheetError {
    let cause = "\(error.call): \(error.reason)"
    if error == .notRegular {
      return ContactSheetError(
        .storage,
        "“\(path)” is a link, a pipe, a device or a folder, where ContactSheet keeps a file of its own. Take it away and try"
          + " again.",
        cause: cause)
    }
    if error == .linked {
      return ContactSheetError(
        .storage,
        "“\(path)” has other names, too (hard links), where ContactSheet keeps a file of its own. Take it away and try again.",
        cause: cause)
    }
    if error == .notFolder {
      return ContactSheetError(
        .storage,
        "“\(path)” is a link, or no folder, where ContactSheet keeps a folder of its own. Take it away and try again.",
        cause: cause)
    }
    switch error.number {
    case ENOSPC, EDQUOT:
      return ContactSheetError(
        .diskFull, "The disk that holds “\(path)” is full. Make room and try again.", cause: cause)
    case EROFS, EACCES, EPERM:
      return ContactSheetError(
        .readOnly,
        "“\(path)” cannot be written. Give ContactSheet the right to write there, or choose another data folder.",
        cause: cause)
    case EFBIG:
      return ContactSheetError(
        .storage,
        "“\(path)” could not be written. "
          + (SystemLimits.fileSizeAdvice ?? "The disk does not take files of that length."), cause: cause)
    default:
      return ContactSheetError(.storage, "“\(path)” could not be written: \(error.reason).", cause: cause)
    }
  }

  /// Says which path could not be read, and why.
  static func reading(_ path: String, _ error: SystemError) -> ContactSheetError {
    ContactSheetError(
      .unreadable, "“\(PathBytes.shown(path))” could not be read: \(error.reason).",
      cause: "\(error.call): \(error.reason)")
  }
}

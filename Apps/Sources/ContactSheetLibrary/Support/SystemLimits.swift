import CProcessShim
import Foundation

/// The resources that the system has to give this process, so that it works.
///
/// Below that it does not fail, but hangs or is ended: Swift's runtime tries again each second, for ever, to start a thread that finds no
/// room, and memory that is refused in the middle of things ends the process. So all of it is asked for before anything begins.
package enum SystemLimits {
  private static let processors = ProcessInfo.processInfo.processorCount

  /// The address space that is needed, in bytes: each processor has its threads, and each of them a stack and memory of its own. A
  /// server on two processors takes 1.2 GB of it idle and 1.4 GB with uploads, and cannot work with less than 1 GB.
  static let addressSpace = UInt64((1536 + 64 * processors) << 20)
  /// The memory to write to that is needed, in bytes: the budgets of a server beyond what it takes idle, and the stacks.
  static let data = UInt64((400 + 32 * processors) << 20)
  /// The number of threads that are needed: those of the server, of SQLite's readers, and Swift's own.
  static let threads = 12 + 6 * processors

  /// The number of files that a command needs open at the same time: the database's, the lock's, two that are copied, a decoder's pipes.
  static let openFiles = 64

  /// Throws `ContactSheetError.Code.limited` where the system gives too little, with the limit and what is needed.
  package static func check() throws(ContactSheetError) {
    try check(cs_address_space_limit(), addressSpace, "address space", "ulimit -v")
    try check(cs_data_limit(), data, "memory", "ulimit -d")
    // SQLite calls a database damaged, and a file unreadable, where it is only one too many.
    guard cs_open_file_limit() >= openFiles else {
      throw ContactSheetError(
        .limited,
        "Only \(cs_open_file_limit()) files may be open at the same time, and ContactSheet needs \(openFiles)."
          + " Raise the limit with “ulimit -n 1024” before you start it.")
    }
    // Of threads the limit is the user's or the container's for all programs together, so that only trying shows what is left.
    guard cs_can_start_threads(threads) != 0 else {
      throw ContactSheetError(
        .limited,
        "ContactSheet cannot start \(threads) threads, which it needs. Raise the limit for all programs of this user (“ulimit -u”)"
          + " or of the container before you start it.")
    }
  }

  private static func check(
    _ limit: UInt64, _ needed: UInt64, _ what: String, _ command: String
  ) throws(ContactSheetError) {
    guard limit < needed else { return }
    throw ContactSheetError(
      .limited,
      "Only \(limit >> 10) kB of \(what) are permitted, and ContactSheet needs \(needed >> 10)."
        + " Raise the limit with “\(command) \(needed >> 10)” before you start it.")
  }

  /// Advice to add to the failure to make a file longer, where the system limits the length of files; `nil` where it does not.
  static var fileSizeAdvice: String? {
    let limit = cs_file_size_limit()
    guard limit != .max else { return nil }
    return
      "No file may be longer than \(limit >> 10) kB. Raise the limit with “ulimit -f unlimited” and try again."
  }
}

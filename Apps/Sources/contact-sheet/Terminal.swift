import ContactSheet
import ContactSheetLibrary
import Foundation
import Logging

/// Lines for the person at the terminal.
struct Terminal: Sendable {
  static let standardOutput = Terminal(handle: .standardOutput)
  static let standardError = Terminal(handle: .standardError)

  let handle: FileHandle

  /// Whether somebody reads along.
  var isInteractive: Bool { isatty(handle.fileDescriptor) == 1 }

  /// Whether somebody can be asked.
  static var standardInputIsInteractive: Bool { isatty(FileHandle.standardInput.fileDescriptor) == 1 }

  /// Writes a line, without the characters that terminals obey: what it says may come from a file.
  func line(_ text: String) { write(Self.harmless(text)) }

  /// Writes a line of a list, which is what the command is for: other programs may go on with it, so it is whole or fails.
  ///
  /// - Throws: `ContactSheetError` where the line could not be written. A reader that is gone had enough, and is no error.
  func item(_ text: String) throws(ContactSheetError) {
    var rest = Array(Self.harmless(text).utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(handle.fileDescriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EPIPE { return }
      guard count > 0 else {
        let reason = String(cString: strerror(errno))
        throw ContactSheetError(.storage, "The list could not be written to its end: \(reason).")
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Opens standard input, output and error where they are closed, to nothing that can be read or written: the database would get
  /// one of their numbers otherwise, and the next line would be written into it.
  static func keepStandardDescriptors() {
    for descriptor in 0...2 as ClosedRange<CInt> where fcntl(descriptor, F_GETFD) < 0 {
      // The system gives the lowest number that is free.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  private static func harmless(_ text: String) -> String {
    var harmless = String.UnicodeScalarView()
    harmless.append(contentsOf: text.unicodeScalars.filter { !Self.isObeyed($0) })
    return String(harmless) + "\n"
  }

  /// Returns whether a character moves, colours or turns around what a terminal shows.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Writes text as it is. A reader that is gone is no error of ours.
  func write(_ text: String) { try? handle.write(contentsOf: Data(text.utf8)) }

  /// The server's log, on standard error. `LOG_LEVEL` sets how much is logged.
  static var logger: Logger {
    var logger = Logger(label: "contact-sheet") { StreamLogHandler.standardError(label: $0) }
    let level = ProcessInfo.processInfo.environment["LOG_LEVEL"]
    logger.logLevel = level.flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? .warning
    return logger
  }
}

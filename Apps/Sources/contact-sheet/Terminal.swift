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

  /// Writes a line.
  func line(_ text: String) { write(text + "\n") }

  /// Writes text as it is. A reader that is gone is no error of ours.
  func write(_ text: String) { try? handle.write(contentsOf: Data(text.utf8)) }

  /// What the server has to say, on standard error. `LOG_LEVEL` makes it say more.
  static var logger: Logger {
    var logger = Logger(label: "contact-sheet") { StreamLogHandler.standardError(label: $0) }
    let level = ProcessInfo.processInfo.environment["LOG_LEVEL"]
    logger.logLevel = level.flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? .warning
    return logger
  }
}

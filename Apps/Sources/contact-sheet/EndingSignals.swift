import ContactSheet
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Ends the server on SIGTERM and Ctrl-C: cleanly for those who are quick, in time for those who are not.
///
/// After the first signal no connection is accepted any more, and the server waits for answers that are under way;
/// after a few seconds their connections are closed, and a little later the process ends whatever still runs.
/// Everything that is stored is durable before it is confirmed, so nothing is lost by that. A second signal ends the
/// process at once.
struct EndingSignals: Sendable {
  private let server: WebServer
  private let group: ServiceGroup
  private let logger: Logger
  /// The time that answers under way are given after the first signal.
  private let patience: Duration = .seconds(4)
  /// The time from the first signal after which the process ends in any case.
  private let end: Duration = .seconds(9)
  private let signals: UnixSignalsSequence

  /// Traps the signals. From then on none ends the process by itself, so that whoever sees the server's address can end it cleanly.
  init(server: WebServer, group: ServiceGroup, logger: Logger) async {
    (self.server, self.group, self.logger) = (server, group, logger)
    signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
  }

  func listen() async {
    var hasBegun = false
    for await signal in signals {
      if hasBegun { Self.end(by: signal) }
      hasBegun = true
      await group.triggerGracefulShutdown()
      Task.detached { [server, logger, patience, end] in
        try await Task.sleep(for: patience)
        server.closeConnections()
        try await Task.sleep(for: end - patience)
        logger.warning("Something did not end in time")
        Self.end(by: signal)
      }
    }
  }

  /// The status that a shell gives to a process which a signal has ended.
  private static func end(by signal: UnixSignal) -> Never { Foundation.exit(128 + signal.rawValue) }
}

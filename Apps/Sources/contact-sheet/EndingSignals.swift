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
  let server: WebServer
  let group: ServiceGroup
  let logger: Logger
  /// The time that answers under way are given after the first signal.
  var patience: Duration = .seconds(4)
  /// The time from the first signal after which the process ends in any case.
  var end: Duration = .seconds(9)

  func listen() async {
    var hasBegun = false
    for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
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

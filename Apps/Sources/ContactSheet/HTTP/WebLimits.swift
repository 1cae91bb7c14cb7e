package import ContactSheetLibrary
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much time, and how many connections, the server gives to those who call it.
package struct WebLimits: Sendable, Hashable {
  /// After so long without a whole header, a piece of the body or a next request, a connection is closed; and
  /// after so long in which the other side takes nothing of what it asked for.
  package var idle: Duration = .seconds(60)
  /// The fewest bytes a second that a body may come with, on the average of the time that was spent waiting for it.
  package var slowestBytesPerSecond = 4096
  /// Time that a body may take whatever its speed.
  package var patience: Duration = .seconds(30)
  /// How many connections there may be at the same time; others wait until one is closed. So many take no more memory than
  /// `Security.md` promises, whatever they send.
  package var connections = 1024
  /// The most connections that one address may have at the same time. This machine and trusted proxies may have all of
  /// them.
  package var connectionsPerAddress = 128
  /// How many photos may be on their way in at the same time.
  package var uploads = 256
  /// The most photos that may be on their way in from one address at the same time.
  package var uploadsPerAddress = 64
  /// The memory that bodies of requests may take together, in bytes; as much again goes into decoding them.
  package var bodyMemory = 64 << 20
  /// The memory that answers may take together, in bytes, from before they are made until they have been taken.
  package var answerMemory = 32 << 20

  /// The most bytes of a body that are read and dropped after the answer, so that a browser which reads nothing before it has sent
  /// all gets the answer.
  package var dropped = 4 << 30
  /// The time that the other side has to take an answer after which the connection is closed.
  package var lingering: Duration = .seconds(2)

  /// Creates the usual limits.
  package init() {}

  /// The fewest files that have to be allowed open at the same time: the database, the decoders and the server need
  /// them.
  package static let minimumOpenFiles = 128

  /// The error for a server that may open too few files to start.
  package static func tooFewOpenFiles(_ count: Int) -> ContactSheetError {
    ContactSheetError(
      .addressUnavailable,
      "Only \(count) files may be open at the same time, and ContactSheet needs \(minimumOpenFiles)."
        + " Raise the limit with “ulimit -n 1024” before you start it.")
  }

  /// Lets this process open as many files as the system permits: each connection is one.
  ///
  /// - Returns: How many that are.
  package static func raiseOpenFiles() -> Int {
    #if os(Linux)
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let kind = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(kind, &limit) == 0 else { return 256 }
    let most = rlim_t(1 << 16)
    if limit.rlim_cur < most {
      var wanted = limit
      wanted.rlim_cur = min(limit.rlim_max, most)
      if setrlimit(kind, &wanted) == 0 { limit = wanted }
    }
    return Int(min(limit.rlim_cur, most))
  }
}

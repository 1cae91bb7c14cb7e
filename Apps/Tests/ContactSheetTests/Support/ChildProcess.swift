import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that a test starts.
///
/// Foundation's `Process` looks through the open files of this process before each start, and reads past the end of their list
/// where there are more than 1,300: while other tests held a thousand connections, that ended all of them now and then.
final class ChildProcess: Sendable {
  let pid: pid_t
  private let status = Mutex<CInt?>(nil)
  private let end = DispatchGroup()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The path of the program, which is not looked for elsewhere.
  ///   - arguments: Its arguments, without its own name.
  ///   - output: The descriptor that both of its outputs go to; `/dev/null` if there is none.
  init(_ program: String, _ arguments: [String], output: CInt? = nil) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard: CInt in [1, 2] {
      if let output {
        posix_spawn_file_actions_adddup2(&actions, output, standard)
      } else {
        posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_WRONLY, 0)
      }
    }
    // The connections of other tests would stay open as long as the program runs.
    for descriptor: CInt in 3..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    let strings = CStrings([program] + arguments)
    let environment = CStrings(ProcessInfo.processInfo.environment.map { "\($0)=\($1)" })
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, program, &actions, nil, strings.pointers, environment.pointers)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
    self.pid = pid
    end.enter()
    Thread.detachNewThread { [self] in takeEnd() }
  }

  private func takeEnd() {
    // First it is only waited for, so that the lock is held for a moment.
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    status.withLock {
      var status: CInt = 0
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      let signal = status & 0x7f
      $0 = signal == 0 ? status >> 8 & 0xff : signal
    }
    end.leave()
  }

  var isRunning: Bool { status.withLock { $0 == nil } }

  /// Sends a signal, if the process still runs.
  func signal(_ number: CInt) {
    // Within the lock: the number of a process whose end was taken may become another's.
    status.withLock { if $0 == nil { kill(pid, number) } }
  }

  /// Waits for the end and gives the exit status, or the signal that ended the process. Blocks.
  @discardableResult
  func waitUntilExit() -> CInt {
    end.wait()
    return status.withLock { $0! }
  }

  /// Waits for the end and gives the exit status, or the signal that ended the process.
  func wait() async -> CInt {
    await withCheckedContinuation { continuation in end.notify(queue: .global()) { continuation.resume() } }
    return waitUntilExit()
  }
}

/// Strings as C takes them: pointers, and `NULL` behind the last.
private final class CStrings {
  private(set) var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

  deinit { pointers.forEach { free($0) } }
}

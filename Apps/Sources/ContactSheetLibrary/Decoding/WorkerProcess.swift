import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One worker process and the socket to it. Used by one task at a time; its calls block.
struct WorkerProcess: Sendable {
  let pid: pid_t
  private let socket: CInt

  /// Starts a worker.
  ///
  /// - Parameters:
  ///   - executable: The program to run.
  ///   - arguments: Its arguments, without its own name.
  static func start(executable: String, arguments: [String]) throws(SystemError) -> WorkerProcess {
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, streamType, 0, &ends) == 0 else { throw .last("socketpair") }
    let (ours, theirs) = (ends[0], ends[1])
    _ = fcntl(ours, F_SETFD, FD_CLOEXEC)
    _ = fcntl(theirs, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      var on: CInt = 1
      setsockopt(ours, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<CInt>.size))
    #endif
    let (pid, failure) = spawn(executable, arguments, input: theirs)
    close(theirs)
    guard failure == 0 else {
      close(ours)
      throw SystemError(number: failure, call: "posix_spawn")
    }
    return WorkerProcess(pid: pid, socket: ours)
  }

  /// Sends a question with the file that it is about, and waits for the answer.
  ///
  /// - Throws: `Failure`; the worker is of no use after it and must be ended.
  func ask(_ question: WorkerQuestion, about file: OpenFile, seconds: Double) throws -> WorkerAnswer {
    var bytes = Array(try JSONEncoder().encode(question))
    bytes.append(UInt8(ascii: "\n"))
    guard SocketLines.send(bytes, with: file, through: socket) else { throw Failure.gone }
    return try answer(seconds: seconds)
  }

  /// Waits for an answer.
  func answer(seconds: Double) throws -> WorkerAnswer {
    try JSONDecoder().decode(WorkerAnswer.self, from: Data(try readLine(seconds: seconds)))
  }

  /// A failure to get an answer.
  enum Failure: Error {
    case gone
    case slow
  }

  private func readLine(seconds: Double) throws -> [UInt8] {
    let deadline = ContinuousClock.now + .seconds(seconds)
    var line: [UInt8] = []
    while true {
      let rest = deadline - ContinuousClock.now
      guard rest > .zero else { throw Failure.slow }
      let milliseconds = rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let ready = Self.poll(&poll, milliseconds: CInt(clamping: milliseconds + 1))
      if ready < 0 && errno == EINTR { continue }
      if ready < 0 { throw Failure.gone }
      if ready == 0 { throw Failure.slow }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = chunk.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { throw Failure.gone }
      line.append(contentsOf: chunk[..<count])
      if line.last == UInt8(ascii: "\n") { return line.dropLast() }
      if line.count > 1 << 20 { throw Failure.gone }
    }
  }

  private static func poll(_ descriptor: inout pollfd, milliseconds: CInt) -> CInt {
    #if canImport(Glibc)
      Glibc.poll(&descriptor, 1, milliseconds)
    #elseif canImport(Musl)
      Musl.poll(&descriptor, 1, milliseconds)
    #else
      Darwin.poll(&descriptor, 1, milliseconds)
    #endif
  }

  /// Ends the worker and takes its exit, so that no zombie stays.
  func end() {
    close(socket)
    kill(pid, SIGKILL)
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
  }

  private static var streamType: CInt {
    #if os(Linux)
      CInt(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }
}

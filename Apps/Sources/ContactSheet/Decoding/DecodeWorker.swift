import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a worker process answers to one request.
enum DecodeAnswer: Sendable, Codable {
  case image(DecodedImage)
  case refused(code: String, message: String, cause: String?)
}

/// The child's side of `WorkerDecoder`: reads requests from standard input, which is a socket, and answers on it.
///
/// One JSON object per line each way. The process ends when its parent closes the socket, however the
/// parent ended, or when a request takes longer than the time limit.
public enum DecodeWorker {
  /// The most memory that a worker may ask for, in bytes. A picture that wants more is refused, and the
  /// server does not notice.
  static let addressSpaceLimit: UInt64 = 6 << 30

  /// Serves requests until the parent hangs up.
  ///
  /// - Parameter secondsPerPicture: After this long with one picture the process ends itself.
  public static func run(secondsPerPicture: UInt32) {
    closeInherited()
    limitMemory()
    var lines = LineReader(descriptor: 0)
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    while let line = lines.next() {
      guard let request = try? decoder.decode(DecodeRequest.self, from: Data(line)) else { return }
      // The alarm's default action ends the process: a decoder that hangs cannot outlive a lost parent.
      _ = alarm(secondsPerPicture)
      let answer: DecodeAnswer
      do throws(ContactSheetError) {
        answer = .image(try request.run())
      } catch {
        answer = .refused(code: error.code.rawValue, message: error.message, cause: error.cause)
      }
      _ = alarm(0)
      guard var bytes = try? encoder.encode(answer) else { return }
      bytes.append(UInt8(ascii: "\n"))
      guard Self.write(Array(bytes)) else { return }
    }
  }

  private static func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(0, $0.baseAddress, $0.count, WorkerProcess.noSignal) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Closes what the parent had open without saying that it ends with it.
  private static func closeInherited() {
    for name in Files.names(in: "/dev/fd") {
      if let descriptor = CInt(name), descriptor > 2 { close(descriptor) }
    }
  }

  private static func limitMemory() {
    #if os(Linux)
      var limit = rlimit(rlim_cur: rlim_t(addressSpaceLimit), rlim_max: rlim_t(addressSpaceLimit))
      _ = setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #endif
  }
}

/// Splits what comes from a descriptor into lines, blocking while there is none.
struct LineReader {
  private let descriptor: CInt
  private var buffer: [UInt8] = []

  init(descriptor: CInt) { self.descriptor = descriptor }

  /// The next line without its end, or `nil` at the end of the stream.
  mutating func next() -> [UInt8]? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(buffer[..<end])
        buffer.removeSubrange(...end)
        return line
      }
      var chunk = [UInt8](repeating: 0, count: 16_384)
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 || buffer.count > 1 << 20 { return nil }
      buffer.append(contentsOf: chunk[..<count])
    }
  }
}

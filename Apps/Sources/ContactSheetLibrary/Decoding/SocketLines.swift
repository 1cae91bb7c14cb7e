import CProcessShim

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines through a socket, with a file beside a line where one is needed.
enum SocketLines {
  /// Sends bytes, and an open file with the first of them.
  ///
  /// - Returns: Whether all were sent.
  static func send(_ bytes: [UInt8], with file: OpenFile? = nil, through socket: CInt) -> Bool {
    var descriptor = file?.descriptor ?? -1
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { cs_send(socket, $0.baseAddress, $0.count, descriptor) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      descriptor = -1
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Splits what comes from a socket into lines, blocking while there is none.
struct LineReader {
  private let socket: CInt
  private var buffer: [UInt8] = []
  private var file: OpenFile?

  init(socket: CInt) { self.socket = socket }

  /// The next line without its end, and the file that came with it; `nil` at the end of the stream.
  mutating func next() -> (line: [UInt8], file: OpenFile?)? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(buffer[..<end])
        buffer.removeSubrange(...end)
        defer { file = nil }
        return (line, file)
      }
      var chunk = [UInt8](repeating: 0, count: 16_384)
      var descriptor: CInt = -1
      let count = chunk.withUnsafeMutableBytes { cs_receive(socket, $0.baseAddress, $0.count, &descriptor) }
      if descriptor >= 0 { file = OpenFile(descriptor: descriptor) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 || buffer.count > 1 << 20 { return nil }
      buffer.append(contentsOf: chunk[..<count])
    }
  }
}

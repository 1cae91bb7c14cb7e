import Foundation

/// The least of a web server: what any other one has as well, a request and a body that is written as it comes. For these
/// scenarios alone; it answers whoever asks, on this machine.
public enum TinyServer {
  /// A request without a body.
  public struct Request: Sendable {
    /// The path of the address.
    public let path: String
    /// The query of the address, as it was sent.
    public let query: String?
    fileprivate let headers: [String: String]

    /// The value of a header.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
  }

  /// The body of an answer. The first write sends the headers.
  public final class Body {
    private let connection: Int32
    private var hasBegun = false

    fileprivate init(_ connection: Int32) { self.connection = connection }

    /// Sends bytes.
    /// - Throws: When the reader has gone.
    public func write(_ bytes: some Sequence<UInt8>, type: String = "text/event-stream") throws {
      var data = Array(bytes)
      if !hasBegun {
        hasBegun = true
        data = Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n".utf8) + data
      }
      var rest = data[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw CancellationError() }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Serves until the task is cancelled, at a port that the system chooses. The port is printed.
  public static func run(_ answer: @escaping @Sendable (Request, Body) async throws -> Void) async throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw CocoaError(.fileNoSuchFile) }
    print("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
    let connections = AsyncStream<Int32> { continuation in
      Thread.detachNewThread {
        while true {
          let connection = accept(listener, nil, nil)
          guard connection >= 0 else { return continuation.finish() }
          continuation.yield(connection)
        }
      }
    }
    await withDiscardingTaskGroup { group in
      for await connection in connections {
        group.addTask {
          defer { close(connection) }
          guard let request = read(from: connection) else { return }
          try? await answer(request, Body(connection))
        }
      }
    }
  }

  private static func read(from connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0, bytes.count < 65_536 else { return nil }
      bytes += buffer[..<count]
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let parts = words[1].split(separator: "?", maxSplits: 1)
    let headers = lines.dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
    }
    return Request(
      path: String(parts.first ?? "/"), query: parts.count > 1 ? String(parts[1]) : nil,
      headers: Dictionary(headers) { first, _ in first })
  }
}

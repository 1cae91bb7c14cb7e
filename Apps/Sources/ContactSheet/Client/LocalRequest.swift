import ContactSheetLibrary
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// One request to a server on this machine: enough of an HTTP client for the command to speak to a running
/// ContactSheet. The body is streamed from a file.
struct LocalRequest: Sendable {
  enum Body: Sendable {
    case none
    case bytes([UInt8])
    case file(String)
  }

  struct Answer: Sendable {
    var status: Int
    var body: [UInt8]
  }

  var method: HTTPMethod
  /// The path and the query, encoded.
  var target: String
  var body: Body = .none
  var contentType = "application/octet-stream"
  /// The token that admits commands where there is a password.
  var token: String?
  /// Further fields of the head.
  var headers: HTTPHeaders = [:]

  /// Sends the request and waits for the whole answer.
  func send(host: String, port: Int) async throws -> Answer {
    typealias Wire = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>
    let wire: Wire
    do {
      wire = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: host, port: port) { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
          }
        }
    } catch {
      throw ContactSheetError(
        .unreachable, "ContactSheet does not answer at http://\(host):\(port), although it seems to run.",
        cause: "\(error)")
    }
    let length = try await bodyLength()
    var head = HTTPRequestHead(version: .http1_1, method: method, uri: target)
    head.headers = [
      "Host": "\(host.contains(":") ? "[\(host)]" : host):\(port)", "Content-Length": String(length),
      "Content-Type": contentType, "Connection": "close",
    ]
    head.headers.add(contentsOf: headers)
    if let token { head.headers.add(name: "Authorization", value: "Bearer \(token)") }
    let request = head
    return try await wire.executeThenClose { inbound, outbound in
      try await withThrowingTaskGroup(of: Void.self) { group in
        // A server that refuses a file may answer and hang up before it has read all of it: the answer
        // counts, not the failure to write.
        group.addTask { try? await self.write(request, to: outbound) }
        var answer: Answer?
        for try await part in inbound {
          switch part {
          case .head(let head): answer = Answer(status: Int(head.status.code), body: [])
          case .body(let bytes): answer?.body.append(contentsOf: bytes.readableBytesView)
          case .end: group.cancelAll()
          }
        }
        guard let answer else {
          throw ContactSheetError(
            .unreachable, "ContactSheet at http://\(host):\(port) ended before it answered.")
        }
        return answer
      }
    }
  }

  private func bodyLength() async throws -> Int {
    switch body {
    case .none: return 0
    case .bytes(let bytes): return bytes.count
    case .file(let path):
      guard let size = try await blocking({ Files.size(path) }) else {
        throw ContactSheetError(.unreadable, "“\(PathBytes.shown(path))” could not be read.")
      }
      return size
    }
  }

  private func write(
    _ head: HTTPRequestHead, to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
  ) async throws {
    try await outbound.write(.head(head))
    switch body {
    case .none: break
    case .bytes(let bytes): try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
    case .file(let path):
      guard let handle = Files.handle(path) else { return }
      defer { try? handle.close() }
      while let piece = try await blocking({ try handle.read(upToCount: 512 << 10) }), !piece.isEmpty {
        try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: piece))))
      }
    }
    try await outbound.write(.end(nil))
  }
}

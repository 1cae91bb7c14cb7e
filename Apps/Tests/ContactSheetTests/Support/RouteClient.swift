import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Speaks to a server's routes without a network.
///
/// HummingbirdTesting does the same, and brings an HTTP client with TLS and HTTP/2 for it that nothing else here needs: a third
/// of what `swift build --build-tests` compiled.
struct RouteClient: Sendable {
  /// The most bytes of a body that come as one part.
  private static let part = 32 << 10

  let responder: ServerPathResponder<RouterResponder<WebContext>>

  func send(
    _ method: HTTPRequest.Method, _ uri: String, headers: HTTPFields = [:], body: [UInt8]? = nil
  ) async throws -> RouteAnswer {
    var headers = headers
    if let body { headers[.contentLength] = String(body.count) }
    let bytes = body ?? []
    let parts = stride(from: 0, to: bytes.count, by: Self.part).map {
      ByteBuffer(bytes: bytes[$0..<min($0 + Self.part, bytes.count)])
    }
    let request = Request(
      head: HTTPRequest(
        method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers),
      body: RequestBody(
        asyncSequence: AsyncStream { continuation in
          for part in parts { continuation.yield(part) }
          continuation.finish()
        }))
    let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: .quiet)
    let response = try await responder.respond(to: request, context: WebContext(source: source))
    let written = WrittenBody()
    try await response.body.write(written)
    return RouteAnswer(status: response.status, headers: response.headers, body: await written.bytes)
  }

  /// Sends a form as a page of the server itself does.
  func send(
    _ uri: String, form: String, headers: HTTPFields = [.secFetchSite: "same-origin"]
  ) async throws -> RouteAnswer {
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await send(.post, uri, headers: headers, body: Array(form.utf8))
  }

  func send(_ method: HTTPRequest.Method, _ uri: String, json: String) async throws -> RouteAnswer {
    try await send(method, uri, headers: [.contentType: "application/json"], body: Array(json.utf8))
  }
}

/// The answer of a route.
struct RouteAnswer: Sendable {
  let status: HTTPResponse.Status
  let headers: HTTPFields
  let body: ByteBuffer

  var text: String { String(buffer: body) }

  func json() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any])
  }

  /// The value of a cookie that the answer sets, with its properties.
  func cookie(_ name: String) -> (value: String, properties: String)? {
    for line in headers[values: .setCookie] where line.hasPrefix(name + "=") {
      let parts = line.dropFirst(name.count + 1).split(
        separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    return nil
  }

  /// The code of the error that the answer carries.
  func errorCode() throws -> String? { try (json()["error"] as? [String: Any])?["code"] as? String }
}

/// Keeps what a response's body writes.
private actor WrittenBody: ResponseBodyWriter {
  private(set) var bytes = ByteBuffer()

  func write(_ buffer: ByteBuffer) { bytes.writeImmutableBuffer(buffer) }

  func finish(_ trailingHeaders: HTTPFields?) {}
}

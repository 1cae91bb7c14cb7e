import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import ContactSheet

/// A server over a fresh library, spoken to without a network.
struct TestServer {
  let folder: TestFolder
  let library: PhotoLibrary

  init(_ settings: Settings = Settings()) async throws {
    folder = try TestFolder()
    library = try await folder.library(settings)
  }

  /// Runs a test against the server and closes the library.
  func run(
    _ options: WebServer.Options = WebServer.Options(), live: Bool = false,
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let server = WebServer(library: library, options: options, logger: .quiet)
    let application = Application(router: try server.router(), logger: .quiet)
    try await application.test(live ? .live : .router) { try await body($0) }
    await library.close()
  }
}

extension TestClientProtocol {
  func send(
    _ method: HTTPRequest.Method, _ uri: String, headers: HTTPFields = [:], body: [UInt8]? = nil
  ) async throws -> TestResponse {
    try await execute(uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) })
  }

  func send(_ method: HTTPRequest.Method, _ uri: String, json: String) async throws -> TestResponse {
    try await send(method, uri, headers: [.contentType: "application/json"], body: Array(json.utf8))
  }
}

extension TestResponse {
  var text: String { String(buffer: body) }

  func json() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any])
  }

  /// The code of the error that the answer carries.
  func errorCode() throws -> String? { try (json()["error"] as? [String: Any])?["code"] as? String }
}

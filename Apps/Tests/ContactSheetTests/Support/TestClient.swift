import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOHTTP1
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
    _ options: WebServer.Options = WebServer.Options(), access: Access? = nil,
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let server = WebServer(library: library, options: options, access: access, logger: .quiet)
    let application = Application(responder: try server.responder(), logger: .quiet)
    try await application.test(.router) { try await body($0) }
    await library.close()
  }
}

extension TestServer {
  /// Runs a test against the server as others reach it, by the network; closes the library. However long an answer takes,
  /// it is waited for.
  ///
  /// - Parameter body: Gets what sends a form, and gives the status of the answer.
  func serve(
    _ options: WebServer.Options = WebServer.Options(), access: Access? = nil,
    _ body: (_ send: (_ path: String, _ form: String, _ headers: HTTPHeaders) async throws -> Int)
      async throws
      -> Void
  ) async throws {
    try await serve(
      options, access: access,
      to: { host, port in
        try await body { path, form, headers in
          var request = LocalRequest(method: .POST, target: path, body: .bytes(Array(form.utf8)))
          request.contentType = "application/x-www-form-urlencoded"
          request.headers = headers
          request.headers.add(name: "Sec-Fetch-Site", value: "same-origin")
          return try await request.send(host: host, port: port).status
        }
      })
  }

  /// Runs a test against the server as others reach it, by the network; closes the library.
  ///
  /// - Parameter body: Gets the server's address and port.
  func serve(
    _ options: WebServer.Options = WebServer.Options(), access: Access? = nil,
    to body: (_ host: String, _ port: Int) async throws -> Void
  ) async throws {
    var options = options
    options.port = 0
    let server = WebServer(library: library, options: options, access: access, logger: .quiet)
    let (urls, running) = AsyncStream.makeStream(of: String.self)
    let serving = Task {
      // A server that does not start must not be waited for.
      defer { running.finish() }
      try await server.run { running.yield($0) }
    }
    do {
      let url = try #require(await urls.first { _ in true }.flatMap { URLComponents(string: $0) })
      try await body(try #require(url.host), try #require(url.port))
    } catch {
      serving.cancel()
      throw error
    }
    serving.cancel()
    _ = try? await serving.value
    await library.close()
  }
}

extension TestClientProtocol {
  func send(
    _ method: HTTPRequest.Method, _ uri: String, headers: HTTPFields = [:], body: [UInt8]? = nil
  ) async throws -> TestResponse {
    try await execute(uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(bytes: $0) })
  }

  /// Sends a form as a page of the server itself does.
  func send(
    _ uri: String, form: String, headers: HTTPFields = [.secFetchSite: "same-origin"]
  ) async throws -> TestResponse {
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await send(.post, uri, headers: headers, body: Array(form.utf8))
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

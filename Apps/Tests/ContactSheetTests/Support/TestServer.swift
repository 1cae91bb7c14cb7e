import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// A server over a fresh library, spoken to without a network.
struct TestServer {
  let folder: TestFolder
  let library: PhotoLibrary

  init(_ settings: Settings = Settings(), decoder: any ImageDecoder = InProcessDecoder()) async throws {
    folder = try TestFolder()
    library = try await folder.library(settings, decoder: decoder)
  }

  /// Runs a test against the server and closes the library.
  func run(
    _ options: WebServer.Options = WebServer.Options(), access: Access? = nil,
    _ body: @escaping @Sendable (RouteClient) async throws -> Void
  ) async throws {
    let server = WebServer(library: library, options: options, access: access, logger: .quiet)
    try await body(RouteClient(responder: try server.responder()))
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

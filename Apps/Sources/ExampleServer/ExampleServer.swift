public import Foundation
import Hummingbird
import HTTPTypes
public import LiveLists
import Logging
import NIOCore
import ServiceLifecycle

/// The server of the examples: a web server on this machine for one page, its list and its acts.
///
/// It is for one person at one machine, and for reading. ContactSheet shows what a server for others has to do.
public struct ExampleServer {
  private let router = Router()
  private let store: any FetchStore

  /// Creates a server of the files of a folder, `index.html` among them, and of the `<live-list>` element.
  public init(page: URL, store: any FetchStore) {
    self.store = store
    router.add(middleware: OwnPagesOnly())
    router.get("/live-list/**") { _, context in
      let name = context.parameters.getCatchAll().joined(separator: "/")
      guard let file = BrowserFiles.named(name) else { throw HTTPError(.notFound) }
      return Self.answer(file.bytes, file.contentType)
    }
    let types = ["index.html": "text/html; charset=utf-8", "page.js": "text/javascript; charset=utf-8"]
    for (name, type) in types {
      router.get(name == "index.html" ? "/" : RouterPath(name)) { _, _ in
        Self.answer(try Data(contentsOf: page.appendingPathComponent(name)), type)
      }
    }
  }

  /// Serves the list of a request, live: each page has a list of its own, which may depend on the query that it asks with, as may the
  /// store that it is read from, such as a draft.
  public func list<Model: FetchModel, Content: Encodable & Sendable>(
    _ path: String, in source: (@Sendable (_ query: [String: String]) -> any FetchStore)? = nil,
    _ request: @escaping @Sendable (_ query: [String: String]) -> FetchDescriptor<Model>,
    content: @escaping @Sendable (_ model: Model, _ query: [String: String]) -> Content
  ) where Model.ID: LosslessStringConvertible {
    router.get(RouterPath(path)) { [store] httpRequest, _ in
      let query = httpRequest.uri.queryParameters.map { (String($0.key), String($0.value)) }
      let values = Dictionary(query) { _, last in last }
      let stream = FetchController(request(values), in: source?(values) ?? store).stream {
        content($0, values)
      }
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: ResponseBody { writer in
          try await withGracefulShutdownHandler {
            for await event in stream.events() { try await writer.write(ByteBuffer(bytes: event)) }
          } onGracefulShutdown: {
            stream.finish()
          }
          try await writer.finish(nil)
        })
    }
  }

  /// Takes what a page posts as JSON. A ``Refusal`` that is thrown is answered as a conflict, with its words.
  public func act<Body: Decodable & SendableMetatype>(
    _ path: String, _ type: Body.Type, _ carryOut: @escaping @Sendable (Body) async throws -> Void
  ) {
    router.post(RouterPath(path)) { request, _ in
      let body = try await request.body.collect(upTo: 100_000)
      guard let value = try? JSONDecoder().decode(type, from: Data(body.readableBytesView)) else {
        throw HTTPError(.badRequest)
      }
      do {
        try await carryOut(value)
      } catch let refusal as Refusal {
        throw HTTPError(.conflict, message: refusal.message)
      }
      return HTTPResponse.Status.noContent
    }
  }

  /// The reason why something that a page posts cannot be done.
  public struct Refusal: Error {
    let message: String

    /// Creates a refusal.
    public init(_ message: String) { self.message = message }
  }

  /// Serves until it is interrupted. The command's argument is the port; 0 lets the system choose one.
  public func run(defaultPort: Int) async throws {
    let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? defaultPort
    var logger = Logger(label: "example", factory: StreamLogHandler.standardError(label:))
    logger.logLevel = .notice
    let application = Application(
      router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? port
        FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port)\n".utf8))
      },
      logger: logger)
    try await application.runService()
  }

  private static func answer(_ bytes: Data, _ type: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-cache"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// Refuses what pages of others send, also those that pretend to be this machine by name.
private struct OwnPagesOnly: RouterMiddleware {
  func handle(
    _ request: Request, context: BasicRequestContext,
    next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    let host = request.head.authority?.split(separator: ":").first
    guard host == "127.0.0.1" || host == "localhost" else { throw HTTPError(.forbidden) }
    // A page of another origin can't send JSON without being asked about it first.
    if request.method == .post, request.headers[.contentType] != "application/json" {
      throw HTTPError(.unsupportedMediaType)
    }
    return try await next(request, context)
  }
}

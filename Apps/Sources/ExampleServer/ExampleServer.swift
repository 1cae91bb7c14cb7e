public import Foundation
import HTTPTypes
import Hummingbird
import LiveLists
import NIOCore
import ServiceLifecycle

/// The web server of the examples, on this machine alone: the files of a page, streams for its lists, and what it posts.
///
/// Nothing here is about lists: any other web server does as well. ContactSheet shows what a server for others has to do.
public struct ExampleServer {
  let router: Router<BasicRequestContext>
  let launch: Launch

  /// Runs an example until it is interrupted: `NAME [PORT] [--data FOLDER]`, and the options that it has besides.
  /// - Parameters:
  ///   - bundle: The bundle of the example, with its page in the folder `Page`.
  ///   - options: The names of further options, each of which takes a value.
  ///   - word: The name of a word that may be given besides, which is no number; nil for none.
  ///   - prepare: Opens the store, and says what is served.
  public static func run(
    page bundle: Bundle, options: [String] = [], word: String? = nil,
    _ prepare: @Sendable (_ server: ExampleServer) async throws -> Void
  ) async {
    do {
      let launch = try Launch(CommandLine.arguments, options: options, word: word)
      defer { launch.removeTemporaryFolder() }
      let server = ExampleServer(router: Router(), launch: launch)
      try server.serveFiles(of: bundle)
      try await prepare(server)
      try await server.listen()
    } catch {
      Launch.say("\(error)")
      exit(error is Launch.Mistake ? 64 : 1)
    }
  }

  /// The path of a file in the example's folder: that of `--data`, or a temporary one, which is removed in the end.
  public func path(of file: String) -> String { launch.folder.appendingPathComponent(file).path }

  /// The value of an option of the example's own, or its word; nil where it was not given.
  public subscript(option: String) -> String? { launch.options[option] }

  /// Writes a line to the terminal in which the example was started.
  public static func say(_ text: String) { Launch.say(text) }

  /// Serves files at `PATH/NAME`, whose contents never change.
  /// - Parameters:
  ///   - path: The path in addresses.
  ///   - file: Returns the path and the type of the file of a name, which may be anything that somebody asks for; nil for none.
  public func files(
    _ path: String, _ file: @escaping @Sendable (_ name: String) async throws -> (path: String, type: String)?
  ) {
    router.get(RouterPath("\(path)/:name")) { _, context in
      guard let name = context.parameters.get("name"), let (path, type) = try await file(name) else {
        throw HTTPError(.notFound)
      }
      let headers: HTTPFields = [
        .contentType: type, .xContentTypeOptions: "nosniff", .contentSecurityPolicy: "default-src 'none'",
        .cacheControl: "private, max-age=31536000, immutable",
      ]
      return Response(
        status: .ok, headers: headers, body: try await FileIO().loadFile(path: path, context: context))
    }
  }

  /// Serves the stream of a list. The page gives its name in the query, `?page=…`, by which the server knows it again.
  public func events<Events: AsyncSequence & Sendable>(
    _ path: String, _ events: @escaping @Sendable (_ page: String, _ query: String?) -> Events
  ) where Events.Element == [UInt8] {
    router.get(RouterPath(path)) { request, _ in
      guard let page = request.uri.queryParameters["page"], !page.isEmpty, page.count <= 100 else {
        throw HTTPError(.badRequest, message: "The address needs the name of the page: \(path)?page=…")
      }
      let events = events(String(page), request.uri.query)
      return Response(
        status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
        body: ResponseBody { writer in
          for try await event in events.cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(bytes: event))
          }
          try await writer.finish(nil)
        })
    }
  }

  /// Takes what a page posts as JSON. What cannot be decoded is answered by 400 with the reason, a ``Refusal`` by 409 with its words.
  public func post<Body: Decodable & Sendable>(
    _ path: String, _ perform: @escaping @Sendable (_ body: Body) async throws -> Void
  ) {
    router.post(RouterPath(path)) { request, _ in
      let bytes = try await request.body.collect(upTo: 100_000)
      do {
        try await perform(JSONDecoder().decode(Body.self, from: Data(bytes.readableBytesView)))
      } catch let error as DecodingError {
        throw HTTPError(.badRequest, message: "\(path) cannot take this: \(error.reason)")
      } catch let refusal as Refusal {
        throw HTTPError(.conflict, message: refusal.message)
      }
      return HTTPResponse.Status.noContent
    }
  }

  /// The reason why something that a page posts cannot be done, in words for people.
  public struct Refusal: Error, CustomStringConvertible {
    let message: String
    /// The reason.
    public var description: String { message }

    /// Creates a refusal.
    public init(_ message: String) { self.message = message }
  }
}

extension DecodingError {
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, _): "“\(key.stringValue)” is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      (context.codingPath.last.map { "“\($0.stringValue)”: " } ?? "") + context.debugDescription
    @unknown default: "\(self)"
    }
  }
}

import Foundation
import HTTPTypes
import Hummingbird
import LiveLists
import Logging
import NIOCore

extension ExampleServer {
  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
  ]

  /// Serves the files of the page, `index.html` among them, and those of `<live-list>`.
  func serveFiles(of bundle: Bundle) throws {
    router.add(middleware: OwnPagesOnly())
    guard let folder = bundle.url(forResource: "Page", withExtension: nil) else {
      throw CocoaError(.fileNoSuchFile)
    }
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      guard let type = Self.types[file.pathExtension] else { continue }
      let name = file.lastPathComponent
      router.get(name == "index.html" ? "/" : RouterPath(name)) { _, _ in
        Self.answer(try Data(contentsOf: file), type)
      }
    }
    router.get("/live-list/**") { _, context in
      let name = context.parameters.getCatchAll().joined(separator: "/")
      guard let file = BrowserFiles.named(name) else { throw HTTPError(.notFound) }
      return Self.answer(file.bytes, file.contentType)
    }
  }

  private static func answer(_ bytes: Data, _ type: String) -> Response {
    var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
    headers[.contentSecurityPolicy] = "default-src 'self'; img-src 'self' data:; frame-ancestors 'self'"
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// Serves until the program is interrupted. The address is the first line that it prints.
  func listen() async throws {
    var logger = Logger(label: Launch.program, factory: StreamLogHandler.standardError(label:))
    logger.logLevel = .notice
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: launch.port)),
      onServerRunning: { [launch] channel in
        let port = channel.localAddress?.port ?? launch.port
        FileHandle.standardOutput.write(Data("http://127.0.0.1:\(port)\n".utf8))
      },
      logger: logger)
    try await application.runService()
  }
}

/// Refuses the requests of other sites' pages, also of those that pretend to be this machine by name.
private struct OwnPagesOnly: RouterMiddleware {
  func handle(
    _ request: Request, context: BasicRequestContext,
    next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    let authority = request.head.authority ?? ""
    guard ["127.0.0.1", "localhost"].contains(authority.split(separator: ":").first ?? "") else {
      throw HTTPError(.forbidden, message: "This is http://127.0.0.1, and no other name.")
    }
    if request.method == .post {
      if let origin = request.headers[.origin], origin != "http://\(authority)" {
        throw HTTPError(.forbidden, message: "Only this server's own pages may write.")
      }
      // A page of another origin can't send JSON without being asked about it first.
      guard request.headers[.contentType] == "application/json" else {
        throw HTTPError(.unsupportedMediaType, message: "The body has to be application/json.")
      }
    }
    return try await next(request, context)
  }
}

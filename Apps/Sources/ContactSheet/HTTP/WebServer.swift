import Foundation
import Hummingbird
public import Logging
import NIOCore
public import ServiceLifecycle

/// The web server around a library.
public struct WebServer: Sendable {
  /// Where and how the server listens.
  public struct Options: Sendable, Hashable {
    /// The address to listen at.
    public var host = "127.0.0.1"
    /// The port; 0 lets the system choose a free one.
    public var port = 8080
    /// Names other than those of this machine's loopback by which browsers may call the server.
    public var allowedHosts: Set<String> = []

    /// Creates options: loopback, port 8080.
    public init() {}

    /// Whether only this machine can reach the server.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
  }

  private let library: PhotoLibrary
  private let options: Options
  private let logger: Logger

  /// Creates a server; it does not listen yet.
  public init(library: PhotoLibrary, options: Options, logger: Logger) {
    self.library = library
    self.options = options
    self.logger = logger
  }

  /// Serves until the task is cancelled or shut down gracefully.
  ///
  /// - Parameter onRunning: Called once with the address, when the server can be reached.
  /// - Throws: `ContactSheetError.Code.portInUse` where another program has the port.
  public func run(onRunning: @escaping @Sendable (String) async -> Void) async throws {
    let host = options.host
    let application = Application(
      router: try router(),
      configuration: ApplicationConfiguration(address: .hostname(host, port: options.port)),
      onServerRunning: { channel in
        await onRunning(Self.url(host: host, port: channel.localAddress?.port))
      },
      logger: logger)
    do {
      try await application.run()
    } catch let error as IOError {
      throw explain(error)
    }
  }

  /// The address as a user types it.
  static func url(host: String, port: Int?) -> String {
    let shown =
      switch host {
      case "0.0.0.0", "::": "127.0.0.1"
      default: host.contains(":") ? "[\(host)]" : host
      }
    return "http://\(shown)" + (port.map { ":\($0)" } ?? "")
  }

  func router() throws -> Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: SecurityHeaders())
    router.add(middleware: ErrorAnswers())
    router.add(middleware: RequestGuard(policy: policy))
    PageRoutes(library: library, pages: try .pages(), listFiles: .listFiles()).add(to: router)
    let lists = LiveLists(library)
    AlbumRoutes(library: library, lists: lists).add(to: router)
    ActRoutes(library: library, lists: lists).add(to: router)
    ExportRoutes(library: library).add(to: router)
    StreamRoutes(library: library, lists: lists).add(to: router)
    PhotoRoutes(library: library, batches: ImportBatches()).add(to: router)
    return router
  }

  private var policy: HostPolicy {
    var policy = HostPolicy()
    policy.names.formUnion(options.allowedHosts.map { $0.lowercased() })
    policy.acceptsAddresses = !options.isLoopback
    return policy
  }

  private func explain(_ error: IOError) -> any Error {
    switch error.errnoCode {
    case EADDRINUSE:
      ContactSheetError(
        .portInUse,
        "Port \(options.port) is in use by another program. Stop that one, or choose another with --port.",
        cause: "\(error)")
    case EACCES:
      ContactSheetError(
        .addressUnavailable,
        "Port \(options.port) may not be used by this user. Choose one above 1023 with --port.",
        cause: "\(error)")
    case EADDRNOTAVAIL:
      ContactSheetError(
        .addressUnavailable,
        "“\(options.host)” is not an address of this machine. Choose another with --host.", cause: "\(error)")
    default: error
    }
  }
}

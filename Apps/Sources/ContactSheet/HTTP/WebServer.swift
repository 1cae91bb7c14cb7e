package import ContactSheetLibrary
import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore

/// The web server around a library.
package struct WebServer: Sendable {
  /// Where and how the server listens.
  package struct Options: Sendable, Hashable {
    /// The address to listen at.
    package var host = "127.0.0.1"
    /// The port; 0 lets the system choose a free one.
    package var port = 8080
    /// Names other than those of this machine's loopback by which browsers may call the server.
    package var allowedHosts: Set<String> = []
    /// Whether browsers reach the server by https, through a program that stands before it.
    package var isBehindHTTPS = false
    /// The path below which the server is, where such a program serves other things at the same name.
    package var path = ServerPath.top
    /// The addresses of such programs, which are believed when they say where a request comes from.
    package var trustedProxies: Set<String> = []
    /// Time and connections.
    package var limits = WebLimits()

    /// Creates options: loopback, port 8080.
    package init() {}

    /// Whether only this machine can reach the server.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
  }

  private let library: PhotoLibrary
  private let options: Options
  private let access: Access?
  private let logger: Logger
  private let connections: Connections
  private let counters: RequestCounters
  /// The memory for reading bodies, which is as much again as that for holding them.
  let reading: WeightedGate

  /// Creates a server; it does not listen yet.
  ///
  /// - Parameters:
  ///   - library: The albums.
  ///   - options: Where and how it listens.
  ///   - access: Who may use it; `nil` lets everybody in who can reach it, also where a password is set.
  ///   - logger: Where warnings go.
  package init(library: PhotoLibrary, options: Options, access: Access? = nil, logger: Logger) {
    self.library = library
    self.options = options
    self.access = access
    self.logger = logger
    connections = Connections(options.limits, knowsPeople: access?.asksForPassword == true)
    counters = RequestCounters(logger: logger)
    reading = WeightedGate(limit: options.limits.bodyMemory)
  }

  /// Closes the connections that are still open, however far their answers are.
  package func closeConnections() { connections.closeAll() }

  /// Serves until the task is cancelled or shut down gracefully.
  ///
  /// - Parameter onRunning: Called once with the address, when the server can be reached.
  /// - Throws: `ContactSheetError.Code.portInUse` where another program has the port.
  package func run(onRunning: @escaping @Sendable (String) async -> Void) async throws {
    let host = options.host
    let (limits, connections, proxies, path) = (options.limits, connections, proxies, options.path)
    let counters = counters
    let idle = TimeAmount(limits.idle)
    let application = Application(
      responder: try responder(),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [PaceHandler(limits, connections, proxies, counters)], idleTimeout: idle)
      ),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: options.port),
        availableConnectionsDelegate: ConnectionLimit(limits.connections, access: access)),
      onServerRunning: { channel in
        await onRunning(Self.url(host: host, port: channel.localAddress?.port) + path.text)
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

  /// Returns the addresses by which browsers reach a server behind a program that speaks https, in the order of their names.
  package static func outsideURLs(_ options: Options) -> [String] {
    options.allowedHosts.sorted().map { "https://\($0)\(options.path == .top ? "/" : options.path.text)" }
  }

  /// Returns the responder, which answers requests below the server's path.
  func responder() throws -> ServerPathResponder<RouterResponder<WebContext>> {
    ServerPathResponder(path: options.path, responder: try router().buildResponder())
  }

  /// The routes, as they are at the top.
  func router() throws -> Router<WebContext> {
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    let pages = try WebAssets.pages(at: options.path)
    router.add(middleware: HeadAnswers())
    router.add(middleware: SecurityHeaders(isSecure: options.isBehindHTTPS))
    router.add(middleware: ErrorAnswers(counters: counters, pages: pages))
    router.add(middleware: RequestGuard(policy: policy, proxies: proxies))
    let bodies = GatheredBodies(budget: MemoryBudget(limit: options.limits.bodyMemory))
    let memory = options.limits.answerMemory
    let answers = MemoryBudget(limit: memory, reserve: BudgetedAnswers.reserve(of: memory))
    if let access {
      let cookies = AccessCookies(isSecure: options.isBehindHTTPS, path: options.path)
      router.add(middleware: AccessGuard(access: access, cookies: cookies, connections: connections))
      router.add(middleware: bodies)
      AccessRoutes(access: access, cookies: cookies, pages: pages).add(to: router)
    } else {
      router.add(middleware: bodies)
    }
    router.add(middleware: BudgetedAnswers(budget: answers))
    PageRoutes(library: library, pages: pages, listFiles: .listFiles, access: access).add(to: router)
    let lists = SharedLists(library)
    PlainRoutes(library: library, lists: lists).add(to: router)
    AlbumRoutes(library: library, lists: lists, reading: reading).add(to: router)
    TrashRoutes(library: library, lists: lists, reading: reading).add(to: router)
    MutationRoutes(library: library, lists: lists, reading: reading).add(to: router)
    ExportRoutes(library: library, budget: answers).add(to: router)
    StreamRoutes(library: library, lists: lists, path: options.path, budget: answers).add(to: router)
    let uploads = UploadCounter(options.limits.uploads, perAddress: options.limits.uploadsPerAddress)
    PhotoRoutes(
      library: library, batches: ImportBatches(), uploads: uploads, reading: reading, proxies: proxies,
      connections: connections
    ).add(to: router)
    // The last: it is passed by what no route has answered.
    router.add(middleware: OtherMethods(router.routes.map { ($0.method, $0.path.description) }))
    return router
  }

  private var proxies: TrustedProxies {
    var proxies = options.trustedProxies
    // A program on this machine that speaks https is meant where no other is named.
    if options.isBehindHTTPS, options.isLoopback, proxies.isEmpty { proxies = TrustedProxies.thisMachine }
    return TrustedProxies(addresses: Set(proxies.map { WebContext.name(ofText: $0) ?? $0 }))
  }

  /// Returns whether a text is an address by which a proxy can be named.
  package static func isAddress(_ text: String) -> Bool { WebContext.name(ofText: text) != nil }

  private var policy: HostPolicy {
    var policy = HostPolicy()
    policy.names.formUnion(options.allowedHosts.map { $0.lowercased() })
    policy.acceptsAddresses = !options.isLoopback
    policy.isSecure = options.isBehindHTTPS
    if !HostPolicy.isAddress(options.host) { policy.names.insert(options.host.lowercased()) }
    return policy
  }

  private func explain(_ error: IOError) -> any Error {
    switch error.errnoCode {
    case EADDRINUSE:
      ContactSheetError(
        .portInUse,
        "Port \(options.port) is in use by another program. Stop that one, or choose another with --port.")
    case EACCES:
      ContactSheetError(
        .addressUnavailable,
        "Port \(options.port) may not be used by this user. Choose one above 1023 with --port.")
    case EADDRNOTAVAIL:
      ContactSheetError(
        .addressUnavailable,
        "“\(options.host)” is not an address of this machine. Choose another with --host.")
    default: error
    }
  }
}

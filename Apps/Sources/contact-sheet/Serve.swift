import ArgumentParser
import ContactSheet
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// `contact-sheet serve`.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the albums in the browser.",
    discussion:
      """
      Ends cleanly with Ctrl-C. Only this machine can reach the pages, unless --host says otherwise; then users
      have to log in with a password, which is set with “contact-sheet password”.
      """)

  @Option(help: "The port to listen at; 0 lets the system choose.")
  var port = 8080

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp("A name by which browsers may call the server, besides localhost.", valueName: "name"))
  var allowedHosts: [String] = []

  @Option(help: ArgumentHelp("How long a connection may be silent.", valueName: "seconds"))
  var idleSeconds = 60

  @Option(help: "How many connections there may be at the same time.")
  var maxConnections: Int?

  @OptionGroup var password: PasswordOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var limits: LimitOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    guard (1...86_400).contains(idleSeconds) else {
      throw ValidationError("A connection may be silent for 1 to 86400 seconds.")
    }
    if let maxConnections, maxConnections < 1 {
      throw ValidationError("There has to be at least one connection.")
    }
  }

  private var options: WebServer.Options {
    var options = WebServer.Options()
    options.host = host
    options.port = port
    options.allowedHosts = Set(allowedHosts)
    options.isBehindHTTPS = password.isBehindHTTPS
    options.limits.idle = .seconds(idleSeconds)
    let openFiles = WebLimits.raiseOpenFiles()
    // Photos, the database and the decoders need some of them.
    options.limits.connections = maxConnections ?? max(64, min(options.limits.connections, openFiles - 256))
    return options
  }

  func run() async throws {
    let logger = Terminal.logger
    let library = try await OpenLibrary.open(data.folder, limits: limits, logger: logger)
    do {
      try await library.library.prepareFirstAlbum()
      let options = options
      let access =
        try password.prepare(data.folder, isLoopback: options.isLoopback, host: host)
        ? try Access(data.folder, logger: logger) : nil
      if access != nil, !options.isLoopback, !options.isBehindHTTPS {
        Terminal.standardError.line(
          "The password and the photos travel unencrypted. Outside of your own network, put a program that"
            + " speaks https before this one, and say --behind-https.")
      }
      try access?.admitCommands()
      defer { access?.dismissCommands() }
      let lock = library.lock
      let server = WebServer(
        library: library.library, options: options, access: access, logger: logger)
      let service = ServerService(server: server) { url in
        try? lock.announce(url: url)
        Terminal.standardOutput.line("ContactSheet is at \(url)")
      }
      let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(
          services: [service], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
      try await group.run()
    } catch {
      await library.close()
      throw error
    }
    await library.close()
  }
}

/// The web server as a service that signals stop.
private struct ServerService: Service {
  let server: WebServer
  let onRunning: @Sendable (String) async -> Void

  func run() async throws { try await server.run(onRunning: onRunning) }
}

/// A library together with the lock on its folder.
struct OpenLibrary {
  let library: PhotoLibrary
  let lock: FolderLock

  static func open(
    _ folder: DataFolder, limits: LimitOptions, logger: Logger
  ) async throws -> OpenLibrary {
    try await open(
      folder, settings: limits.settings, secondsPerPicture: Double(limits.maxSeconds),
      decoderMemory: limits.decoderMegabytes << 20, logger: logger)
  }

  static func open(
    _ folder: DataFolder, settings: Settings = Settings(), secondsPerPicture: Double = 60,
    decoderMemory: Int = 1 << 30, logger: Logger
  ) async throws -> OpenLibrary {
    try folder.prepare()
    let lock = try FolderLock.acquire(folder)
    let decoder = WorkerDecoder(
      WorkerDecoder.Options(secondsPerPicture: secondsPerPicture, memory: decoderMemory), logger: logger)
    let library = try await PhotoLibrary.open(
      folder, settings: settings, decoder: decoder, logger: logger)
    return OpenLibrary(library: library, lock: lock)
  }

  func close() async {
    await library.close()
    lock.release()
  }
}

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
      "Ends cleanly with Ctrl-C. Only this machine can reach the pages, unless --host says otherwise.")

  @Option(help: "The port to listen at; 0 lets the system choose.")
  var port = 8080

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp("A name by which browsers may call the server, besides localhost.", valueName: "name"))
  var allowedHosts: [String] = []

  @Flag(help: "Let everybody who can reach the address see and change all photos.")
  var withoutPassword = false

  @OptionGroup var data: DataOptions
  @OptionGroup var limits: LimitOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    var options = WebServer.Options()
    options.host = host
    guard options.isLoopback || withoutPassword else {
      throw ValidationError(
        "At \(host) everybody who can reach this machine could see and change all photos: there is no password"
          + " yet. Say --without-password if that is what you want.")
    }
  }

  func run() async throws {
    let logger = Terminal.logger
    let library = try await OpenLibrary.open(data.folder, limits: limits, logger: logger)
    do {
      try await library.library.prepareFirstAlbum()
      var options = WebServer.Options()
      options.host = host
      options.port = port
      options.allowedHosts = Set(allowedHosts)
      let lock = library.lock
      let server = WebServer(library: library.library, options: options, logger: logger)
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
    try folder.prepare()
    let lock = try FolderLock.acquire(folder)
    let decoder = WorkerDecoder(
      WorkerDecoder.Options(secondsPerPicture: Double(limits.maxSeconds)), logger: logger)
    let library = try await PhotoLibrary.open(
      folder, settings: limits.settings, decoder: decoder, logger: logger)
    return OpenLibrary(library: library, lock: lock)
  }

  func close() async {
    await library.close()
    lock.release()
  }
}

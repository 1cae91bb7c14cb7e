import ArgumentParser
import ContactSheet
import ContactSheetLibrary
import Foundation
import Logging
import ServiceLifecycle

/// `contact-sheet serve`.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the albums in the browser.",
    discussion:
      """
      Ends cleanly with Ctrl-C. Only this machine can reach the pages, unless --host says otherwise; then users \
      have to log in with a password, which is set with “contact-sheet password”, also while the server runs.
      """)

  @Option(help: "The port to listen at; 0 lets the system choose.")
  var port = 8080

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp("A name by which browsers may call the server, besides localhost.", valueName: "name"))
  var allowedHosts: [String] = []

  @Option(
    help: ArgumentHelp(
      "The path below which a program before this one passes requests on, unchanged: /photos for"
        + " https://club.example/photos/.", valueName: "path"))
  var path = "/"

  @Option(help: ArgumentHelp("How long a connection may be silent.", valueName: "seconds"))
  var idleSeconds = 60

  @Option(help: "How many connections there may be at the same time.")
  var maxConnections: Int?

  @Option(
    name: .customLong("trusted-proxy"),
    help: ArgumentHelp(
      "A program before this one that is believed when it says where a request comes from (X-Forwarded-For). With"
        + " --behind-https, those on this machine are, unless others are named.", valueName: "address"))
  var trustedProxies: [String] = []

  @Option(
    help: ArgumentHelp(
      "How much memory requests may take, all at the same time together, and a quarter of it their answers; what reads"
        + " pictures has its own. With 128, the"
        + " server stays within 256 MB above what it takes while nobody asks for anything, whatever connects.",
      valueName: "MB"))
  var requestMegabytes = 128

  @Option(
    help: ArgumentHelp(
      "After how many days in the trash photos are removed for good; 0: not before it is emptied. What lay there when"
        + " this release came has its days from then on.", valueName: "days"))
  var trashDays = 30

  @OptionGroup var password: PasswordOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var limits: LimitOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    do throws(ContactSheetError) {
      _ = try ServerPath(path)
    } catch {
      throw ValidationError("\(error.message) “\(path)” is none.")
    }
    if let proxy = trustedProxies.first(where: { !WebServer.isAddress($0) }) {
      throw ValidationError("A trusted proxy is named by its address, such as 10.0.0.2. “\(proxy)” is none.")
    }
    guard (1...86_400).contains(idleSeconds) else {
      throw ValidationError("A connection may be silent for 1 to 86400 seconds.")
    }
    if let maxConnections, maxConnections < 1 {
      throw ValidationError("There has to be at least one connection.")
    }
    guard (0...36_500).contains(trashDays) else {
      throw ValidationError("Photos stay in the trash for 1 to 36500 days, or with 0 until it is emptied.")
    }
    guard (16...65_536).contains(requestMegabytes) else {
      throw ValidationError("Requests may take 16 to 65536 MB.")
    }
  }

  private func options(openFiles: Int) throws -> WebServer.Options {
    var options = WebServer.Options()
    options.host = host
    options.port = port
    options.allowedHosts = Set(allowedHosts)
    options.isBehindHTTPS = password.isBehindHTTPS
    options.path = try ServerPath(path)
    options.trustedProxies = Set(trustedProxies)
    options.limits.idle = .seconds(idleSeconds)
    options.limits.bodyMemory = requestMegabytes << 19
    options.limits.answerMemory = requestMegabytes << 18
    // Photos, the database and the decoders need some of them.
    let connections = openFiles - min(256, openFiles / 2)
    options.limits.connections = maxConnections ?? min(options.limits.connections, connections)
    options.limits.connectionsPerAddress = max(16, options.limits.connections / 8)
    return options
  }

  func run() async throws {
    let logger = Terminal.logger
    let openFiles = WebLimits.raiseOpenFiles()
    guard openFiles >= WebLimits.minimumOpenFiles else { throw WebLimits.tooFewOpenFiles(openFiles) }
    var settings = limits.settings
    settings.trashDays = trashDays == 0 ? nil : trashDays
    let library = try await OpenLibrary.open(
      data.folder, limits: limits, settings: settings, logger: logger)
    do {
      try await library.library.prepareFirstAlbum()
      let options = try options(openFiles: openFiles)
      let access = try password.access(
        to: data.folder, isLoopback: options.isLoopback, host: host, logger: logger)
      if access != nil, !options.isLoopback, !options.isBehindHTTPS {
        Terminal.standardError.line(
          "The password and the photos travel unencrypted. Outside of your own network, put a program that"
            + " speaks https before this one, and say --behind-https.")
      }
      if options.isBehindHTTPS, options.isLoopback, allowedHosts.isEmpty {
        Terminal.standardError.line(
          "Warning: browsers that come by https call the server by a name, and it answers to none but this machine's."
            + " Say --allow-host NAME.")
      }
      if library.library.hasNoRoom {
        Terminal.standardError.line(
          "Warning: the disk that holds “\(data.folder.path)” is full. Photos can be seen, and the trash can be"
            + " emptied; nothing else can be changed until there is room.")
      }
      try admitCommands(to: access)
      defer { access?.dismissCommands() }
      let lock = library.lock
      let server = WebServer(
        library: library.library, options: options, access: access, logger: logger)
      let outside = options.isBehindHTTPS ? WebServer.outsideURLs(options) : []
      let service = ServerService(server: server) { url in
        try? lock.announce(url: url)
        Terminal.standardOutput.line("ContactSheet is at \(url)")
        for url in outside { Terminal.standardOutput.line("Browsers come by https, to \(url)") }
      }
      let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: logger))
      let signals = await EndingSignals(server: server, group: group, logger: logger)
      let listening = Task { await signals.listen() }
      defer { listening.cancel() }
      let sweeping = Task { [library] in await library.library.keepTrashSwept() }
      do {
        try await group.run()
      } catch {
        await sweeping.end()
        throw error
      }
      await sweeping.end()
    } catch {
      await library.close()
      throw error
    }
    await library.close()
  }
}

extension Serve {
  /// Lets commands in; where the disk is full they stay outside, and people are served all the same.
  fileprivate func admitCommands(to access: Access?) throws {
    // Also where no password is set: commands come in all the same when there is one.
    guard let access else { return }
    do throws(ContactSheetError) {
      try access.admitCommands()
    } catch {
      guard error.code == .diskFull else { throw error }
      guard Access.hasPassword(data.folder) else { return }
      Terminal.standardError.line("Commands cannot reach this server: \(error.message)")
    }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Cancels the task and waits until it has ended.
  fileprivate func end() async {
    cancel()
    await value
  }
}

/// The web server as a service that a group stops.
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
    _ folder: DataFolder, limits: LimitOptions, settings: Settings? = nil, logger: Logger,
    before prepare: ((any ImageDecoder) async throws -> Void)? = nil
  ) async throws -> OpenLibrary {
    try await open(
      folder, settings: settings ?? limits.settings, secondsPerPicture: Double(limits.maxSeconds),
      decoderMemory: limits.decoderMegabytes << 20, logger: logger, before: prepare)
  }

  static func open(
    _ folder: DataFolder, settings: Settings = Settings(), secondsPerPicture: Double = 60,
    decoderMemory: Int = 1 << 30, logger: Logger,
    before prepare: ((any ImageDecoder) async throws -> Void)? = nil
  ) async throws -> OpenLibrary {
    // A new database would hide that the old one is lost; what mends the folder makes one on purpose.
    if prepare == nil { try folder.checkDatabaseExists() }
    try folder.prepare()
    let lock = try FolderLock.acquire(folder)
    let decoder = WorkerDecoder(
      WorkerDecoder.Options(secondsPerPicture: secondsPerPicture, memory: decoderMemory), logger: logger)
    try await prepare?(decoder)
    let library = try await PhotoLibrary.open(
      folder, settings: settings, decoder: decoder, logger: logger)
    return OpenLibrary(library: library, lock: lock)
  }

  func close() async {
    await library.close()
    lock.release()
  }
}

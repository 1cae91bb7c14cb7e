import ArgumentParser
import ContactSheet
import ContactSheetLibrary
import Foundation

@main
struct ContactSheetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contact-sheet",
    abstract: "Albums of photos in an order of your own.",
    discussion: """
      Everything is kept in one folder: the photos, their thumbnails, and a database. “serve” shows the \
      albums in the browser; the other commands work whether it runs or not.

      Where the system limits a process (ulimit -v, -d, -u), each command needs address space of 1.5 GB and 64 MB for each \
      processor, 400 MB and 32 MB of memory to write to, and 12 and 6 threads.
      """,
    version: ContactSheetVersion.current,
    subcommands: [
      Serve.self, Import.self, Export.self, Albums.self, Photos.self, Sort.self, Check.self, Backup.self,
      Password.self, Demo.self, Decode.self,
    ])

  static func main() async {
    Terminal.keepStandardDescriptors()
    do {
      var command = try parseAsRoot(Paths.arguments())
      // Help and versions need nothing; what reads pictures has limits of its own, which its server sets.
      if !(command is Decode), configuration.subcommands.contains(where: { $0 == type(of: command) }) {
        try SystemLimits.check()
      }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as ContactSheetError {
      Terminal.standardError.line("contact-sheet: \(error.message)")
      if let cause = error.cause, !cause.isEmpty { Terminal.standardError.line("  \(cause)") }
      Foundation.exit(error.exitCode)
    } catch {
      exit(withError: error)
    }
  }
}

/// The folder that a command works on.
struct DataOptions: ParsableArguments {
  @Option(
    name: .customLong("data"), help: ArgumentHelp("The folder that holds everything.", valueName: "folder"))
  var path = "data"

  func validate() throws { try Paths.check(path, "The name of the data folder (--data)") }

  var folder: DataFolder { DataFolder(path: path) }
}

/// The names of files and folders that a user says.
enum Paths {
  /// The arguments of the program without its name, byte by byte: Swift's own put U+FFFD for what is not UTF-8, and no file has that name.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` for such a name where it does not name what is to be imported.
  static func arguments() throws -> [String] {
    let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { pointer in
        PathBytes.text(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
      }
    }
    let isImport = arguments.first == "import"
    for (index, argument) in arguments.enumerated() where PathBytes.hasStandIns(argument) {
      let previous = index > 0 ? arguments[index - 1] : ""
      guard isImport, !argument.hasPrefix("-"), previous != "--data", previous != "--album" else {
        throw ContactSheetError(
          .badRequest,
          "“\(PathBytes.shown(argument))” is not UTF-8. Only the names of what is imported may be of another kind."
        )
      }
    }
    return arguments
  }

  /// Throws where a name is empty, as one from a variable that is not set: it would be the working folder.
  ///
  /// - Parameter what: The path in the message, at the beginning of a sentence.
  static func check(_ path: String, _ what: String) throws {
    if path.isEmpty { throw ValidationError("\(what) is empty.") }
  }
}

/// Limits on what is imported.
struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The largest file that is taken.", valueName: "MB"))
  var maxMegabytes = 500

  @Option(help: ArgumentHelp("The largest picture that is taken.", valueName: "megapixels"))
  var maxMegapixels = 400

  @Option(help: ArgumentHelp("How long reading one picture may take.", valueName: "seconds"))
  var maxSeconds = 60

  @Option(
    help: ArgumentHelp(
      "How much memory reading pictures may take, all at the same time together.", valueName: "MB"))
  var decoderMegabytes = 1024

  @Option(
    help: ArgumentHelp(
      "How much of the disk pictures of a screen's size may take together. Those that were not looked at for longest are"
        + " removed, and made again when they are wanted.", valueName: "MB"))
  var previewMegabytes = 4096

  func validate() throws {
    guard (1...1_000_000).contains(maxMegabytes), (1...100_000).contains(maxMegapixels),
      (1...3600).contains(maxSeconds), (256...1_000_000).contains(decoderMegabytes),
      (16...100_000_000).contains(previewMegabytes)
    else {
      throw ValidationError(
        "The limits have to be positive and below a million; decoders need 256 MB, and pictures of a screen's size 16."
      )
    }
  }

  var settings: Settings {
    var settings = Settings()
    settings.byteLimit = maxMegabytes << 20
    settings.pixelLimit = maxMegapixels * 1_000_000
    settings.previewBytes = previewMegabytes << 20
    return settings
  }
}

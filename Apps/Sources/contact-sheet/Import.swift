import ArgumentParser
import ContactSheet
import Foundation

/// `contact-sheet import`.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import photos into an album.",
    discussion: """
      Folders are searched with the folders in them, and zip archives are unpacked. An export of ContactSheet, as \
      folder or archive, comes in its order, with titles and dates, and into an album of its title. Photos that the album has already are passed over, so an \
      import that was cut off can simply be run again. If ContactSheet runs on the data folder, its pages show \
      the photos as they arrive.
      """)

  @Argument(help: ArgumentHelp("Folders, picture files and zip archives.", valueName: "folder"))
  var paths: [String]

  @Option(
    help: ArgumentHelp(
      "The album's title; it is made if there is none. (default: that of an export, else My photos)",
      valueName: "title"))
  var album: String?

  @OptionGroup var data: DataOptions
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    var title = album ?? "My photos"
    if album == nil, let exported = try await FolderImport.albumTitle(in: paths) {
      let fitting = FolderImport.albumTitle(fitting: exported)
      title = fitting.title
      if let note = fitting.note { Terminal.standardError.line(note) }
    }
    let paths = paths
    let summary = try await Importing.run(album: title, data: data, limits: limits) { paths }
    if let fatal = summary.fatal { throw fatal }
    if summary.failed > 0 || summary.isManifestIncomplete { throw ExitCode(65) }
  }
}

/// `contact-sheet demo`.
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Paint \(DemoPictures.count) pictures and import them.",
    discussion: "For a first look without photos of your own. Running it again adds nothing.")

  @Option(help: ArgumentHelp("The album's title.", valueName: "title"))
  var album = "Demo"

  @Option(help: "How many pictures.")
  var count = DemoPictures.count

  @OptionGroup var data: DataOptions
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    try data.folder.prepare()
    // What a kill leaves there goes at the next start.
    let folder = data.folder.temporary("demo")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let count = count
    let summary = try await Importing.run(album: album, data: data, limits: limits) {
      // Not before the data folder is open: opening it clears up what lies there.
      let bar = ProgressBar(total: min(count, DemoPictures.count), label: "Painting")
      _ = try await DemoPictures.write(to: folder, count: count) { bar.advance(to: $0) }
      bar.end()
      return [folder]
    }
    if let fatal = summary.fatal { throw fatal }
    if summary.failed > 0 { throw ExitCode(65) }
  }
}

/// The common parts of `import` and `demo`.
enum Importing {
  /// - Parameter paths: Called when the data folder is open.
  static func run(
    album title: String, data: DataOptions, limits: LimitOptions, _ paths: () async throws -> [String]
  ) async throws -> ImportSummary {
    if let holder = FolderLock.holder(of: data.folder), let url = holder.url {
      let server = try await RunningServer.album(
        titled: title, at: url, folder: data.folder, byteLimit: limits.settings.byteLimit)
      return try await run(paths(), to: server, title: server.title)
    }
    let library = try await OpenLibrary.open(data.folder, limits: limits, logger: Terminal.logger)
    do {
      let album = try await library.library.albumTitled(title)
      let destination = LibraryDestination(library.library, album: album)
      let summary = try await run(paths(), to: destination, title: album.title)
      await library.close()
      return summary
    } catch {
      await library.close()
      throw error
    }
  }

  private static func run(
    _ paths: [String], to destination: any ImportDestination, title: String
  ) async throws -> ImportSummary {
    var bar: ProgressBar?
    let summary = try await FolderImport(to: destination).run(paths) { event in
      switch event {
      case .noted(let note):
        bar?.clear()
        Terminal.standardError.line(note)
      case .found(let files, let others):
        bar = ProgressBar(total: files, label: "Importing")
        if others > 0 {
          let skipped = others == 1 ? "1 file that is no picture" : "\(others) files that are no pictures"
          Terminal.standardError.line("Passing over \(skipped).")
        }
      case .finished(_, .failure(let error)):
        bar?.clear()
        Terminal.standardError.line(error.message)
        bar?.advance()
      case .finished(let file, .success(let outcome)):
        if let note = outcome.titleNote(on: file) {
          bar?.clear()
          Terminal.standardError.line(note)
        }
        if outcome.isOther {
          bar?.clear()
          Terminal.standardError.line(
            "“\(file)” is not the file that the manifest names: its content is another. It was imported as it is."
          )
        }
        bar?.advance()
      }
    }
    bar?.end()
    Terminal.standardOutput.line(describe(summary, title: title))
    return summary
  }

  private static func describe(_ summary: ImportSummary, title: String) -> String {
    var parts = ["Imported \(summary.imported) \(summary.imported == 1 ? "photo" : "photos") into “\(title)”"]
    if summary.duplicates > 0 { parts.append("\(summary.duplicates) were there already") }
    if summary.mended > 0 {
      parts.append("\(summary.mended) whose stored file was missing or damaged mended")
    }
    if summary.others > 0 { parts.append("\(summary.others) with another content than the manifest says") }
    if summary.retitled > 0 { parts.append("\(summary.retitled) with another title than the manifest says") }
    if summary.failed > 0 { parts.append("\(summary.failed) failed") }
    if summary.untried > 0 { parts.append("\(summary.untried) not tried") }
    return parts.joined(separator: ", ") + "."
  }
}

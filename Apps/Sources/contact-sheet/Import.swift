import ArgumentParser
import ContactSheet
import ContactSheetLibrary
import Foundation

/// `contact-sheet import`.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Import photos into an album.",
    discussion: """
      Folders are searched with the folders in them, and zip archives are unpacked, also those in folders. Each export of \
      ContactSheet, as folder or archive, comes in its order, with titles and dates, and into an album of its title. Photos that the album has already are passed over, so an \
      import that was cut off can simply be run again. What could be a photo and cannot be read is named, with status 65. If ContactSheet runs on the data folder, its pages show \
      the photos as they arrive.
      """)

  @Argument(help: ArgumentHelp("Folders, picture files and zip archives.", valueName: "folder"))
  var paths: [String]

  @Option(
    help: ArgumentHelp(
      "The album's title; it is made if there is none. (default: of each export its own, of all else My photos)",
      valueName: "title"))
  var album: String?

  @OptionGroup var data: DataOptions
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    let (paths, album) = (paths, album)
    // Before anything is opened: a path that is not there stops everything.
    let parts = try await FolderImport.parts(of: paths, into: album)
    let summaries = try await Importing.run(data: data, limits: limits) { parts }
    try Importing.checkAll(summaries)
  }
}

/// `contact-sheet demo`.
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Paint \(DemoPictures.count) pictures and import them.",
    discussion: "For a first look without photos of your own. Running it again adds nothing.")

  @Option(help: ArgumentHelp("The album's title.", valueName: "title"))
  var album = "Demo"

  @Option(help: "How many pictures, from 1 to \(DemoPictures.count).")
  var count = DemoPictures.count

  @OptionGroup var data: DataOptions
  @OptionGroup var limits: LimitOptions

  func validate() throws {
    guard (1...DemoPictures.count).contains(count) else {
      throw ValidationError(
        "--count is a number from 1 to \(DemoPictures.count), which is how many different pictures there are."
      )
    }
  }

  func run() async throws {
    try data.folder.prepare()
    // What a kill leaves there goes at the next start.
    let folder = data.folder.temporary("demo")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let count = count
    let album = album
    let summaries = try await Importing.run(data: data, limits: limits) {
      // Painting loads the image library into this process, which a damaged one would end or hold up: a worker tries it before.
      let decoder = WorkerDecoder(.init(workers: 1), logger: Terminal.logger)
      do { try await decoder.checkImageLibrary() } catch {
        await decoder.stop()
        throw error
      }
      await decoder.stop()
      // Not before the data folder is open: opening it clears up what lies there.
      let bar = ProgressBar(total: count, label: "Painting")
      _ = try await DemoPictures.write(to: folder, count: count) { bar.advance(to: $0) }
      bar.end()
      return try await FolderImport.parts(of: [folder], into: album)
    }
    try Importing.checkAll(summaries)
  }
}

/// The common parts of `import` and `demo`.
enum Importing {
  /// Imports each part into its album, up to an error that concerns all of them.
  ///
  /// - Parameter parts: Called when the data folder is open.
  static func run(
    data: DataOptions, limits: LimitOptions, _ parts: () async throws -> [ImportPart]
  ) async throws -> [ImportSummary] {
    if let holder = FolderLock.holder(of: data.folder), let url = holder.url {
      return try await run(parts()) { title in
        let server = try await RunningServer.album(
          titled: title, at: url, folder: data.folder, byteLimit: limits.settings.byteLimit)
        return (server, server.title)
      }
    }
    let library = try await OpenLibrary.open(data.folder, limits: limits, logger: Terminal.logger)
    do {
      let summaries = try await run(parts()) { title in
        let album = try await library.library.albumTitled(title)
        return (LibraryDestination(library.library, album: album), album.title)
      }
      await library.close()
      return summaries
    } catch {
      await library.close()
      throw error
    }
  }

  /// Throws where not everything has come in as it was said.
  static func checkAll(_ summaries: [ImportSummary]) throws {
    if let fatal = summaries.lazy.compactMap(\.fatal).first { throw fatal }
    if summaries.contains(where: { $0.failed > 0 || $0.isManifestIncomplete }) { throw ExitCode(65) }
  }

  private static func run(
    _ parts: [ImportPart],
    _ destination: (String) async throws -> (destination: any ImportDestination, title: String)
  ) async throws -> [ImportSummary] {
    var summaries: [ImportSummary] = []
    for part in parts where summaries.last?.fatal == nil {
      if let note = part.note { Terminal.standardError.line(note) }
      let (album, title) = try await destination(part.title)
      summaries.append(try await run(part, to: album, title: title))
    }
    return summaries
  }

  private static func run(
    _ part: ImportPart, to destination: any ImportDestination, title: String
  ) async throws -> ImportSummary {
    var bar: ProgressBar?
    let summary = try await FolderImport(to: destination).run(part) { event in
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

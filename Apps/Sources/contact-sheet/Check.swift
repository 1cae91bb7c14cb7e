import ArgumentParser
import ContactSheet
import Foundation

/// `contact-sheet check`.
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for damage in the database, and compare it with the files.",
    discussion: """
      Reads the database and every original. With --repair, thumbnails are made again, a damaged database is made anew from
      what can still be read of it (the damaged one is kept), and originals that no album has become photos of the album
      “Recovered”. With --from, files, titles and places that are lost are taken from a backup before that. ContactSheet must
      not be running then.
      """)

  @Flag(help: "Mend what can be mended.")
  var repair = false

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("Mend with what a backup has. Says --repair, too.", valueName: "backup"))
  var backup: String?

  @OptionGroup var data: DataOptions
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    let report = repair || backup != nil ? try await mend() : try await look()
    for problem in report.database { Terminal.standardError.line("The database is damaged: \(problem)") }
    for title in report.missing { Terminal.standardError.line("The file of “\(title)” is missing.") }
    for title in report.damaged { Terminal.standardError.line("The file of “\(title)” is damaged.") }
    for name in report.orphans { Terminal.standardError.line("No album has the original \(name).") }
    if !report.withoutThumbnail.isEmpty {
      Terminal.standardError.line(
        "\(report.withoutThumbnail.count) thumbnails are missing; they are made when they are needed.")
    }
    guard report.isGood else { throw ExitCode(65) }
    Terminal.standardOutput.line("All is well with \(report.photos) photos.")
  }

  private func look() async throws -> CheckReport {
    do {
      return try await Reading.run(data.folder) { try await $0.check() }
    } catch let error as ContactSheetError where error.code == .storage {
      // The library cannot open it, or read it.
      var report = CheckReport()
      report.database = try await PhotoLibrary.databaseProblems(of: data.folder)
      if report.database.isEmpty { throw error }
      return report
    }
  }

  private func mend() async throws -> CheckReport {
    let folder = data.folder
    var rebuilt = RebuildReport()
    let backup = backup.map { DataFolder(path: $0) }
    let library = try await OpenLibrary.open(folder, limits: limits, logger: Terminal.logger) { decoder in
      let problems = try await PhotoLibrary.databaseProblems(of: folder)
      guard !problems.isEmpty else { return }
      if let backup { try await PhotoLibrary.checkBackup(backup, for: folder) }
      for problem in problems { Terminal.standardError.line("The database is damaged: \(problem)") }
      rebuilt = try await PhotoLibrary.rebuildDatabase(of: folder, decoder: decoder)
      Self.tell(rebuilt)
    }
    do {
      let mended = try await library.library.mend(from: backup, rebuilt: rebuilt)
      if let restored = mended.restored {
        Terminal.standardOutput.line(
          "From the backup: \(restored.rows) photos with titles and places, \(restored.titles) titles,"
            + " \(restored.albums) albums, \(restored.files) files.")
      }
      if mended.recovered > 0 { Terminal.standardOutput.line("Recovered \(mended.recovered) photos.") }
      await library.close()
      return mended.left
    } catch {
      await library.close()
      throw error
    }
  }

  private static func tell(_ rebuilt: RebuildReport) {
    Terminal.standardOutput.line(
      "Read \(rebuilt.photos) photos in \(rebuilt.albums) albums from the damaged database, which is kept as"
        + " “\(rebuilt.keptAs)”. What was done before cannot be undone any more.")
    for title in rebuilt.untitled.values.sorted() {
      Terminal.standardError.line("A photo's title could not be read; it is “\(title)” now, in its place.")
    }
    if !rebuilt.untitledAlbums.isEmpty {
      Terminal.standardError.line(
        "The titles of \(rebuilt.untitledAlbums.count) albums could not be read; they are “Recovered” now.")
    }
    if rebuilt.lost > 0 {
      Terminal.standardError.line("The titles and places of \(rebuilt.lost) photos could not be read.")
    }
  }
}

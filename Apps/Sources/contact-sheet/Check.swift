import ArgumentParser
import ContactSheet
import ContactSheetLibrary
import Foundation

/// `contact-sheet check`.
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look for damage in the database, and compare it with the files.",
    discussion: """
      Reads the database and every original. With --repair, thumbnails are made again, a damaged database is made anew from \
      what can still be read of it (the damaged one is kept), and originals that no album has become photos of the album \
      “Recovered”. With --from, files, titles and places that are lost are taken from a backup before that. ContactSheet must \
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

  func validate() throws { try backup.map { try Paths.check($0, "The name of the backup (--from)") } }

  func run() async throws {
    let report = repair || backup != nil ? try await mend() : try await look()
    for problem in report.database { Terminal.standardError.line("The database is damaged: \(problem)") }
    for title in report.missing { Terminal.standardError.line("The file of “\(title)” is missing.") }
    for title in report.damaged { Terminal.standardError.line("The file of “\(title)” is damaged.") }
    for title in report.mismeasured { Terminal.standardError.line(Self.mismeasured(title)) }
    for title in report.unreadable { Terminal.standardError.line(Self.unreadable(title)) }
    if report.isUnfinishedBackup, !report.orphans.isEmpty {
      Terminal.standardError.line(
        "This is a backup that was cut off: the albums are those of the backup before, and \(report.orphans.count) originals of the next are"
          + " there already. Make the backup again to complete it.")
    } else {
      for name in report.orphans { Terminal.standardError.line("No album has the original \(name).") }
    }
    if !report.withoutThumbnail.isEmpty {
      Terminal.standardError.line(
        "\(report.withoutThumbnail.count) thumbnails are missing; they are made when they are needed.")
    }
    for name in data.folder.journalsAside { Terminal.standardError.line(journalAside(name)) }
    guard report.isGood else { throw ExitCode(65) }
    Terminal.standardOutput.line("All is well with \(report.photos) photos.")
  }

  /// The sentence on a journal that was put aside when another database took the name of its own.
  private func journalAside(_ name: String) -> String {
    let what =
      "“\(name)” is the journal of a database that another one has replaced: it holds what was written last to the former one."
    guard repair || backup != nil else {
      return what + " “contact-sheet check --repair” says how to read it."
    }
    return what
      + " To read it, make a new folder, put the former database into it as “contactsheet.sqlite” and a copy of the journal as"
      + " “contactsheet.sqlite-wal”, and look with “contact-sheet albums --data FOLDER”. Without the former database put the copy of the"
      + " journal there alone: “contact-sheet check --repair --data FOLDER” reads what is in it. Remove “\(name)” if nobody needs it."
  }

  /// The sentence on a file that the system does not let be read.
  static func unreadable(_ title: String) -> String {
    "The file of “\(title)” cannot be read. Give ContactSheet the right to read the data folder, or look at the disk."
  }

  private static func mismeasured(_ title: String) -> String {
    "The file of “\(title)” is whole, but the database has another size or checksum. “contact-sheet check --repair” takes them from the file."
  }

  private func look() async throws -> CheckReport {
    try data.folder.checkDatabaseExists()
    do {
      return try await Reading.run(data.folder) { try await $0.check() }
    } catch let error as ContactSheetError where error.code == .storage || error.code == .readOnly {
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
    var contents: BackupContents?
    try folder.checkIsDataFolder()
    rebuilt.wasMissing = folder.hasEmptyDatabase
    let library = try await OpenLibrary.open(folder, limits: limits, logger: Terminal.logger) { decoder in
      // Read before anything is changed: nothing is to be mended by half since the backup cannot be read.
      if let backup { contents = try await PhotoLibrary.contents(of: backup, for: folder) }
      if rebuilt.wasMissing {
        Terminal.standardError.line("The database is missing. A new one is made.")
        guard try await PhotoLibrary.hasJournalAlone(folder) else { return }
        rebuilt = try await PhotoLibrary.rebuildDatabase(of: folder, decoder: decoder)
        Self.report(rebuilt)
        return
      }
      let problems = try await PhotoLibrary.databaseProblems(of: folder)
      guard !problems.isEmpty else { return }
      for problem in problems { Terminal.standardError.line("The database is damaged: \(problem)") }
      rebuilt = try await PhotoLibrary.rebuildDatabase(of: folder, decoder: decoder)
      Self.report(rebuilt)
    }
    do {
      let mended: MendReport
      do {
        mended = try await library.library.mend(from: contents, rebuilt: rebuilt)
      } catch {
        Self.reportUntitled(rebuilt, but: nil)
        throw error
      }
      Self.reportUntitled(rebuilt, but: mended.restored)
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

  private static func report(_ rebuilt: RebuildReport) {
    Terminal.standardOutput.line(
      "Read \(rebuilt.photos) photos in \(rebuilt.albums) albums from \(rebuilt.wasMissing ? "the journal" : "the damaged database"), which is kept as"
        + " “\(rebuilt.keptAs)”. What was done before cannot be undone any more.")
    if rebuilt.lost > 0 {
      Terminal.standardError.line("The titles and places of \(rebuilt.lost) photos could not be read.")
    }
  }

  /// Names the photos and albums that have a made-up title now and got none from a backup.
  private static func reportUntitled(_ rebuilt: RebuildReport, but restored: RestoreReport?) {
    let untitled = rebuilt.untitled.filter { restored?.titledPhotos.contains($0.key) != true }
    for title in untitled.values.sorted() {
      Terminal.standardError.line("A photo's title could not be read; it is “\(title)” now, in its place.")
    }
    for (id, title) in rebuilt.lostCovers.sorted(by: { $0.value < $1.value })
    where restored?.coveredAlbums.contains(id) != true {
      Terminal.standardError.line(
        "The photo that was chosen for the cover of “\(title)” is not there any more. Its cover is its first photo."
      )
    }
    let albums = rebuilt.untitledAlbums.subtracting(restored?.titledAlbums ?? []).subtracting(
      restored?.leftAlbums ?? [])
    if !albums.isEmpty {
      Terminal.standardError.line(
        "The titles of \(albums.count) albums could not be read; they are “Recovered” now.")
    }
  }
}

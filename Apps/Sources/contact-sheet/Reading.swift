import ArgumentParser
import ContactSheet
import ContactSheetLibrary
import Foundation
import NIOCore

/// The common parts of the commands that only read: they work whether a server runs or not.
enum Reading {
  static func run<Result>(
    _ folder: DataFolder, _ body: (PhotoLibrary) async throws -> Result
  ) async throws -> Result {
    let library = try await PhotoLibrary.visit(folder, logger: Terminal.logger)
    do {
      let result = try await body(library)
      await library.close()
      return result
    } catch {
      await library.close()
      throw error
    }
  }

  /// The album of a title.
  static func album(titled title: String, in library: PhotoLibrary) async throws -> Album {
    let albums = try await library.albums().filter { $0.title == title }
    guard let album = albums.first else {
      throw ContactSheetError(
        .notFound, "There is no album “\(title)”. “contact-sheet albums” lists those that there are.")
    }
    if albums.count > 1 {
      Terminal.standardError.line(
        "There are \(albums.count) albums “\(title)”. This is about the first of them, with \(album.photoCount) photos; give"
          + " the others another title to name them.")
    }
    return album
  }
}

/// `contact-sheet albums`.
struct Albums: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the albums.", discussion: "One line each: the number of photos, a tab, the title.")

  @OptionGroup var data: DataOptions

  func run() async throws {
    try await Reading.run(data.folder) { library in
      for album in try await library.albums() {
        try Terminal.standardOutput.item("\(album.photoCount)\t\(album.title)")
      }
    }
  }
}

/// `contact-sheet export`.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write an album as a zip archive.",
    discussion: """
      The files come in the album's order, with a manifest that tells order, titles and dates. An earlier export that is there \
      is replaced when the archive is complete, if all of its photos are still in the library (any album, or the trash); one with \
      others and any other file are only with --replace. A folder, a link, a pipe or a device is \
      not replaced, and nothing is written in the data folder, by whatever links.
      """)

  @Argument(help: "The file to write.", completion: .file(extensions: ["zip"]))
  var file: String

  @Option(help: ArgumentHelp("The album's title.", valueName: "title"))
  var album = "My photos"

  @Flag(help: "Begin the names with 001_ and so on.")
  var numbered = false

  @Flag(
    help:
      "Replace the file also where it is no export of ContactSheet, or has photos that the library has not; it is lost."
  )
  var replace = false

  @OptionGroup var data: DataOptions

  func validate() throws { try Paths.check(file, "The name of the file to write") }

  func run() async throws {
    try await Reading.run(data.folder) { library in
      let album = try await Reading.album(titled: album, in: library)
      if !replace { try await library.checkHasAll(ofExportAt: file, exporting: album.id) }
      let export = try await library.export(album.id, numbered: numbered)
      let target = try PartialFile(file, outside: data.folder, replacing: replace)
      defer { target.discard() }
      let bar = ProgressBar(total: export.length >> 20, label: "Exporting MB")
      do {
        defer { bar.end() }
        var sent = 0
        try await export.send { portion in
          try target.append(portion)
          sent += portion.readableBytes
          bar.advance(to: sent >> 20)
        }
        try target.finish()
      }
      Terminal.standardOutput.line("Exported \(album.photoCount) photos to “\(file)”.")
    }
  }
}

/// `contact-sheet backup`.
struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy all albums to another folder, also while ContactSheet runs.",
    discussion: """
      The copy is a data folder of its own, with albums, trash and photos as they were when the backup began; the password is \
      not copied. Backing up to the same folder again copies only photos that are new or not whole there, and removes those \
      that were removed here. A backup that is cut off leaves the one before. Photos whose files are missing, damaged or cannot be read are \
      named, and the status is 65; of those that the backup has already, the library's files are looked at and not read, which “check” \
      does. A folder that holds what this library does not know is not overwritten: a backup of a newer state, \
      one that was used since, or one of another library. To go back to a backup, back it up to a new folder: “contact-sheet \
      backup new --data backup”. A library that came back so, or was repaired, may be older than other backups of it: the first \
      backup to one of them is refused, then, where it would lose something.
      """)

  @Argument(help: "The folder of the copy.")
  var target: String

  @Flag(
    help:
      "Overwrite the folder also where it has photos, albums, titles or an order that this library does not know; they are lost."
  )
  var replace = false

  @OptionGroup var data: DataOptions

  func validate() throws { try Paths.check(target, "The name of the backup's folder") }

  func run() async throws {
    let report = try await Reading.run(data.folder) {
      try await $0.backUp(to: DataFolder(path: target), replacing: replace)
    }
    for title in report.missing { Terminal.standardError.line("The file of “\(title)” is missing.") }
    for title in report.unreadable { Terminal.standardError.line(Check.unreadable(title)) }
    for title in report.damaged { Terminal.standardError.line("The file of “\(title)” is damaged.") }
    for title in report.onlyInCopy {
      Terminal.standardError.line("The library has lost the file of “\(title)”, which the backup still has.")
    }
    Terminal.standardOutput.line(
      "Backed up \(report.photos) photos to “\(target)”; \(report.copied) originals were new.")
    guard report.isComplete else {
      let count = report.missing.count + report.unreadable.count + report.damaged.count
      if count > 0 {
        Terminal.standardError.line(
          "\(count) \(count == 1 ? "photo is" : "photos are") not in the backup."
            + (report.unreadable.count == count
              ? "" : " Importing those that are missing or damaged mends them."))
      }
      if !report.onlyInCopy.isEmpty {
        Terminal.standardError.line(
          "“contact-sheet check --from” with the backup brings back what the library has lost.")
      }
      throw ExitCode(65)
    }
  }
}

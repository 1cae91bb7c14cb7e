import Foundation

/// Where photos go: a library in this process, or a running server.
package protocol ImportDestination: Sendable {
  /// Imports one file.
  ///
  /// - Throws: `ContactSheetError` that names the file.
  func importFile(_ file: ImportFile) async throws -> ImportOutcome
}

extension ImportDestination {
  /// Imports the file at a path.
  package func importFile(_ path: String) async throws -> ImportOutcome {
    try await importFile(ImportFile(path: path))
  }
}

/// An event of a folder's import.
package enum ImportEvent: Sendable {
  /// Something in a manifest that could not be read, in a sentence.
  case noted(String)
  /// The files to import, and how many others were passed over for not being pictures by their names.
  case found(files: Int, others: Int)
  /// A file was dealt with.
  case finished(file: String, Result<ImportOutcome, ContactSheetError>)
}

/// The result of an import.
package struct ImportSummary: Sendable, Hashable {
  /// Files that became photos.
  package var imported = 0
  /// Files whose content the album had already.
  package var duplicates = 0
  /// Photos whose stored file was missing or damaged, and is whole again.
  package var mended = 0
  /// Files that are others than a manifest says. They count as imported, or as duplicates.
  package var others = 0
  /// Photos that have another title than a manifest says, since that one could not be stored as it is.
  package var retitled = 0
  /// Whether photos came in without what a manifest said of them, since it could not be read.
  package var isManifestIncomplete = false
  /// Files that could not be imported.
  package var failed = 0
  /// Files that were not tried any more after an error that concerns all of them.
  package var untried = 0
  /// That error.
  package var fatal: ContactSheetError?
}

/// The files of an import that go into one album.
package struct ImportPart: Sendable {
  /// The album's title.
  package var title: String
  /// A sentence on a title that an album cannot have as it is.
  package var note: String?
  let source: ImportSource
}

/// Imports folders and files, several at a time, each as soon as there is room for it.
package struct FolderImport: Sendable {
  private let destination: any ImportDestination
  private let parallel: Int

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - destination: Where the photos go.
  ///   - parallel: How many files are on their way in at the same time.
  package init(to destination: any ImportDestination, parallel: Int = Settings().importsInParallel) {
    self.destination = destination
    self.parallel = max(1, parallel)
  }

  /// Imports files, the picture files of folders and the folders in them, in the order of their names, those of
  /// zip archives, and exports of albums, in their order and with their titles and dates.
  ///
  /// A file that cannot be imported does not stop the others; a full disk does, and so does a missing image library.
  ///
  /// - Parameters:
  ///   - paths: Files, folders and archives.
  ///   - report: Called with each event, one at a time.
  /// - Throws: `ContactSheetError.Code.unreadable` where a path does not exist; nothing is imported then.
  package func run(
    _ paths: [String], report: (ImportEvent) -> Void = { _ in }
  ) async throws -> ImportSummary {
    try await run(try await blocking { try ImportSource(paths) }, report: report)
  }

  /// Finds what is to be imported, and the album that each part of it goes to.
  ///
  /// - Parameters:
  ///   - paths: Files, folders and archives.
  ///   - album: The title of the album for all of it. Without one, each export goes into an album of its title, and what is in no
  ///     export into `otherwise`.
  /// - Throws: `ContactSheetError.Code.unreadable` where a path does not exist.
  package static func parts(
    of paths: [String], into album: String?, otherwise: String = "My photos"
  ) async throws -> [ImportPart] {
    let source = try await blocking { try ImportSource(paths) }
    if let album { return [ImportPart(title: album, source: source)] }
    return source.parts().map { exported, source in
      guard let exported else { return ImportPart(title: otherwise, source: source) }
      let fitting = albumTitle(fitting: exported)
      return ImportPart(title: fitting.title, note: fitting.note, source: source)
    }
  }

  /// Imports a part of what was found.
  package func run(
    _ part: ImportPart, report: (ImportEvent) -> Void = { _ in }
  ) async throws -> ImportSummary {
    try await run(part.source, report: report)
  }

  /// Returns as much of the title of an export's album as an album can have, and a sentence where that is not all of it.
  package static func albumTitle(fitting exported: String) -> (title: String, note: String?) {
    let title = Album.title(imported: exported)
    return (
      title, title.isExactly(exported) ? nil : Titles.note(on: "The album's title", exported, became: title)
    )
  }

  private func run(_ source: ImportSource, report: (ImportEvent) -> Void) async throws -> ImportSummary {
    let files = source.files
    report(.found(files: files.count, others: source.others))
    for note in source.notes { report(.noted(note)) }
    var summary = ImportSummary()
    summary.isManifestIncomplete = source.isIncomplete
    let destination = destination
    await withTaskGroup(of: (String, Result<ImportOutcome, ContactSheetError>).self) { group in
      var rest = files[...]
      func startNext() {
        guard summary.fatal == nil, !Task.isCancelled, let file = rest.popFirst() else { return }
        group.addTask { (file.name, await Self.importOne(file, to: destination)) }
      }
      for _ in 0..<parallel { startNext() }
      while let (name, result) = await group.next() {
        switch result {
        case .success(let outcome):
          if outcome.status == .imported { summary.imported += 1 } else { summary.duplicates += 1 }
          if outcome.isMended { summary.mended += 1 }
          if outcome.isOther { summary.others += 1 }
          if outcome.wantedTitle != nil { summary.retitled += 1 }
        case .failure(let error):
          summary.failed += 1
          if error.stopsImports, summary.fatal == nil { summary.fatal = error }
        }
        report(.finished(file: name, result))
        startNext()
      }
      summary.untried = rest.count
    }
    return summary
  }

  private static func importOne(
    _ file: ImportFile, to destination: any ImportDestination
  ) async -> Result<ImportOutcome, ContactSheetError> {
    do {
      return .success(try await destination.importFile(file))
    } catch let error as ContactSheetError {
      return .failure(error)
    } catch {
      return .failure(
        ContactSheetError(.internal, "“\(file.name)” could not be imported.", cause: "\(error)"))
    }
  }
}

extension ContactSheetError {
  /// Whether the next file would fail for the same reason.
  var stopsImports: Bool {
    switch code {
    case .diskFull, .readOnly, .unreachable, .inUse, .noImageLibrary: true
    default: false
    }
  }
}

/// An album of a library in this process.
package struct LibraryDestination: ImportDestination {
  private let library: PhotoLibrary
  private let albumID: Album.ID
  private let batch = ImportBatch()

  /// Names the album.
  package init(_ library: PhotoLibrary, album: Album) {
    self.library = library
    albumID = album.id
  }

  /// Imports one file into the album.
  package func importFile(_ file: ImportFile) async throws -> ImportOutcome {
    try await file.withPath(byteLimit: library.settings.byteLimit) { path in
      try await library.importFile(
        path, to: albumID, batch: batch, named: file.name, details: file.details)
    }
  }
}

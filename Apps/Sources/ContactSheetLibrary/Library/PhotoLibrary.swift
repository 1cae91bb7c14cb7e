import Foundation
import GRDB
package import Logging
import Synchronization

/// Albums of photos in a data folder: the one type that reads and writes them.
///
/// All changes of photos go through the database's transactions, and through one turn per content where
/// files are touched too; so that an import, a deletion and another import of the same photo cannot meet
/// halfway.
package final class PhotoLibrary: Sendable {
  /// The folder.
  package let folder: DataFolder
  /// Limits and sizes.
  package let settings: Settings
  package let records: RecordStore
  let decoder: any ImageDecoder
  package let logger: Logger
  let contents = KeyedGate<ContentHash>()
  let previews: PreviewBudget
  let isWaitingForBackups = Mutex(false)
  /// A Boolean value that indicates whether the disk is full, so that nothing can be changed but the trash be emptied.
  package var isDiskFull: Bool { records.reserve.isUsedUp }
  /// A Boolean value that indicates whether the disk has no room, also where nothing has failed for it yet: SQLite writes
  /// over the old pages of its journal first. Asks the system.
  package var hasNoRoom: Bool { isDiskFull || !Files.hasRoom(folder.database, bytes: 16 << 10, files: 0) }
  var originals: OriginalStore { OriginalStore(folder: folder) }

  private init(
    folder: DataFolder, settings: Settings, records: RecordStore, decoder: any ImageDecoder,
    logger: Logger
  ) {
    self.folder = folder
    self.settings = settings
    self.records = records
    self.decoder = decoder
    self.logger = logger
    previews = PreviewBudget(folder, bytes: settings.previewBytes)
  }

  /// Opens the library of a folder: brings the database up to date and clears up after a process that did
  /// not end by itself. The caller holds the folder's lock.
  ///
  /// - Parameters:
  ///   - folder: The folder; what is missing in it is made.
  ///   - settings: Limits and sizes.
  ///   - decoder: What reads pictures. The library stops it when it is closed.
  ///   - logger: Where warnings go.
  /// - Throws: `ContactSheetError` that names what cannot be read or written.
  package static func open(
    _ folder: DataFolder, settings: Settings = Settings(), decoder: any ImageDecoder, logger: Logger
  ) async throws -> PhotoLibrary {
    try await blocking {
      try folder.prepare()
      // Before there is a database: one that was just made has no row of any photo, and so proves nothing.
      if folder.hasEmptyDatabase { try OriginalStore(folder: folder).keepIntents() }
    }
    let records = try await RecordStore.open(folder)
    let library = PhotoLibrary(
      folder: folder, settings: settings, records: records, decoder: decoder, logger: logger)
    try await library.recover()
    return library
  }

  /// Opens the library of a folder to read it while another process has its lock. Nothing is cleared up.
  ///
  /// - Throws: `ContactSheetError.Code.notFound` where the folder has no database, and `ContactSheetError.Code.storage`
  ///   where it has photos all the same.
  package static func visit(_ folder: DataFolder, logger: Logger) async throws -> PhotoLibrary {
    try await blocking { try folder.checkDatabaseExists() }
    try folder.checkIsDataFolder()
    try await blocking { OwnersAlone.close(folder) }
    return PhotoLibrary(
      folder: folder, settings: Settings(), records: try await RecordStore.open(folder, isWritten: false),
      decoder: InProcessDecoder(), logger: logger)
  }

  /// Ends the decoder and closes the database.
  package func close() async {
    await decoder.stop()
    switch await records.close() {
    case .closed: break
    case .left:
      logger.warning(
        "The files of the database were replaced or written over by another program, and were left as they are",
        metadata: ["database": "\(folder.database)"])
    case .journalSetAside(let path):
      logger.warning(
        "Another database has taken the name of the one in use; its journal, with what was written last, was put aside",
        metadata: ["database": "\(folder.database)", "journal": "\(path)"])
    }
  }
}

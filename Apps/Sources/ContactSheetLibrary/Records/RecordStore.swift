import Foundation
import CVipsShim
package import LiveLists
import Synchronization

/// The database of the library, with errors in the user's words.
package struct RecordStore: Sendable {
  /// The store of live lists.
  package let store: SQLiteStore
  /// Room for the writes that make room.
  let reserve: Reserve
  /// The data folder as it was when the database was opened.
  let home: OpenFolder
  /// The files of the database as they were opened; `nil` where it is only read.
  let files: OpenDatabase?

  /// Stores that must not be closed.
  private static let leftOpen = Mutex<[(SQLiteStore, OpenDatabase?)]>([])

  /// The most times that room is made at a start: where other programs fill the disk meanwhile, it would never end.
  private static let maximumReleases = 64

  /// Opens the database and brings it up to date.
  ///
  /// On a disk that is full, what was set aside is used: albums can be seen then, and the trash be emptied.
  ///
  /// - Parameter isWritten: Whether the caller has the folder's lock, and writes.
  static func open(_ folder: DataFolder, isWritten: Bool = true) async throws -> RecordStore {
    let reserve = Reserve(folder)
    endByFullDisk.withUTF8Buffer { text in
      text.withMemoryRebound(to: CChar.self) { cs_explain_bus_errors($0.baseAddress, 74) }
    }
    // The records of an older version are brought up to date first, which takes more room the more there are.
    for _ in 0..<maximumReleases {
      do {
        try await blocking { try checkRoomForIndex(folder.database) }
        return try await open(folder, reserve, isWritten)
      } catch let error as ContactSheetError where error.code == .diskFull {
        guard try await blocking({ reserve.release() }) else { throw error }
      }
    }
    return try await open(folder, reserve, isWritten)
  }

  /// The last words where the disk is full at a moment in which SQLite cannot be told so, or its index in shared memory was cut off.
  private static let endByFullDisk: StaticString =
    "contact-sheet: The disk that holds the data folder is full, or another program has cut off a file of the database. Make room, or leave the files to ContactSheet, and start again. What was confirmed is stored.\n"

  /// Throws where SQLite's index in shared memory would end the process: of a page that lies in several blocks it makes sure of
  /// one only, and the system ends who writes to the others while the disk is full.
  private static func checkRoomForIndex(_ path: String) throws {
    guard cs_has_blocks_smaller_than_pages(Files.parent(of: path)) != 0,
      !Files.hasRoom(path, bytes: 128 << 10, files: 0)
    else { return }
    throw ContactSheetError(
      .diskFull, "The disk that holds “\(path)” is full. Make room and try again.")
  }

  private static func open(
    _ folder: DataFolder, _ reserve: Reserve, _ isWritten: Bool
  ) async throws -> RecordStore {
    do {
      let store = try await blocking {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        return try SQLiteStore(path: folder.database, configuration: configuration) { pool in
          let migrator = Schema.migrator()
          // New tables would hide the old ones.
          guard try !pool.read({ try DatabaseCheck.lacksSchema($0) }) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "The schema is empty.")
          }
          if let history = try pool.read({ try SchemaHistory($0) }), !history.unknown.isEmpty {
            guard history.isNewer else {
              throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "The table \(SchemaHistory.table) is damaged.")
            }
            throw ContactSheetError(
              .databaseTooNew,
              "“\(folder.database)” was made by a newer release of ContactSheet. Use that release, or newer.")
          }
          try migrator.migrate(pool)
        }
      }
      return RecordStore(
        store: store, reserve: reserve, home: OpenFolder(folder.path),
        files: isWritten ? try await blocking { OpenDatabase(folder.database, store.pool) } : nil)
    } catch {
      throw DatabaseFailure.explain(error, folder.database)
    }
  }

  /// Throws where another folder or file has the name of the data folder or the database. What is open is open still, but a new
  /// connection would read the other.
  func checkIsInPlace() throws(ContactSheetError) {
    try home.checkIsInPlace()
    try files?.checkIsInPlace()
  }

  /// Reads in one consistent state.
  ///
  /// - Throws: `ContactSheetError.Code.storage` where something else has the name of the data folder or the database, or they were
  ///   written over.
  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try checkIsInPlace()
    do {
      if let files, files.finding != nil {
        let pool = store.pool
        try await blocking { try files.checkBeforeReading(pool) }
      }
      let number = files?.number
      return try await store.read { [files] db in
        try files?.checkContent(db, since: number)
        return try body(db)
      }
    } catch {
      throw DatabaseFailure.explain(error, store.pool.path, isOpen: true)
    }
  }

  /// Writes in one transaction: all or nothing.
  ///
  /// - Parameters:
  ///   - origin: An identifier that travels with the change to whoever follows the lists: the mutation's id.
  ///   - makesRoom: Whether what is written makes room on the disk, so that the reserve is there for it.
  /// - Throws: `ContactSheetError.Code.diskFull` where there is no room, or only the reserve; `ContactSheetError.Code.storage` where
  ///   another folder has the name of the data folder, or the database or its journal were replaced or written over.
  func write<Result: Sendable>(
    origin: String? = nil, makesRoom: Bool = false, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try checkIsInPlace()
    if !makesRoom, reserve.isUsedUp {
      let reserve = reserve
      guard try await blocking({ reserve.fill() }) else {
        throw ContactSheetError(
          .diskFull,
          "The disk that holds “\(store.pool.path)” is full: photos can be seen, and the trash can be emptied. Make room"
            + " and try again.")
      }
    }
    do {
      return try await store.write(origin: origin) { [files] db in
        try files?.checkContent(db, since: files?.number)
        try files?.checkBeforeWriting()
        db.afterNextTransaction { _ in
          files?.endWriting(isCommitted: true)
        } onRollback: { _ in
          files?.endWriting(isCommitted: false)
        }
        files?.beginWriting()
        let before = db.totalChangesCount
        let result = try body(db)
        // A write that changes nothing stays none.
        if db.totalChangesCount != before { try files?.countWrite(in: db) }
        return result
      }.result
    } catch {
      throw DatabaseFailure.explain(error, store.pool.path, isOpen: true)
    }
  }

  /// Closes the database, as far as its files are what was opened.
  ///
  /// - Returns: Whether the files were closed, or left as they were.
  @discardableResult
  func close() async -> OpenDatabase.Ending {
    let (store, files) = (store, files)
    let ending = try? await blocking {
      let ending = files?.end(store.pool) ?? .closed
      guard case .closed = ending else {
        Self.leftOpen.withLock { $0.append((store, files)) }
        return ending
      }
      try? store.close()
      return ending
    }
    return ending ?? .closed
  }
}

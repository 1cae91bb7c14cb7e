import Foundation
import GRDB

/// The database of the library.
struct RecordStore: Sendable {
  private let pool: DatabasePool

  /// Opens the database and brings it up to date.
  static func open(_ folder: DataFolder) async throws -> RecordStore {
    do {
      let pool = try await blocking {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        let pool = try DatabasePool(path: folder.database, configuration: configuration)
        let migrator = Schema.migrator()
        guard try !pool.read({ try migrator.hasBeenSuperseded($0) }) else {
          throw ContactSheetError(
            .databaseTooNew,
            "“\(folder.database)” was made by a newer release of ContactSheet. Use that release, or newer.")
        }
        try migrator.migrate(pool)
        return pool
      }
      return RecordStore(pool: pool)
    } catch {
      throw DatabaseFailure.explain(error, folder.database)
    }
  }

  /// Reads in one consistent state.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    do {
      return try await pool.read(body)
    } catch {
      throw DatabaseFailure.explain(error, pool.path)
    }
  }

  /// Writes in one transaction: all or nothing.
  ///
  /// - Parameter origin: A tag that travels with the change to whoever follows the lists: the act's id.
  func write<Result: Sendable>(
    origin: String? = nil, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    do {
      return try await pool.write(body)
    } catch {
      throw DatabaseFailure.explain(error, pool.path)
    }
  }

  func close() async {
    try? await blocking { [pool] in try pool.close() }
  }
}

/// Turns what the database says into what the user is told.
enum DatabaseFailure {
  static func explain(_ error: any Error, _ path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    switch error.resultCode {
    case .SQLITE_FULL:
      return ContactSheetError(
        .diskFull, "The disk that holds “\(path)” is full. Make room and try again.", cause: "\(error)")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
      return ContactSheetError(
        .readOnly,
        "“\(path)” cannot be written. Give ContactSheet the right to write there, or choose another data folder.",
        cause: "\(error)")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return ContactSheetError(
        .inUse, "“\(path)” is locked by another program. Close that one and try again.", cause: "\(error)")
    case .SQLITE_NOTADB, .SQLITE_CORRUPT:
      return ContactSheetError(
        .storage,
        "“\(path)” is damaged. Restore it from a backup; the photos in “originals” are not touched.",
        cause: "\(error)")
    default:
      return ContactSheetError(.storage, "“\(path)” could not be used.", cause: "\(error)")
    }
  }
}

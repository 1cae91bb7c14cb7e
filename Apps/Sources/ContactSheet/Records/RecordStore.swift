import Foundation
import GRDB
import LiveFetch
import LiveFetchSQLite

/// The database of the library, with errors in the user's words.
struct RecordStore: Sendable {
  /// What live lists are made on.
  let store: SQLiteStore

  /// Opens the database and brings it up to date.
  static func open(_ folder: DataFolder) async throws -> RecordStore {
    do {
      let store = try await blocking {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        return try SQLiteStore(path: folder.database, configuration: configuration) { pool in
          let migrator = Schema.migrator()
          guard try !pool.read({ try migrator.hasBeenSuperseded($0) }) else {
            throw ContactSheetError(
              .databaseTooNew,
              "“\(folder.database)” was made by a newer release of ContactSheet. Use that release, or newer.")
          }
          try migrator.migrate(pool)
        }
      }
      return RecordStore(store: store)
    } catch {
      throw DatabaseFailure.explain(error, folder.database)
    }
  }

  /// Reads in one consistent state.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    do {
      return try await store.read(body)
    } catch {
      throw DatabaseFailure.explain(error, store.pool.path)
    }
  }

  /// Writes in one transaction: all or nothing.
  ///
  /// - Parameter origin: A tag that travels with the change to whoever follows the lists: the act's id.
  func write<Result: Sendable>(
    origin: String? = nil, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    do {
      return try await store.write(origin: origin, body)
    } catch {
      throw DatabaseFailure.explain(error, store.pool.path)
    }
  }

  func close() async {
    let store = store
    try? await blocking { try store.close() }
  }
}

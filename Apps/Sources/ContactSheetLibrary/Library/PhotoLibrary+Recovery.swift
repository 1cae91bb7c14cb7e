import Foundation
import GRDB
import Logging
import Synchronization

extension PhotoLibrary {
  /// Clears up after a process that was killed, and finishes deletions.
  func recover() async throws {
    let originals = originals
    let stored = try await records.read { db in
      try Set(String.fetchAll(db, sql: "SELECT contentHash FROM photo"))
    }
    let withdrawn = try await blocking {
      originals.recover { stored.contains($0.text) }
    }
    if !withdrawn.isEmpty {
      logger.notice("Took back imports that were cut off", metadata: ["photos": "\(withdrawn.count)"])
    }
    do {
      try await removeDiscarded()
    } catch let error as ContactSheetError where error.code == .diskFull {
      logger.warning("Deleted photos stay until there is room", metadata: ["error": "\(error)"])
    }
    let reserve = records.reserve
    try await blocking { _ = reserve.fill() }
  }

  /// Removes the files of photos whose rows are gone, where no other row wants them. While a backup runs they stay, and go
  /// when it has ended.
  func removeDiscarded() async throws {
    let folder = folder
    guard let turn = try await blocking({ try DeletionTurn.removingFiles(of: folder) }) else {
      removeDiscardedAfterBackups()
      return
    }
    defer { withExtendedLifetime(turn) {} }
    let hashes = try await records.read { db in
      try String.fetchAll(db, sql: "SELECT contentHash FROM discarded")
    }
    for text in hashes {
      guard let hash = ContentHash(text) else { continue }
      try await contents.pass(hash) { [self] in
        let isWanted = try await records.read { db in
          try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM photo WHERE contentHash = ?)", arguments: [text]) ?? true
        }
        if !isWanted {
          let originals = originals
          try await blocking { originals.remove(hash) }
        }
        try await records.write(makesRoom: true) { db in
          try db.execute(sql: "DELETE FROM discarded WHERE contentHash = ?", arguments: [text])
        }
      }
    }
  }

  /// Waits for the backups on a thread of its own, since that may take hours; what is left when the process ends is removed
  /// at the next start.
  private func removeDiscardedAfterBackups() {
    let isFirst = isWaitingForBackups.withLock { isWaiting in
      defer { isWaiting = true }
      return !isWaiting
    }
    guard isFirst else { return }
    let folder = folder
    Thread.detachNewThread { [weak self] in
      DeletionTurn.waitForBackups(of: folder)
      Task { [weak self] in
        self?.isWaitingForBackups.withLock { $0 = false }
        try? await self?.removeDiscarded()
      }
    }
  }
}

import Foundation
import GRDB
import Logging

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
    try await removeDiscarded()
  }

  /// Removes the files of photos whose rows are gone, where no other row wants them.
  func removeDiscarded() async throws {
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
        try await records.write { db in
          try db.execute(sql: "DELETE FROM discarded WHERE contentHash = ?", arguments: [text])
        }
      }
    }
  }
}

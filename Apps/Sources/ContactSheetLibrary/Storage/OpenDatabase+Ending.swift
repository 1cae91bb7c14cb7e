import GRDB

/// The end of a database's use where other programs did something to its files: only what is certainly not theirs is touched.
///
/// SQLite writes its journal into the database when the last connection is closed, and removes what has the journal's name. The files may
/// be other ones by then, or the same ones, that somebody put back: then what is in the journal is nowhere else. So whatever is not certain
/// is left as it is, as by a process that is killed, and the next start goes on with what is there.
extension OpenDatabase {
  /// Whether the database's files were closed, or left as they were.
  enum Ending: Sendable {
    /// SQLite closes them.
    case closed
    /// They are left as they are, and the system closes them with the process.
    case left
    /// So they are, but for a journal that has another name now, since it would have been read into another database.
    case journalSetAside(String)
  }

  /// Brings to its end what was confirmed. Called when nothing is written any more; blocks.
  ///
  /// - Returns: `closed` where the caller is to close the connections, and else what was done: to close them could change or remove
  ///   files that are not theirs.
  func end(_ pool: DatabasePool) -> Ending {
    switch finding {
    case nil:
      return isOurs(pool) ? .closed : .left
    case .otherDatabase, .databaseOverwritten:
      return isForeign ? setJournalAside() : .left
    case .otherJournal:
      // Writes the open journal into the database: what only it holds would be lost with it.
      guard isDatabaseAsNoted, checkpoint(pool) else { return .left }
      return Files.stamp(journalPath) == nil ? .left : setJournalAside()
    case .databaseMoved:
      // The file is ours, and who opens it next does not find the journal.
      if isDatabaseAsNoted { _ = checkpoint(pool) }
      return .left
    case .journalOverwritten:
      return .left
    }
  }

  /// Writes the journal into the database.
  ///
  /// - Returns: Whether all of it is there.
  private func checkpoint(_ pool: DatabasePool) -> Bool {
    guard let frames = try? pool.writeWithoutTransaction({ try $0.checkpoint(.passive) }) else {
      return false
    }
    return frames.walFrameCount == frames.checkpointedFrameCount
  }

  private func setJournalAside() -> Ending {
    let aside = Files.unused(DataFolder.journalAside(of: target))
    return (try? Files.rename(journalPath, to: aside)) == nil ? .left : .journalSetAside(aside)
  }
}

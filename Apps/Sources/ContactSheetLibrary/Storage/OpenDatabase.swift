import CVipsShim
import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of a database that SQLite has open, so that others which take their names or their contents are noticed: SQLite itself
/// would go on with both, and mix them.
///
/// A file of another name or number in the file system is another file. A file that was written over is known by its length or time,
/// which have changed since the last write while the index that SQLite keeps in shared memory has not: whoever writes by SQLite's
/// rules, in whatever process, changes that, too. Where the index was written over as well, as by a copy of a whole folder, nothing of
/// the files tells. So each time that a database is opened to be written it gets a random number, which each write makes one more, and
/// which every transaction reads: a copy from an earlier moment has an earlier one, a copy of another time or library any other.
final class OpenDatabase: Sendable {
  private struct State {
    /// The journal, once it is there.
    var journal: FileStamp?
    /// The files as they were after the last write.
    var noted: Contents?
    /// The number that the database has; `nil` where none found room yet.
    var number: Int32?
    /// The number that the write under way gives it.
    var next: Int32?
    /// The salts of the journal's round: SQLite begins a journal anew, with other salts, when all of it is in the database.
    var salts: [UInt8]?
    /// The numbers of the databases to which the round can be added; `nil` where it was begun before this run.
    var bases: Bases?
    /// The files that are not closed before the process ends.
    var leftOpen: [OpenFile] = []
  }

  /// The numbers that the database's file may have while a round of the journal lasts: SQLite writes the round into it bit by bit.
  private struct Bases {
    /// The number of the database when it was opened, where the round is the first one of the run.
    var former: Int32?
    /// The least number of the run. The greatest one is that of the last write.
    var least: Int32
  }

  /// The stamps by which the contents of the files are told from others.
  private struct Contents: Equatable {
    var database: FileStamp?
    var journal: FileStamp?
    var index: [UInt8]
  }

  private let path: String
  /// SQLite has its own files beside what a link leads to.
  let target: String
  /// The number of the file that was opened.
  private let file: FileStamp?
  /// The index, open until the database is closed: to close any file of it gives back the locks that SQLite has on it.
  private let index: OpenFile?
  private let state = Mutex(State())

  /// The bytes of the index that change with each commit and each checkpoint: two headers, and how much of the journal is in the
  /// database.
  private static let indexBytes = 100
  /// The offset of the salts in the index.
  private static let salts = 32..<40
  /// Their offset in the journal.
  private static let journalSalts = 16
  /// The offset in it that changes before a checkpoint writes to the database.
  private static let checkpointOffset = 128

  /// - Parameters:
  ///   - path: The database, which SQLite has open.
  ///   - pool: The connections to it.
  init(_ path: String, _ pool: DatabasePool) {
    self.path = path
    target = Files.real(path) ?? path
    index = try? OpenFile(reading: target + "-shm")
    file = Files.stamp(path)
    // The journal of a process that was killed goes into the database, so that the first write begins a round.
    _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
    let earlier = salts(of: indexContents)
    let (number, former) = (Self.randomNumber, try? pool.read { try Self.number(in: $0) })
    let isNumbered = (try? pool.write { try Self.write(number, in: $0) }) != nil
    let now = salts(of: indexContents)
    state.withLock {
      $0.number = isNumbered ? number : nil
      $0.salts = now
      if isNumbered, now != nil, now != earlier { $0.bases = Bases(former: former, least: number) }
    }
    // The file has the number of this run from now on, and none that it could share with another one.
    if isNumbered { _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) } }
    note(after: nil)
  }

  var journalPath: String { target + "-wal" }

  /// A number for a database, below which and above which there is room for all writes of a run.
  private static var randomNumber: Int32 { .random(in: 1...1 << 30) }

  /// Writes the number of a database, which SQLite keeps in the first page, for programs to use as they like.
  private static func write(_ number: Int32, in db: Database) throws {
    try db.execute(sql: "PRAGMA user_version = \(number)")
  }

  private static func number(in db: Database) throws -> Int32 {
    try Int32.fetchOne(db.cachedStatement(sql: "PRAGMA user_version")) ?? 0
  }

  /// Throws where another file has the name of the database, or a link leads to it by now: what is read next could come from either, or
  /// without the journal, which new connections seek beside what the link leads to.
  func checkIsInPlace() throws(ContactSheetError) {
    guard file?.isSameFile(as: Files.stamp(path)) != false, isAtTarget else { throw Self.replaced(path) }
  }

  /// Whether the path leads to the name under which SQLite opened the file, also where a folder above it was moved and is a link now.
  private var isAtTarget: Bool {
    guard let real = Files.real(path), !real.isExactly(target) else { return true }
    let (name, former) = (real.part(afterLast: "/") ?? "", target.part(afterLast: "/") ?? "")
    return name.isExactly(former) && Files.areOne(Files.parent(of: real), Files.parent(of: target))
  }

  /// Throws where something else is in the place of the database or its journal. Called in the turn to write, before anything is
  /// written.
  func checkBeforeWriting() throws(ContactSheetError) {
    if let found = finding { throw refusal(found) }
  }

  /// Forgets how the files are: of a write that fails, as on a full disk, a part may be in the journal, and nobody says that it has
  /// ended. `endWriting` follows.
  func beginWriting() { state.withLock { $0.noted = nil } }

  /// Gives the database its next number, with the write that is under way.
  func countWrite(in db: Database) throws {
    let next = state.withLock { state in
      let next = state.number.map { $0 + 1 } ?? Self.randomNumber
      state.next = next
      return next
    }
    try Self.write(next, in: db)
  }

  /// Remembers the files as they are after a write, and the number that it gave the database if it was not taken back. Called in the
  /// turn to write.
  func endWriting(isCommitted: Bool) {
    let former = state.withLock { state in
      let former = state.number
      if isCommitted { state.number = state.next ?? state.number }
      state.next = nil
      return former
    }
    note(after: former)
  }

  private func refusal(_ finding: Finding) -> ContactSheetError {
    switch finding {
    case .otherJournal, .journalOverwritten: Self.replaced(journalPath)
    case .otherDatabase, .databaseMoved, .databaseOverwritten: Self.replaced(path)
    }
  }

  /// The number of the last write, for a transaction that begins after it was asked for.
  var number: Int32? { state.withLock { $0.number } }

  /// Throws where what a transaction reads is not the database that was opened, but another one, or a copy from another time.
  ///
  /// - Parameter least: The number of the last write before the transaction began.
  func checkContent(_ db: Database, since least: Int32?) throws {
    guard let least else { return }
    let found = try Self.number(in: db)
    // A write may have ended since, of which this is not told yet.
    let most = state.withLock { $0.next ?? $0.number } ?? least
    guard found >= least, found <= most else { throw Self.replaced(path) }
  }

  /// Throws where files were written over: of what SQLite reads by its index some would come from the one and some from the other.
  ///
  /// Who writes by SQLite's rules changes the journal before the index. So what looks like that is looked at again in the turn to
  /// write, which nobody else has then, in whatever process. Blocks.
  func checkBeforeReading(_ pool: DatabasePool) throws {
    guard finding != nil else { return }
    try pool.writeWithoutTransaction { db in
      var found: Finding?
      do {
        try db.inTransaction(.immediate) {
          found = finding
          return .rollback
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        return
      }
      if let found { throw refusal(found) }
    }
  }

  /// Something that was done to the files by other programs, and not by SQLite's rules.
  enum Finding {
    /// Another file, or none, has the name.
    case otherDatabase, otherJournal
    /// A link has the name of the database, or has it no more: SQLite's other files would be sought elsewhere.
    case databaseMoved
    /// The file has other contents.
    case databaseOverwritten, journalOverwritten
  }

  /// The thing that was done to the files, as far as that is seen; `nil` where nothing was.
  var finding: Finding? {
    guard file?.isSameFile(as: Files.stamp(path)) != false else { return .otherDatabase }
    guard isAtTarget else { return .databaseMoved }
    let state = state.withLock { $0 }
    let now = contents()
    if let noted = state.noted, noted.index == now.index, noted.database != now.database {
      return .databaseOverwritten
    }
    guard state.journal?.isSameFile(as: now.journal) != false else { return .otherJournal }
    if let noted = state.noted, noted.index == now.index, noted.journal != now.journal {
      return .journalOverwritten
    }
    return nil
  }

  /// Remembers the files as they are. Called in the turn to write.
  ///
  /// - Parameter former: The number that the database had before the write.
  private func note(after former: Int32?) {
    let before = indexContents
    let contents = contents()
    state.withLock { state in
      // Where another process has written meanwhile, the files and the index may be of two moments.
      state.noted = index == nil || contents.index != before ? nil : contents
      state.journal = state.journal ?? contents.journal
      let salts = salts(of: contents.index)
      guard salts != state.salts else { return }
      state.salts = salts
      state.bases = former.map { Bases(former: nil, least: $0) }
    }
  }

  /// Returns whether what has the names of the files is what was opened and written, as far as the index tells, or the number where
  /// others wrote meanwhile: they may have written by SQLite's rules, or over all files.
  func isOurs(_ pool: DatabasePool) -> Bool {
    let (noted, number) = state.withLock { ($0.noted, $0.number) }
    if noted?.index == indexContents { return true }
    guard let number else { return true }
    return (try? pool.read { try Self.number(in: $0) }) == number
  }

  /// A Boolean value that indicates whether the database has not been touched since the last write.
  var isDatabaseAsNoted: Bool {
    let noted = state.withLock { $0.noted }
    return noted != nil && noted?.index == indexContents && noted?.database == Files.stamp(path)
  }

  /// A Boolean value that indicates whether the journal is for certain not that of the database which has the name now: it is our own, as
  /// the last write left it, and the database is one to which it cannot be added.
  var isForeign: Bool {
    let state = state.withLock { $0 }
    guard let noted = state.noted, let journal = noted.journal, journal == Files.stamp(journalPath),
      let salts = state.salts, let bases = state.bases, let greatest = state.number,
      (try? OpenFile(reading: journalPath))?.bytes(at: Self.journalSalts, count: salts.count) == salts,
      let header = leftOpen(path)?.bytes(at: 0, count: DatabaseHeader.size),
      let number = DatabaseHeader.number(header)
    else { return false }
    // A database with a journal of the old kind is none that is in use with one of the new.
    guard DatabaseHeader.hasJournalOfNewKind(header) else { return true }
    return number != bases.former && !(bases.least...max(greatest, bases.least)).contains(number)
  }

  /// Opens a file and leaves it open: closing it would give back the locks that SQLite has on it, where it is the same.
  private func leftOpen(_ path: String) -> OpenFile? {
    guard let file = try? OpenFile(reading: path) else { return nil }
    state.withLock { $0.leftOpen.append(file) }
    return file
  }

  private func salts(of index: [UInt8]) -> [UInt8]? {
    index.count >= Self.salts.upperBound ? Array(index[Self.salts]) : nil
  }

  private func contents() -> Contents {
    Contents(
      database: Files.stamp(path), journal: Files.stamp(journalPath),
      index: indexContents)
  }

  private var indexContents: [UInt8] {
    guard let index else { return [] }
    return index.bytes(at: 0, count: Self.indexBytes) + index.bytes(at: Self.checkpointOffset, count: 4)
  }

  private static func replaced(_ path: String) -> ContactSheetError {
    ContactSheetError(
      .storage,
      "“\(path)” was replaced, removed or written over by another program while ContactSheet used it, and nothing was changed."
        + " Start ContactSheet again: it goes on with what is there then.")
  }
}

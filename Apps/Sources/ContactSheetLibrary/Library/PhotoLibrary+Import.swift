package import Foundation
import GRDB

/// The outcome of the import of a file.
package struct ImportOutcome: Sendable, Hashable {
  /// Whether the file became a photo.
  package enum Status: String, Sendable, Hashable, CaseIterable, Codable {
    /// It is a photo of the album now.
    case imported
    /// The album had a photo with the same content already.
    case duplicate
  }

  /// The photo: the new one, or the one that was there.
  package var id: UUID
  /// Its title.
  package var title: String
  /// Whether it is new.
  package var status: Status
  /// A Boolean value that indicates whether the photo's stored file was missing or damaged, and is whole again by this
  /// import.
  package var isMended = false
  /// A Boolean value that indicates whether the file is another than a manifest says. It was imported as it is.
  package var isOther = false
  /// The title that a manifest says, where it could not be stored as it is.
  package var wantedTitle: String?

  /// Creates an outcome whose photo has the title that was wanted.
  package init(id: UUID, title: String, status: Status, isMended: Bool = false, isOther: Bool = false) {
    (self.id, self.title, self.status) = (id, title, status)
    (self.isMended, self.isOther) = (isMended, isOther)
  }

  /// The sentence on a title of a manifest that could not be stored as it is.
  ///
  /// - Parameter name: The name of the file.
  package func titleNote(on name: String) -> String? {
    wantedTitle.map { Titles.note(on: "The title of “\(TextCleaning.fileName(name))”", $0, became: title) }
  }

  /// Notes the title that a new photo should have, where it has another.
  package mutating func note(_ details: PhotoDetails) {
    guard status == .imported, let wanted = details.title, !wanted.isEmpty, !wanted.isExactly(title) else {
      return
    }
    wantedTitle = wanted
  }
}

extension PhotoLibrary {
  /// Imports a file of the user's, which stays where it is.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - albumID: The album.
  ///   - batch: The photos that come in together with it.
  ///   - name: What the file is called; by default, by its path.
  ///   - details: What is known of the photo besides.
  /// - Throws: `ContactSheetError` that names the file; nothing of it is kept then.
  package func importFile(
    _ path: String, to albumID: UUID, batch: ImportBatch? = nil, named name: String? = nil,
    details: PhotoDetails = PhotoDetails()
  ) async throws -> ImportOutcome {
    let name = TextCleaning.fileName(name ?? PathBytes.shown(path))
    let (folder, byteLimit) = (folder, settings.byteLimit)
    try records.checkIsInPlace()
    return try await naming(name) {
      let (file, received) = try await blocking {
        try IncomingFile.copy(of: path, into: folder, named: name, byteLimit: byteLimit)
      }
      return try await storeAndCompare(
        file, received, named: name, in: albumID, batch: batch, details: details)
    }
  }

  /// Imports what `receive` writes into a new file.
  ///
  /// - Parameters:
  ///   - name: The file's name as the other side calls it.
  ///   - albumID: The album.
  ///   - batch: The photos that come in together with it.
  ///   - details: What is known of the photo besides.
  ///   - receive: Called once with a function that takes the bytes in order.
  package func importStream(
    named name: String, to albumID: UUID, batch: ImportBatch? = nil, details: PhotoDetails = PhotoDetails(),
    receive: ((@escaping @Sendable (UnsafeRawBufferPointer) throws -> Void)) async throws -> Void
  ) async throws -> ImportOutcome {
    guard try await album(albumID) != nil else { throw Self.noSuchAlbum }
    try records.checkIsInPlace()
    let name = TextCleaning.fileName(name)
    let (folder, byteLimit) = (folder, settings.byteLimit)
    return try await naming(name) {
      let file = try await blocking { try IncomingFile(in: folder, named: name, byteLimit: byteLimit) }
      let received: IncomingFile.Received
      do {
        try await receive { try file.append($0) }
        received = try await blocking { try file.finish() }
      } catch {
        file.discard()
        throw error
      }
      return try await storeAndCompare(
        file, received, named: name, in: albumID, batch: batch, details: details)
    }
  }

  /// Stores a file, and notes where a manifest says that it is another: who made it may have edited the picture since, or
  /// somebody else put another in its place.
  private func storeAndCompare(
    _ file: IncomingFile, _ received: IncomingFile.Received, named name: String, in albumID: UUID,
    batch: ImportBatch?, details: PhotoDetails
  ) async throws -> ImportOutcome {
    var outcome = try await store(file, received, named: name, in: albumID, batch: batch, details: details)
    outcome.isOther = details.hash.map { $0 != received.hash } ?? false
    outcome.note(details)
    return outcome
  }

  /// Sees to it that what fails with the disk or the database names the file that is missing because of it.
  private func naming<Result>(_ name: String, _ work: () async throws -> Result) async throws -> Result {
    do {
      return try await work()
    } catch let error as ContactSheetError where !error.message.contains(name) {
      throw ContactSheetError(
        error.code, "“\(name)” was not imported. \(error.message)", cause: error.cause)
    }
  }

  /// Makes a photo of a file that lies complete in `incoming/`.
  private func store(
    _ file: IncomingFile, _ received: IncomingFile.Received, named name: String, in albumID: UUID,
    batch: ImportBatch?, details: PhotoDetails
  ) async throws -> ImportOutcome {
    let (thumbnail, preview) = (folder.temporary("jpg"), folder.temporary("jpg"))
    defer {
      // Whatever was moved to its place is not found here any more.
      file.discard()
      try? Files.remove(thumbnail)
      try? Files.remove(preview)
    }
    guard ImageFormat.claimed(by: received.head) != nil else {
      throw UnknownFormat.error(name: name, head: received.head)
    }
    if let known = try await known(file, received, in: albumID) {
      // It stays where it is. Where an order is imported, such as that of an export, others come beside it; else they
      // arrive at the end, wherever it is.
      if details.position != nil { batch?.insert(details.key(captureDate: nil, named: name, id: known.id)) }
      return known
    }
    // The disk and the processor work at the same time.
    async let synced: Void = blocking { try file.sync() }
    let image: DecodedImage
    do {
      let previews = previews
      // A nearly full disk is kept for photos; a preview can be made later, when somebody opens the photo.
      let hasRoom = try await blocking { previews.hasRoom }
      image = try await decoder.decode(
        DecodeRequest(
          source: received.path, target: thumbnail, name: name, box: settings.thumbnailBox,
          pixelLimit: settings.pixelLimit,
          preview: hasRoom ? .init(path: preview, box: settings.previewBox) : nil))
    } catch {
      try? await synced
      throw error
    }
    try await synced

    let hash = received.hash
    return try await contents.pass(hash) { [self] in
      let originals = originals
      let larger = image.hasPreview ? preview : nil
      let stored = try await blocking {
        try originals.place(received, thumbnail: thumbnail, preview: larger)
      }
      do {
        let outcome = try await commit(
          image, received, stored, named: name, in: albumID, batch: batch, details: details)
        let (previews, path) = (previews, image.hasPreview ? folder.preview(hash) : nil)
        try? await blocking {
          originals.confirm(stored)
          if let path { previews.add(path) }
        }
        return outcome
      } catch {
        try await withdraw(stored)
        throw error
      }
    }
  }

  /// The photo of the album that has the content of a received file already. Where its own file is missing or damaged,
  /// the one that was received takes its place.
  private func known(
    _ file: IncomingFile, _ received: IncomingFile.Received, in albumID: UUID
  ) async throws -> ImportOutcome? {
    guard try await records.read({ try Self.photo(received.hash, in: albumID, $0) }) != nil else {
      return nil
    }
    return try await contents.pass(received.hash) { [self] in
      // Looked at again: the trash may have been emptied meanwhile.
      guard var known = try await records.read({ try Self.photo(received.hash, in: albumID, $0) }) else {
        return nil
      }
      let originals = originals
      known.isMended = try await blocking {
        guard originals.condition(of: received) != .whole else { return false }
        try file.sync()
        try originals.mend(received)
        return true
      }
      return known
    }
  }

  private func commit(
    _ image: DecodedImage, _ received: IncomingFile.Received, _ stored: OriginalStore.Stored,
    named name: String, in albumID: UUID, batch: ImportBatch?, details: PhotoDetails
  ) async throws -> ImportOutcome {
    let title = Photo.title(imported: details.title ?? "", fileName: name)
    let captureDate = details.taken ?? image.header.captureDate
    let id = UUID()
    let key = details.key(captureDate: captureDate, named: name, id: id)
    let now = Timestamp(Date())
    return try await records.write { db in
      // Where other photos have the content, its file was there, or should have been.
      let isKnown = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM photo WHERE contentHash = ?)", arguments: [received.hash.text])
      let isMended = stored.mended || (stored.isNew && isKnown == true)
      if var known = try Self.photo(received.hash, in: albumID, db) {
        known.isMended = isMended
        return known
      }
      guard try Self.album(albumID, db) != nil else { throw Self.noSuchAlbum }
      let order = AlbumOrder(albumID: albumID, db: db)
      let target = try batch.map { try Self.target(of: key, in: $0, order) } ?? .end
      guard let rank = try order.ranks(1, at: target).first else {
        throw ContactSheetError(.internal, "“\(name)” got no position in its album.")
      }
      let photo = Photo(
        id: id, albumID: albumID, title: title, fileName: name, captureDate: captureDate,
        importedDate: now, contentHash: received.hash.text, width: image.header.width,
        height: image.header.height, byteCount: received.byteCount, format: image.header.format,
        rank: rank, color: image.color,
        checksum: received.checksum, dateText: captureDate?.searchText ?? "", trashedDate: nil)
      try photo.insert(db)
      // Within the transaction, so that the next photo of the batch sees this one; should the commit fail,
      // the key names a photo that is not there, and is passed over.
      batch?.insert(key)
      return ImportOutcome(id: id, title: title, status: .imported, isMended: isMended)
    }
  }

  /// Beside the nearest photo of the batch that is still in the album; without one, at the end.
  private static func target(
    of key: ImportBatch.Key, in batch: ImportBatch, _ order: AlbumOrder
  ) throws -> AlbumOrder.Target {
    try batch.withNeighbors(of: key) { before, after in
      for neighbor in before {
        if let position = try order.position(of: neighbor.id) { return .after(position) }
      }
      for neighbor in after {
        if let position = try order.position(of: neighbor.id) { return .before(position) }
      }
      return .end
    }
  }

  /// The photo that an album shows with a content.
  static func photo(_ hash: String, in albumID: UUID, _ db: Database) throws -> Photo? {
    let statement = try db.cachedStatement(
      sql: "SELECT * FROM photo WHERE albumID = ? AND contentHash = ? AND trashedDate IS NULL")
    return try Photo.fetchOne(statement, arguments: [albumID, hash])
  }

  private static func photo(_ hash: ContentHash, in albumID: UUID, _ db: Database) throws -> ImportOutcome? {
    try photo(hash.text, in: albumID, db).map {
      ImportOutcome(id: $0.id, title: $0.title, status: .duplicate)
    }
  }

  /// Takes a photo's files away again, unless another album has the photo. The caller has the content's turn.
  private func withdraw(_ stored: OriginalStore.Stored) async throws {
    let text = stored.hash.text
    let isWanted = try await records.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM photo WHERE contentHash = ?)", arguments: [text]) ?? true
    }
    let originals = originals
    try await blocking {
      if isWanted { originals.confirm(stored) } else { originals.withdraw(stored) }
    }
  }
}

extension PhotoDetails {
  /// Returns the value by which the photo is ordered in its batch.
  func key(captureDate: Timestamp?, named name: String, id: UUID) -> ImportBatch.Key {
    ImportBatch.Key(
      captureDate: position.map { Int64($0) } ?? captureDate?.microseconds ?? .max, fileName: name, id: id)
  }
}

/// Says what a file is that ContactSheet does not take, where its first bytes tell.
enum UnknownFormat {
  static func error(name: String, head: [UInt8]) -> ContactSheetError {
    func begins(_ sign: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: sign.utf8) }
    let known: [(sign: Bool, kind: String)] = [
      (begins("%PDF"), "a PDF document"),
      (begins("<svg") || begins("<?xml"), "an SVG drawing"),
      (begins("BM"), "a BMP picture"),
      (begins("ftypavif", at: 4), "an AVIF picture"),
      (begins("ftyp", at: 4), "a video"),
      (head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]), "a video"),
      (begins("PK\u{3}\u{4}"), "a zip archive"),
    ]
    guard let kind = known.first(where: \.sign)?.kind else {
      return DecodingFailure.error("", name: name, formatIsKnown: false)
    }
    return ContactSheetError(
      .unsupported,
      "“\(name)” is \(kind). ContactSheet takes JPEG, PNG, WebP, HEIC, GIF and TIFF files.")
  }
}

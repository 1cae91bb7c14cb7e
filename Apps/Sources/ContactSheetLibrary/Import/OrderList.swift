import Foundation

/// An order that somebody wrote down: an export, its manifest, or a list of photos.
package enum OrderList {
  /// An order as it was read.
  package struct Reading: Sendable {
    /// The order.
    package var order: PhotoOrder
    /// The parts of a manifest that could not be read, in sentences.
    package var notes: [String] = []
    /// Whether photos that the manifest names could not be read from it.
    package var isIncomplete = false

    /// Creates an order that was read whole.
    package init(order: PhotoOrder) { self.order = order }

    fileprivate init(_ manifest: ReadManifest, notes: [String]) {
      order = .hashes(manifest.photos.compactMap { $0.hash?.text })
      self.notes = notes + manifest.orderNotes
      isIncomplete = manifest.isIncomplete || !manifest.withoutHash.isEmpty
    }
  }

  /// The most photos that a manifest may name, as an archive can hold so many files.
  private static let photoLimit = 1_000_000

  /// Reads an order.
  ///
  /// - Parameters:
  ///   - path: A manifest, an export as folder or zip archive, or a text with one photo on each line: its id, the
  ///     SHA-256 of its file, its file's name or its title; what follows a tab is passed over.
  ///   - photos: The photos that may be named.
  /// - Throws: `ContactSheetError` that names the first line which names no photo, or more than one, and that says why a
  ///   manifest cannot be used.
  /// - Complexity: O(length of the file).
  package static func read(_ path: String, naming photos: [Photo]) throws -> Reading {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ContactSheetError(.unreadable, "There is no file “\(path)”.")
    }
    if !isFolder.boolValue, ZipReader.isArchive(path) {
      let manifest = try ZipReader(path).findManifest()
      guard let found = manifest.found else { throw noManifest(path) }
      return Reading(found.manifest, notes: manifest.notes)
    }
    guard isFolder.boolValue || mayBeManifest(path) else {
      do { return try list(path, photos) } catch let error as ListError { throw error.reason }
    }
    let file = isFolder.boolValue ? "\(path)/\(AlbumManifest.fileName)" : path
    do {
      switch try ManifestReader.file(file, photoLimit: photoLimit, advice: "") {
      case .manifest(let manifest)?: return Reading(manifest, notes: [])
      case .other? where !isFolder.boolValue:
        throw ContactSheetError(
          .damaged, "“\(TextCleaning.fileName(path))” cannot be used: it is no manifest of an album.")
      default: throw noManifest(path)
      }
    } catch let refusal as ContactSheetError where refusal.code == .damaged && !isFolder.boolValue {
      // A title may begin as a manifest does. Where the first line names a photo, what is wrong is a line.
      do { return try list(path, photos) } catch let error as ListError where error.line > 1 {
        throw error.reason
      } catch { throw refusal }
    }
  }

  /// Reads an order that comes by standard input: a manifest, or a text with one photo on each line.
  ///
  /// - Throws: as `read(_:naming:)`.
  /// - Complexity: O(length of the text).
  package static func read(standardInput bytes: some Collection<UInt8>, naming photos: [Photo]) throws
    -> Reading
  {
    func list() throws -> Reading {
      Reading(order: try lines(String(decoding: bytes, as: UTF8.self), naming: photos))
    }
    do {
      guard beginsAsManifest(bytes.prefix(256)) else { return try list() }
      do {
        let reading = try ManifestReader.read(named: "standard input", files: photoLimit, advice: "") {
          take in
          try take(Array(bytes))
        }
        if case .manifest(let manifest) = reading { return Reading(manifest, notes: []) }
        throw ContactSheetError(.damaged, "What came by standard input is no manifest of an album.")
      } catch let refusal as ContactSheetError where refusal.code == .damaged {
        do { return try list() } catch let error as ListError where error.line == 1 { throw refusal }
      }
    } catch let error as ListError {
      throw error.reason
    }
  }

  /// Returns whether a file is JSON by its name, or begins as JSON does and as titles seldom do.
  private static func mayBeManifest(_ path: String) -> Bool {
    if path.asciiLowercased.endsExactly(with: ".json") { return true }
    return beginsAsManifest((try? OpenFile(reading: path))?.bytes(at: 0, count: 256) ?? [])
  }

  private static func beginsAsManifest(_ head: some Sequence<UInt8>) -> Bool {
    let blanks = " \n\r\t\u{EF}\u{BB}\u{BF}".unicodeScalars.map { UInt8($0.value) }
    return ["{", "[", "\""].map { UInt8(ascii: $0) }.contains(head.first { !blanks.contains($0) } ?? 0)
  }

  /// A line of a list that names no photo, or several.
  private struct ListError: Error {
    /// Counted from 1, without blank lines.
    var line: Int
    var reason: ContactSheetError
  }

  private static func list(_ path: String, _ photos: [Photo]) throws -> Reading {
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try OpenFile(reading: path)
      bytes = file.bytes(at: 0, count: file.size)
    } catch {
      throw ContactSheetError.reading(path, error)
    }
    return Reading(order: try lines(String(decoding: bytes, as: UTF8.self), naming: photos))
  }

  /// Reads a list of photos, one on each line.
  package static func list(_ text: String, naming photos: [Photo]) throws -> PhotoOrder {
    do { return try lines(text, naming: photos) } catch let error as ListError { throw error.reason }
  }

  private static func lines(_ text: String, naming photos: [Photo]) throws -> PhotoOrder {
    var ids: [String: Set<UUID>] = [:]
    for photo in photos {
      for name in [photo.id.wireText, photo.contentHash, photo.fileName, photo.title] {
        ids[name, default: []].insert(photo.id)
      }
    }
    var order: [UUID] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let first = line.prefix { $0 != "\t" }.trimmingCharacters(in: .whitespaces)
      guard !first.isEmpty else { continue }
      let found = ids[first] ?? ids[first.lowercased()] ?? []
      guard found.count == 1, let id = found.first else {
        let what =
          found.isEmpty ? "no photo of the album" : "\(found.count) photos of the album; use their ids"
        throw ListError(
          line: order.count + 1,
          reason: ContactSheetError(
            .notFound, "“\(TextCleaning.oneLine(first, limit: 200))” names \(what)."))
      }
      order.append(id)
    }
    guard !order.isEmpty else { throw ContactSheetError(.badRequest, "The list names no photo.") }
    return .ids(order)
  }

  private static func noManifest(_ path: String) -> ContactSheetError {
    ContactSheetError(
      .notFound, "“\(path)” is no export of ContactSheet: it has no \(AlbumManifest.fileName).")
  }
}

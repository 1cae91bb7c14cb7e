import Foundation

/// An order that somebody wrote down: an export, its manifest, or a list of photos.
public enum OrderList {
  /// Reads an order.
  ///
  /// - Parameters:
  ///   - path: A manifest, an export as folder or zip archive, or a text with one photo on each line: its id, the
  ///     SHA-256 of its file, its file's name or its title; what follows a tab is passed over.
  ///   - photos: The photos that may be named.
  /// - Throws: `ContactSheetError` that names the first line which names no photo, or more than one.
  public static func read(_ path: String, naming photos: [Photo]) throws -> PhotoOrder {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists, !isFolder.boolValue, ZipReader.isArchive(path) {
      let archive = try ZipReader(path)
      guard let entry = archive.manifestEntry, case .manifest(let manifest) = try archive.manifest(entry)
      else {
        throw noManifest(path)
      }
      return .hashes(manifest.photos.compactMap { $0.hash?.text })
    }
    let file = isFolder.boolValue ? "\(path)/\(AlbumManifest.fileName)" : path
    guard let data = FileManager.default.contents(atPath: file) else {
      throw isFolder.boolValue
        ? noManifest(path) : ContactSheetError(.unreadable, "There is no file “\(path)”.")
    }
    if let manifest = AlbumManifest(data) { return .hashes(manifest.photos.map(\.hash)) }
    if isFolder.boolValue { throw noManifest(path) }
    return try list(String(decoding: data, as: UTF8.self), naming: photos)
  }

  /// Reads a list of photos, one on each line.
  public static func list(_ text: String, naming photos: [Photo]) throws -> PhotoOrder {
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
        throw ContactSheetError(.notFound, "“\(first)” names \(what).")
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

import Foundation

/// A file that is to become a photo.
package struct ImportFile: Sendable {
  enum Content: Sendable {
    case file(String)
    case entry(ZipReader.Entry, of: ZipReader)
    /// It cannot be imported, and is named instead.
    case failure(ContactSheetError)
  }

  let content: Content
  /// The name of the file.
  package let name: String
  /// The data of the photo besides the file.
  package internal(set) var details: PhotoDetails
  /// The title of the album that the export holds of which the file is a part.
  var albumTitle: String?

  init(_ content: Content, name: String, details: PhotoDetails = PhotoDetails()) {
    self.content = content
    self.name = name
    self.details = details
  }

  /// A file as it lies on the disk.
  package init(path: String) { self.init(.file(path), name: TextCleaning.fileName(PathBytes.shown(path))) }

  /// A file that a manifest names, and that is not there.
  static func missing(_ name: String, _ details: PhotoDetails) -> ImportFile {
    let error = ContactSheetError(
      .unreadable, "“\(name)” is named in \(AlbumManifest.fileName), but it is not there.")
    return ImportFile(.failure(error), name: name, details: details)
  }

  /// Gives the file a path while `body` runs: what lies in an archive is unpacked, under a name of ours.
  package func withPath<Result: Sendable>(
    byteLimit: Int, _ body: (String) async throws -> Result
  ) async throws -> Result {
    switch content {
    case .file(let path): return try await body(path)
    case .failure(let error): throw error
    case .entry(let entry, let archive):
      let handle = try await blocking { try Self.unpack(entry, of: archive, byteLimit: byteLimit) }
      defer { try? handle.close() }
      return try await body("/dev/fd/\(handle.fileDescriptor)")
    }
  }

  /// Unpacks an entry into a file without a name, which the system removes when it is closed, also after a kill.
  private static func unpack(
    _ entry: ZipReader.Entry, of archive: ZipReader, byteLimit: Int
  ) throws -> FileHandle {
    let path = NSTemporaryDirectory() + "contact-sheet-" + UUID().uuidString
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forUpdatingAtPath: path)
    else { throw ContactSheetError.writing(path, .last("open")) }
    try? Files.remove(path)
    do {
      var isFirst = true
      try archive.read(entry, limit: byteLimit) { bytes in
        // What does not begin as a picture is not unpacked to its end.
        if isFirst, ImageFormat.claimed(by: Array(bytes.prefix(16))) == nil {
          throw UnknownFormat.error(name: TextCleaning.fileName(entry.name), head: Array(bytes.prefix(16)))
        }
        isFirst = false
        do {
          try handle.write(contentsOf: bytes)
        } catch {
          throw ContactSheetError.writing(path, .last("write"))
        }
      }
      try handle.seek(toOffset: 0)
      return handle
    } catch {
      try? handle.close()
      throw error
    }
  }
}

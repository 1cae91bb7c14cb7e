import CVipsShim

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The name of a file that an export is to have, and what lies there until then. Its calls block.
struct ExportTarget: Sendable {
  /// The path as the user says it.
  let path: String
  /// The data folder, in which no file of the user's is written.
  let folder: DataFolder
  /// Whether a file that no export wrote may be replaced.
  let isReplacing: Bool

  /// The path of the folder that the file is to be in.
  var parent: String { Files.parent(of: absolute) }
  /// The absolute path.
  var absolute: String { DataFolder(path: path).path }

  /// Throws where the path names something that is not replaced: a folder, a link, a pipe, a device, anything in the data folder, and
  /// another program's file, unless that was said.
  func check() throws(ContactSheetError) {
    guard !path.isEmpty else {
      throw ContactSheetError(.badRequest, "The name of the file to write is empty. Name a file.")
    }
    if path.endsExactly(with: "/") || cs_is_folder(path) != 0 || cs_is_link_to_folder(path) != 0 {
      throw refusal("it is a folder. Name a file in it")
    }
    if cs_is_no_file(path) != 0 {
      throw refusal("it is a link, a pipe or a device, and no file. Choose another name")
    }
    if isInDataFolder {
      throw refusal("it lies in the data folder “\(folder.path)”. Name a file outside of it")
    }
    if !isReplacing, Files.size(path) != nil, !isExport {
      throw refusal(
        "there is a file which is no export of ContactSheet. Name another file, or say --replace to lose that one"
      )
    }
  }

  /// Whether the file lies in the data folder, in a folder to which a link in it leads, or is one of its files by another name.
  private var isInDataFolder: Bool {
    var folders = [folder.path] + folder.parts
    for part in folder.parts { folders += Files.names(in: part).map { "\(part)/\($0)" } }
    if Files.lies(parent, belowAnyOf: folders) { return true }
    // Single files of it may lie elsewhere by links.
    guard Files.size(path) != nil else { return false }
    let files =
      [folder.database] + folder.files
      + folders.flatMap { part in Files.names(in: part).map { "\(part)/\($0)" } }
    return files.contains { Files.areOne(path, $0) }
  }

  /// Whether the file is one that an export wrote, with nothing added to it, or is empty.
  private var isExport: Bool { Files.size(path) == 0 || earlierExport != nil }

  /// A photo that an earlier export holds.
  struct ExportedPhoto: Sendable, Hashable {
    /// The name of its file.
    var name: String
    /// The hash that the manifest says.
    var hash: ContentHash?
    /// The length of the file in the archive, in bytes.
    var size: Int
    /// The CRC-32 of the file in the archive.
    var checksum: UInt32
  }

  /// The photos of the export that the file is, with nothing added to it; `nil` where it is none.
  var earlierExport: [ExportedPhoto]? {
    guard ZipReader.isArchive(path), let archive = try? ZipReader(path),
      let (entry, manifest) = try? archive.findManifest().found, entry.name.isExactly(AlbumManifest.fileName)
    else { return nil }
    let named = Dictionary(manifest.photos.map { (ExactName($0.file), $0) }) { first, _ in first }
    var photos: [ExportedPhoto] = []
    for file in archive.entries where !file.name.isExactly(entry.name) {
      guard let photo = named[ExactName(file.name)] else { return nil }
      photos.append(
        ExportedPhoto(name: file.name, hash: photo.hash, size: file.size, checksum: file.checksum))
    }
    return photos
  }

  /// An error that names the file and says why it cannot be written.
  func refusal(_ reason: String, cause: SystemError? = nil) -> ContactSheetError {
    ContactSheetError(
      .readOnly, "“\(path)” cannot be written: \(reason).", cause: cause.map { "\($0.call): \($0.reason)" })
  }
}

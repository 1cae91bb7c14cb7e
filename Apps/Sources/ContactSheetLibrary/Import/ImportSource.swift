import CVipsShim
import Foundation

/// A source of an import, as users name it: files, folders, archives, and exports of ContactSheet as folder or archive.
struct ImportSource: Sendable {
  /// The files to import, in order.
  var files: [ImportFile] = []
  /// How many others were passed over for not being pictures by their names.
  var others = 0
  /// The titles of the albums that exports hold, also of empty ones.
  private var albumTitles: [String] = []
  /// The faults of manifests, in sentences.
  var notes: [String] = []
  /// Whether photos come in without what a manifest said of them.
  var isIncomplete = false
  /// How many photos have a position already: several exports follow each other.
  private var placed = 0

  /// Finds the files to import. What a user names is tried whatever its name; in folders and archives, names tell.
  ///
  /// - Throws: `ContactSheetError.Code.unreadable` where a path does not exist.
  init(_ paths: [String]) throws {
    for path in paths {
      let kind = PathBytes.with(path, cs_kind)
      if kind < 0, kind != -ENOENT, kind != -ENOTDIR {
        throw ContactSheetError.reading(path, SystemError(number: -kind, call: "stat"))
      }
      guard kind >= 0 else {
        throw ContactSheetError(.unreadable, "There is no file or folder “\(PathBytes.shown(path))”.")
      }
      if kind == 1 || kind == 2 {
        try belonging { source in try source.addFolder(path) }
      } else if ZipReader.isArchive(path) {
        try belonging { source in try source.addArchive(path) }
      } else if path.asciiLowercased.endsExactly(with: ".zip"), ZipReader.endsAsArchive(path) {
        throw ContactSheetError(
          .damaged,
          "“\(ImportFile(path: path).name)” cannot be read as a zip archive: there are other bytes before it, as in programs that"
            + " unpack themselves. Unpack it, and import the folder.")
      } else {
        files.append(ImportFile(path: path))
      }
    }
  }

  /// Adds files, which belong to the album that a manifest among them names.
  private mutating func belonging(_ add: (inout ImportSource) throws -> String?) rethrows {
    let start = files.count
    guard let title = try add(&self) else { return }
    albumTitles.append(title)
    for index in files[start...].indices where files[index].albumTitle == nil {
      files[index].albumTitle = title
    }
  }

  /// The same files, apart by the albums that they belong to, in the order in which these come first.
  func parts() -> [(albumTitle: String?, source: ImportSource)] {
    var parts: [(albumTitle: String?, source: ImportSource)] = []
    var indices: [ExactName?: Int] = [:]
    func part(of title: String?) -> Int {
      let key = title.map { ExactName($0) }
      if let index = indices[key] { return index }
      // What concerns all is told once.
      var source = parts.isEmpty ? self : Self.empty
      source.files = []
      indices[key] = parts.count
      parts.append((title, source))
      return parts.count - 1
    }
    for file in files { parts[part(of: file.albumTitle)].source.files.append(file) }
    for title in albumTitles { _ = part(of: title) }
    return parts.isEmpty ? [(nil, self)] : parts
  }

  private static let empty = ImportSource()
  private init() {}

  private mutating func addFolder(_ path: String) throws -> String? {
    var listed: Set<ExactName> = []
    let tree = FolderTree(path)
    if let error = tree.unlisted.first(where: { $0.path.isEmpty })?.error {
      throw ContactSheetError.reading(path, error)
    }
    let names = tree.files
    var title: String?
    switch try ManifestReader.file("\(path)/\(AlbumManifest.fileName)", photoLimit: names.count) {
    case .manifest(let manifest)?:
      title = manifest.album
      add(manifest) { name in
        // A name in a manifest is the name of a file beside it, and nothing else.
        guard name.isExactly(TextCleaning.lastPart(name)), Files.size("\(path)/\(name)") != nil else {
          return nil
        }
        listed.insert(ExactName("\(path)/\(name)"))
        return .file("\(path)/\(name)")
      }
    case .other?: notes.append(ManifestReader.otherNote)
    case .useless?, nil: break
    }
    notes += ManifestReader.notes(
      onUnused: names.filter { $0.endsExactly(with: "/" + AlbumManifest.fileName) }.sorted())
    notes += Self.notes(onLinks: tree.links)
    var (found, archives): ([String], [String]) = ([], [])
    for name in names {
      let last = name.parts(between: "/").last ?? ""
      let full = path + "/" + name
      if last.beginsExactly(with: ".") || listed.contains(ExactName(full)) { continue }
      if Self.isPicture(last) {
        found.append(full)
      } else if last.asciiLowercased.endsExactly(with: ".zip") {
        archives.append(full)
      } else if last != AlbumManifest.fileName {
        others += 1
      }
    }
    files += Self.sorted(found).map { ImportFile(path: $0) }
    addFailures(of: tree, in: path)
    for archive in Self.sorted(archives) {
      do {
        try belonging { source in try source.addArchive(archive) }
      } catch let error as ContactSheetError {
        // Named by itself, an archive that cannot be read stops everything; here it is one file of many.
        files.append(ImportFile(.failure(error), name: ImportFile(path: archive).name))
      }
    }
    return title
  }

  private static func sorted(_ paths: [String]) -> [String] {
    let keyed = paths.map { (key: NaturalOrder.Key($0), path: $0) }
    return keyed.sorted { $0.key < $1.key }.map(\.path)
  }

  /// Adds what could be photos and cannot be reached: each fails by itself, with its name and the reason.
  private mutating func addFailures(of tree: FolderTree, in path: String) {
    for (name, error) in tree.unlisted {
      let folder = PathBytes.shown("\(path)/\(name)")
      let message = "The folder “\(folder)” could not be read: \(error.reason). Nothing in it was imported."
      files.append(
        ImportFile(.failure(ContactSheetError(.unreadable, message)), name: ImportFile(path: name).name))
    }
    for (name, error) in tree.others {
      let last = name.parts(between: "/").last ?? ""
      if last.beginsExactly(with: ".") { continue }
      // A link to nothing and without an ending may have led to a folder; of what cannot be looked at nothing is known.
      let isKnown = error == .notRegular || [ENOENT, ELOOP].contains(error.number)
      if !isKnown || Self.isPicture(last) || !last.containsByte(of: ".") {
        let failure = ContactSheetError.reading("\(path)/\(name)", error)
        files.append(ImportFile(.failure(failure), name: ImportFile(path: name).name))
      } else {
        others += 1
      }
    }
  }

  private mutating func addArchive(_ path: String) throws -> String? {
    let archive = try ZipReader(path)
    var byName: [ExactName: ZipReader.Entry] = [:]
    for entry in archive.entries where byName[ExactName(entry.name)] == nil {
      byName[ExactName(entry.name)] = entry
    }
    var listed: Set<ExactName> = []
    let manifest = try archive.findManifest()
    notes += manifest.notes
    for entry in manifest.entries { listed.insert(ExactName(entry.name)) }
    if let (entry, manifest) = manifest.found {
      let folder = entry.name.utf8.dropLast(AlbumManifest.fileName.utf8.count)
      add(manifest) { name in
        guard let entry = byName[ExactName("\(Substring(folder))\(name)")] else { return nil }
        listed.insert(ExactName(entry.name))
        return .entry(entry, of: archive)
      }
    }
    for entry in archive.entries where !listed.contains(ExactName(entry.name)) {
      let last = TextCleaning.lastPart(entry.name)
      if !entry.isClutter, Self.isPicture(last[...]) {
        files.append(ImportFile(.entry(entry, of: archive), name: TextCleaning.fileName(entry.name)))
      } else if !entry.isClutter {
        others += 1
      }
    }
    return manifest.found?.1.album
  }

  private static func notes(onLinks paths: [String]) -> [String] {
    guard let first = paths.first else { return [] }
    let others = paths.count == 1 ? "" : " and \(paths.count - 1) more"
    return [
      "“\(ImportFile(path: first).name)”\(others), links to other folders, were not followed. To import those, name them."
    ]
  }

  /// Adds the photos of a manifest in its order.
  private mutating func add(_ manifest: ReadManifest, _ find: (String) -> ImportFile.Content?) {
    notes += manifest.notes
    isIncomplete = isIncomplete || manifest.isIncomplete
    for photo in manifest.photos {
      var details = PhotoDetails()
      details.title = photo.title
      details.taken = photo.taken
      details.position = placed
      details.hash = photo.hash
      placed += 1
      let name = TextCleaning.fileName(photo.fileName ?? photo.file)
      files.append(
        find(photo.file).map { ImportFile($0, name: name, details: details) } ?? .missing(name, details))
    }
  }

  private static func isPicture(_ name: Substring) -> Bool {
    let suffix = name.part(afterLast: ".")?.lowercased() ?? ""
    return ImageFormat.importedExtensions.contains(suffix)
  }
}

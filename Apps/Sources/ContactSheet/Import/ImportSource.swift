import Foundation

/// A source of an import, as users name it: files, folders, archives, and exports of ContactSheet as folder or archive.
struct ImportSource: Sendable {
  /// The files to import, in order.
  var files: [ImportFile] = []
  /// How many others were passed over for not being pictures by their names.
  var others = 0
  /// The album's title that an export says.
  var albumTitle: String?
  /// The faults of manifests, in sentences.
  var notes: [String] = []
  /// Whether photos come in without what a manifest said of them.
  var isIncomplete = false
  /// How many photos have a place already: several exports follow each other.
  private var placed = 0

  /// Finds the files to import. What a user names is tried whatever its name; in folders and archives, names tell.
  ///
  /// - Throws: `ContactSheetError.Code.unreadable` where a path does not exist.
  init(_ paths: [String]) throws {
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw ContactSheetError(.unreadable, "There is no file or folder “\(path)”.")
      }
      if isFolder.boolValue {
        try addFolder(path)
      } else if ZipReader.isArchive(path) {
        try addArchive(path)
      } else if path.asciiLowercased.endsExactly(with: ".zip"), ZipReader.endsAsArchive(path) {
        throw ContactSheetError(
          .damaged,
          "“\(TextCleaning.fileName(path))” cannot be read as a zip archive: there are other bytes before it, as in programs that"
            + " unpack themselves. Unpack it, and import the folder.")
      } else {
        files.append(ImportFile(path: path))
      }
    }
  }

  private mutating func addFolder(_ path: String) throws {
    guard Files.isListable(path) else { throw ContactSheetError.reading(path, .last("open")) }
    var listed: Set<ExactName> = []
    let (names, links) = Files.treeAndLinks(path)
    switch try ManifestReader.file("\(path)/\(AlbumManifest.fileName)", photoLimit: names.count) {
    case .manifest(let manifest)?:
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
    notes += Self.notes(onLinks: links)
    var found: [String] = []
    for name in names {
      let last = name.parts(between: "/").last ?? ""
      let full = path + "/" + name
      if last.beginsExactly(with: ".") || listed.contains(ExactName(full)) { continue }
      if Self.isPicture(last) { found.append(full) } else if last != AlbumManifest.fileName { others += 1 }
    }
    let keyed = found.map { (key: NaturalOrder.Key($0), path: $0) }
    files += keyed.sorted { $0.key < $1.key }.map { ImportFile(path: $0.path) }
  }

  private mutating func addArchive(_ path: String) throws {
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
  }

  private static func notes(onLinks paths: [String]) -> [String] {
    guard let first = paths.first else { return [] }
    let others = paths.count == 1 ? "" : " and \(paths.count - 1) more"
    return [
      "“\(TextCleaning.fileName(first))”\(others), links to other folders, were not followed. To import those, name them."
    ]
  }

  /// Adds the photos of a manifest in its order.
  private mutating func add(_ manifest: ReadManifest, _ find: (String) -> ImportFile.Content?) {
    notes += manifest.notes
    isIncomplete = isIncomplete || manifest.isIncomplete
    albumTitle = albumTitle ?? manifest.album
    for photo in manifest.photos {
      var details = PhotoDetails()
      details.title = photo.title
      details.taken = photo.taken
      details.place = placed
      details.hash = photo.hash
      placed += 1
      let name = TextCleaning.fileName(photo.fileName ?? photo.file)
      files.append(ImportFile(find(photo.file) ?? .missing, name: name, details: details))
    }
  }

  private static func isPicture(_ name: Substring) -> Bool {
    let suffix = name.part(afterLast: ".")?.lowercased() ?? ""
    return ImageFormat.importedExtensions.contains(suffix)
  }
}

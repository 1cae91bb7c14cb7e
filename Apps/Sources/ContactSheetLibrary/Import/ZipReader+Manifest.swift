extension ZipReader {
  /// The manifest of an export in an archive.
  struct FoundManifest {
    /// The manifest and its entry; `nil` where there is none that can be used.
    var found: (entry: Entry, manifest: ReadManifest)?
    /// The names of the entries that are called so.
    var entries: [Entry] = []
    /// The parts that were passed over, in sentences.
    var notes: [String] = []
  }

  /// Reads the manifest of an export. It lies at the top or in the one folder that the archive holds; of others of that name
  /// the first one counts that can be read, and those that cannot are somebody else's files.
  ///
  /// - Throws: `ContactSheetError` where that at the top is damaged, or names far more photos than the archive holds.
  func findManifest() throws -> FoundManifest {
    var result = FoundManifest()
    result.entries = entries.filter { TextCleaning.lastPart($0.name).isExactly(AlbumManifest.fileName) }
      .sorted { $0.name.utf8.count < $1.name.utf8.count }
    let top = topFolder
    var unused: [String] = []
    for (index, entry) in result.entries.enumerated() {
      let isAtTop = entry.name.isExactly(top + AlbumManifest.fileName)
      var reading: ManifestReader.Reading?
      if result.found == nil, isAtTop || index < Self.triedLimit {
        do {
          reading = try manifest(entry)
        } catch {
          if isAtTop { throw error }
        }
      }
      switch reading {
      case .manifest(let manifest)?: result.found = (entry, manifest)
      case .other? where isAtTop: result.notes.append(ManifestReader.otherNote)
      default: if entry.name.containsByte(of: "/") { unused.append(entry.name) }
      }
    }
    result.notes += ManifestReader.notes(onUnused: unused)
    return result
  }

  /// The most files of the manifest's name that are read.
  private static let triedLimit = 8

  /// The folder in which all lies that the archive holds, with a slash at its end, or nothing.
  private var topFolder: String {
    var top: [UInt8]?
    for entry in entries where !entry.isClutter {
      guard let before = top else {
        top = Array(entry.name.utf8)
        continue
      }
      let common = zip(before, entry.name.utf8).prefix { $0 == $1 }.count
      top = Array(before.prefix(common))
    }
    let slash = UInt8(ascii: "/")
    let end = top?.lastIndex(of: slash).map { $0 + 1 } ?? 0
    return String(decoding: (top ?? []).prefix(end), as: UTF8.self)
  }

  private func manifest(_ entry: Entry) throws -> ManifestReader.Reading {
    try ManifestReader.read(named: entry.name, files: entries.count) { take in
      try read(entry, limit: AlbumManifest.maximumLength) { try take($0) }
    }
  }
}

extension ZipReader.Entry {
  /// Whether it is one of the files that systems leave in archives.
  var isClutter: Bool {
    TextCleaning.lastPart(name).beginsExactly(with: ".") || name.beginsExactly(with: "__MACOSX/")
  }
}

extension ManifestReader {
  /// The note on a file that has the manifest's name and is something else.
  static let otherNote = "\(AlbumManifest.fileName) is no manifest of an album, and was passed over."

  /// The note on files in folders that have the manifest's name.
  static func notes(onUnused paths: [String]) -> [String] {
    guard let first = paths.first else { return [] }
    let folder = TextCleaning.fileName(
      String(Substring(first.utf8.dropLast(AlbumManifest.fileName.utf8.count + 1))))
    let others = paths.count == 1 ? "" : ", and \(paths.count - 1) more in other folders,"
    let verb = paths.count == 1 ? "was" : "were"
    return [
      "\(AlbumManifest.fileName) in the folder “\(folder)”\(others) \(verb) not used: it does not lie at the top of what is imported."
    ]
  }
}

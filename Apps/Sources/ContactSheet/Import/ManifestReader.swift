import Foundation

/// Reads a manifest as it comes, photo by photo: whoever made it decides how long it is, and not how much memory it takes.
///
/// The photos are cut out of their array and decoded one by one; the rest, which is short, is decoded in the end.
struct ManifestReader {
  /// Why a manifest is not read.
  enum Refusal: Error {
    /// Something in it is longer than a manifest's parts are.
    case tooLong
    /// It names more photos than the limit.
    case tooManyPhotos
  }

  private static let longestPhoto = 64 << 10
  private static let longestRest = 64 << 10
  private static let mark = Array("\"photos\":".utf8)

  private let photoLimit: Int
  private let decoder = JSONDecoder()
  private var photos: [ManifestEntry] = []
  private var unreadable = 0
  /// Whether the photo that is being read is longer than photos are, and is passed over to its end.
  private var isTooLong = false
  /// The manifest without the photos.
  private var rest: [UInt8] = []
  private var photo: [UInt8] = []
  private var depth = 0
  private var isInText = false
  private var isAfterBackslash = false
  private var isInPhotos = false

  /// Creates a reader.
  ///
  /// - Parameter photoLimit: How many photos are too many.
  init(photoLimit: Int) { self.photoLimit = photoLimit }

  /// Takes the next bytes.
  ///
  /// - Throws: `Refusal`.
  mutating func take(_ bytes: some Sequence<UInt8>) throws {
    for byte in bytes {
      if isInText {
        isInText = isAfterBackslash || byte != UInt8(ascii: "\"")
        isAfterBackslash = !isAfterBackslash && byte == UInt8(ascii: "\\")
        try keep(byte)
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        isInText = true
        try keep(byte)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if byte == UInt8(ascii: "["), depth == 1, rest.suffix(Self.mark.count).elementsEqual(Self.mark) {
          isInPhotos = true
          rest.append(byte)
        } else {
          try keep(byte)
        }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if isInPhotos, depth == 1 {
          try finishPhoto()
          isInPhotos = false
          rest.append(byte)
        } else {
          try keep(byte)
        }
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
      case UInt8(ascii: ",") where isInPhotos && depth == 2: try finishPhoto()
      default: try keep(byte)
      }
    }
  }

  /// The result of reading a whole file.
  enum Reading: Sendable, Hashable {
    case manifest(ReadManifest)
    /// Something else of that name.
    case other
    /// A manifest of which nothing can be used, and why.
    case useless(String)
  }

  private struct Rest: Decodable {
    var album: String?
    var format: Int?
    var hasPhotos: Bool
    var isManifest: Bool
    var lacksAlbum = false

    enum Key: String, CodingKey { case album, format, photos }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      album = try? container.decode(String.self, forKey: .album)
      lacksAlbum = album == nil
      format = try? container.decode(Int.self, forKey: .format)
      // They were cut out where they were recognized, which those of a text in UTF-16 are not.
      hasPhotos = (try? container.nestedUnkeyedContainer(forKey: .photos))?.count == 0
      isManifest = container.contains(.format) || container.contains(.photos)
    }
  }

  /// Returns the result, once all of the file was taken.
  func reading() -> Reading {
    // A list of photos that is cut off is closed behind the last whole one.
    let isCutOff = isInText || depth != 0
    guard let read = try? decoder.decode(Rest.self, from: Data(rest + (isInPhotos ? Array("]}".utf8) : [])))
    else { return .useless("it is damaged, or no text in UTF-8") }
    guard read.isManifest else { return .other }
    guard read.format == 1 else {
      return .useless("it is of a format that this release does not know; a newer one may")
    }
    guard read.hasPhotos else { return .useless("it has no list of photos that can be read") }
    var manifest = ReadManifest()
    (manifest.album, manifest.lacksAlbum) = (read.album, read.lacksAlbum)
    (manifest.photos, manifest.isCutOff) = (photos, isCutOff)
    manifest.unreadable = unreadable
    return .manifest(manifest)
  }

  private mutating func keep(_ byte: UInt8) throws {
    if isInPhotos {
      if photo.count < Self.longestPhoto { photo.append(byte) } else { isTooLong = true }
    } else {
      rest.append(byte)
      if rest.count > Self.longestRest { throw Refusal.tooLong }
    }
  }

  private mutating func finishPhoto() throws {
    guard !photo.isEmpty else { return }
    guard photos.count + unreadable < photoLimit else { throw Refusal.tooManyPhotos }
    if !isTooLong, let entry = try? decoder.decode(ManifestEntry.self, from: Data(photo)) {
      photos.append(entry)
    } else {
      unreadable += 1
    }
    photo.removeAll(keepingCapacity: true)
    isTooLong = false
  }
}

extension ManifestReader {
  /// The way to import photos whose manifest cannot be used.
  private static let adviceOfImports =
    " To import the photos without the order, titles and dates in it, take it away."

  /// Reads a manifest that lies beside photos; `nil` where there is none. Something else of that name is said to be there.
  ///
  /// - Parameters:
  ///   - photoLimit: How many files there are. Some may have been lost since.
  ///   - advice: What follows the reason for which a manifest cannot be used.
  /// - Throws: `ContactSheetError.Code.damaged` where it is not one of those files.
  static func file(_ path: String, photoLimit: Int, advice: String = adviceOfImports) throws -> Reading? {
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(reading: path)
    } catch {
      if error.number == ENOENT { return nil }
      throw ContactSheetError.reading(path, error)
    }
    return try read(named: path, files: photoLimit, advice: advice) { take in
      var offset = 0
      while true {
        let bytes = file.bytes(at: offset, count: 256 << 10)
        if bytes.isEmpty { break }
        offset += bytes.count
        try take(bytes)
      }
    }
  }

  fileprivate static func read(
    named name: String, files: Int, advice: String = adviceOfImports,
    _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws -> Reading {
    var reader = ManifestReader(photoLimit: 2 * files + 1000)
    do {
      try body { try reader.take($0) }
    } catch Refusal.tooManyPhotos {
      throw ContactSheetError(
        .damaged,
        "“\(TextCleaning.fileName(name))” names far more photos than there are beside it, and was not read.")
    } catch Refusal.tooLong {
      return .other
    }
    let reading = reader.reading()
    if case .useless(let reason) = reading {
      throw ContactSheetError(
        .damaged,
        "“\(TextCleaning.fileName(name))” cannot be used: \(reason).\(advice)")
    }
    return reading
  }
}

extension ZipReader {
  /// The manifest of an export in an archive.
  struct FoundManifest {
    /// The manifest and its entry; `nil` where there is none that can be used.
    var found: (entry: Entry, manifest: ReadManifest)?
    /// The names of the entries that are called so.
    var entries: [Entry] = []
    /// What was passed over, in sentences.
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
      if result.found == nil, isAtTop || index < Self.mostTried {
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
  private static let mostTried = 8

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
      try read(entry, limit: AlbumManifest.longest) { try take($0) }
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

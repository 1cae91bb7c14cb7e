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
  private var photos: [AlbumManifest.Entry] = []
  /// The manifest without the photos.
  private var rest: [UInt8] = []
  private var photo: [UInt8] = []
  private var depth = 0
  private var isInText = false
  private var isAfterBackslash = false
  private var isInPhotos = false
  private var isBroken = false

  /// Creates a reader.
  ///
  /// - Parameter photoLimit: How many photos are too many.
  init(photoLimit: Int) { self.photoLimit = photoLimit }

  /// Takes the next bytes.
  ///
  /// - Throws: `Refusal`.
  mutating func take(_ bytes: some Sequence<UInt8>) throws {
    for byte in bytes where !isBroken {
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
          isInPhotos = false
          rest.append(byte)
        } else {
          try keep(byte)
          if isInPhotos, depth == 2 { try finishPhoto() }
        }
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
      case UInt8(ascii: ",") where isInPhotos && depth == 2: break
      default: try keep(byte)
      }
    }
  }

  /// The manifest; `nil` where the file is something else of that name, or of a later format.
  func manifest() -> AlbumManifest? {
    guard !isBroken, photo.isEmpty,
      var manifest = try? decoder.decode(AlbumManifest.self, from: Data(rest)), manifest.format == 1
    else { return nil }
    manifest.photos += photos
    return manifest
  }

  private mutating func keep(_ byte: UInt8) throws {
    if isInPhotos {
      photo.append(byte)
      if photo.count > Self.longestPhoto { throw Refusal.tooLong }
    } else {
      rest.append(byte)
      if rest.count > Self.longestRest { throw Refusal.tooLong }
    }
  }

  private mutating func finishPhoto() throws {
    guard photos.count < photoLimit else { throw Refusal.tooManyPhotos }
    if let entry = try? decoder.decode(AlbumManifest.Entry.self, from: Data(photo)) {
      photos.append(entry)
    } else {
      isBroken = true
    }
    photo.removeAll(keepingCapacity: true)
  }
}

extension ManifestReader {
  /// Reads a manifest that lies beside photos; `nil` where there is none.
  ///
  /// - Parameter photoLimit: How many files there are. Some may have been lost since.
  /// - Throws: `ContactSheetError.Code.damaged` where it is not one of those files.
  static func file(_ path: String, photoLimit: Int) throws -> AlbumManifest? {
    guard let file = try? OpenFile(reading: path) else { return nil }
    return try read(named: path, files: photoLimit) { take in
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
    named name: String, files: Int, _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws -> AlbumManifest? {
    var reader = ManifestReader(photoLimit: 2 * files + 1000)
    do {
      try body { try reader.take($0) }
    } catch Refusal.tooManyPhotos {
      throw ContactSheetError(
        .damaged,
        "“\(TextCleaning.fileName(name))” names far more photos than there are beside it, and was not read.")
    } catch Refusal.tooLong {
      // Something else of that name.
      return nil
    }
    return reader.manifest()
  }
}

extension ZipReader {
  /// The manifest of an export: it lies at the top, or in the one folder that the archive holds.
  var manifestEntry: Entry? {
    entries.filter { TextCleaning.lastPart($0.name) == AlbumManifest.fileName }
      .min { $0.name.utf8.count < $1.name.utf8.count }
  }

  /// Reads the manifest that an entry holds; `nil` where it is something else of that name.
  ///
  /// - Throws: `ContactSheetError` where the entry is damaged, or names far more photos than the archive holds.
  func manifest(_ entry: Entry) throws -> AlbumManifest? {
    try ManifestReader.read(named: entry.name, files: entries.count) { take in
      try read(entry, limit: AlbumManifest.longest) { try take($0) }
    }
  }
}

import Foundation

/// Reads a manifest as it comes, photo by photo: whoever made it decides how long it is, and not how much memory it takes.
///
/// The photos are cut out of their array and decoded one by one; of the rest what is known is decoded in the end.
struct ManifestReader {
  /// Why a manifest is not read.
  enum Refusal: Error {
    /// Something in it is longer than a manifest's parts are.
    case tooLong
    /// It names more photos than the limit.
    case tooManyPhotos
  }

  private static let photoLimit = 6 * KnownMembers.maximumLength
  private static let restLimit = 2 * KnownMembers.maximumLength
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let mark = Array("\"photos\":".utf8)

  private static let names = ["album", "format", "photos"]

  private let photoLimit: Int
  private let decoder = JSONDecoder()
  private var photos: [ManifestEntry] = []
  private var unreadable = 0
  /// The manifest without the photos.
  private var rest = KnownMembers(Self.names, limit: Self.restLimit)
  private var photo = KnownMembers(ManifestEntry.names, limit: Self.photoLimit)
  private var depth = 0
  private var isInText = false
  private var isAfterBackslash = false
  private var isInPhotos = false
  /// The member that a photo has twice, and which photo; the first of them.
  private var repeated: String?

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
      // An object of a photo begins in the array, which is in the manifest.
      let outer = isInPhotos ? 2 : 0
      switch byte {
      case UInt8(ascii: "\""):
        isInText = true
        try keep(byte)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if byte == UInt8(ascii: "["), depth == 1, rest.bytes.suffix(Self.mark.count).elementsEqual(Self.mark)
        {
          try keep(byte)
          isInPhotos = true
        } else {
          try keep(byte, as: byte == UInt8(ascii: "{") && depth == outer ? .opening : .content)
        }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if isInPhotos, depth == 1 {
          try finishPhoto()
          isInPhotos = false
          try keep(byte)
        } else {
          try keep(byte, as: byte == UInt8(ascii: "}") && depth == outer ? .closing : .content)
        }
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): break
      case UInt8(ascii: ",") where isInPhotos && depth == 2: try finishPhoto()
      case UInt8(ascii: ",") where depth == outer + 1: try keep(byte, as: .comma)
      case UInt8(ascii: ":") where depth == outer + 1: try keep(byte, as: .colon)
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
      album = (try? container.decode(String.self, forKey: .album))
        .flatMap { ManifestEntry.isWithinLimit($0) ? $0 : nil }
      lacksAlbum = album == nil
      format = try? container.decode(Int.self, forKey: .format)
      // They were cut out where they were recognized, which those of a text in UTF-16 are not.
      hasPhotos = (try? container.nestedUnkeyedContainer(forKey: .photos))?.count == 0
      isManifest = container.contains(.format) || container.contains(.photos)
    }
  }

  /// Returns the result, once all of the file was taken.
  func reading() -> Reading {
    let isCutOff = isInText || depth != 0
    // A list of photos that is cut off is closed behind the last whole one.
    let data = Data(rest.bytes + (isInPhotos ? Array("]}".utf8) : []))
    guard let twice = try? JSONText.repeatedName(in: Array(data), of: Self.names) as String??,
      let read = try? decoder.decode(Rest.self, from: data)
    else { return .useless(Self.reason(data)) }
    guard rest.hasMembers else { return .useless("it is empty") }
    guard read.isManifest else { return .other }
    if let twice { return .useless("it has the member “\(twice)” twice") }
    guard read.format == 1 else {
      return .useless("it is of a format that this release does not know; a newer one may")
    }
    guard read.hasPhotos else { return .useless("it has no list of photos that can be read") }
    if let repeated { return .useless("it has the member \(repeated) twice") }
    var manifest = ReadManifest()
    (manifest.album, manifest.lacksAlbum) = (read.album, read.lacksAlbum)
    (manifest.photos, manifest.isCutOff) = (photos, isCutOff)
    manifest.unreadable = unreadable
    return .manifest(manifest)
  }

  /// The reason for which what is no object of a manifest cannot be used.
  private static func reason(_ data: Data) -> String {
    guard (try? JSONText.repeatedName(in: Array(data)) as String??) != nil else {
      return "it is damaged, or no text in UTF-8"
    }
    return switch try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) {
    case nil, is [String: Any]: "it is damaged, or no text in UTF-8"
    case is [Any]: "it is a list, and no manifest"
    default: "it is a single value, and no manifest"
    }
  }

  private mutating func keep(_ byte: UInt8, as role: KnownMembers.Role = .content) throws {
    if isInPhotos {
      photo.append(byte, as: role)
    } else {
      rest.append(byte, as: role)
      if rest.isTooLong { throw Refusal.tooLong }
    }
  }

  private mutating func finishPhoto() throws {
    guard !photo.bytes.isEmpty else { return }
    guard photos.count + unreadable < photoLimit else { throw Refusal.tooManyPhotos }
    defer { photo.removeAll() }
    // A mark of the byte order belongs to the beginning of a file.
    guard !photo.isTooLong, !photo.bytes.starts(with: Self.byteOrderMark),
      let twice = try? JSONText.repeatedName(in: photo.bytes, of: ManifestEntry.names) as String??
    else {
      unreadable += 1
      return
    }
    let entry = try? decoder.decode(ManifestEntry.self, from: Data(photo.bytes))
    if let entry { photos.append(entry) } else { unreadable += 1 }
    if let twice, repeated == nil {
      let file = twice.isExactly("file") ? nil : entry?.file
      let name = file.map { "“\(TextCleaning.fileName($0))”" } ?? "photo \(photos.count + unreadable)"
      repeated = "“\(twice)” of \(name)"
    }
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

  /// Reads a manifest that comes in portions.
  static func read(
    named name: String, files: Int, advice: String = adviceOfImports,
    _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws -> Reading {
    var reader = ManifestReader(photoLimit: 2 * files + 1000)
    let reading: Reading
    do {
      try body { try reader.take($0) }
      reading = reader.reading()
    } catch Refusal.tooManyPhotos {
      throw ContactSheetError(
        .damaged,
        "“\(TextCleaning.fileName(name))” names far more photos than there are beside it, and was not read.")
    } catch Refusal.tooLong {
      guard reader.rest.isObject else { return .other }
      reading = .useless("its parts without the photos are far longer than those of a manifest")
    }
    if case .useless(let reason) = reading {
      throw ContactSheetError(
        .damaged,
        "“\(TextCleaning.fileName(name))” cannot be used: \(reason).\(advice)")
    }
    return reading
  }
}

import Foundation

/// A photo of a manifest as it was read: what is wrong in it costs nothing but itself.
struct ManifestEntry: Decodable, Sendable, Hashable {
  /// A field that could not be read.
  enum Fault: Int, Sendable, Hashable, Comparable, CaseIterable {
    case title, fileName, taken, hash

    /// The name of the field in messages.
    var name: String {
      switch self {
      case .title: "title"
      case .fileName: "file name"
      case .taken: "date"
      case .hash: "hash"
      }
    }

    static func < (lhs: Fault, rhs: Fault) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The name of the photo's file in the export.
  var file: String
  var title: String?
  var fileName: String?
  /// When it was taken, which may be "not known"; `nil` where the manifest's date cannot be read.
  var taken: Timestamp??
  var hash: ContentHash?
  var faults: Set<Fault> = []

  private enum Key: String, CodingKey, CaseIterable { case file, title, fileName, taken, hash }
  /// The fields that are read.
  static let names = Key.allCases.map(\.rawValue)

  /// Decodes an entry.
  ///
  /// - Throws: where it does not say which file it is of.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    file = try container.decode(String.self, forKey: .file)
    guard Self.isWithinLimit(file) else {
      throw DecodingError.dataCorruptedError(forKey: .file, in: container, debugDescription: "too long")
    }
    title = text(.title, .title, container)
    fileName = text(.fileName, .fileName, container)
    let date = text(.taken, .taken, container)
    let timestamp = date.flatMap { Timestamp(iso8601: $0) }
    if date != nil, timestamp == nil { faults.insert(.taken) }
    taken = faults.contains(.taken) ? nil : .some(timestamp)
    let digits = text(.hash, .hash, container)
    hash = digits.flatMap { ContentHash($0.asciiLowercased) }
    if digits != nil, hash == nil { faults.insert(.hash) }
  }

  /// Returns whether a text of a manifest is not far too long, by the bytes of what it means and not of how it is written.
  static func isWithinLimit(_ text: String) -> Bool { text.utf8.count <= KnownMembers.textLimit }

  /// A text; `nil` where it is left out, or something else or too long, which is noted.
  private mutating func text(_ key: Key, _ fault: Fault, _ container: KeyedDecodingContainer<Key>) -> String?
  {
    do {
      let text = try container.decodeIfPresent(String.self, forKey: key)
      if text.map(Self.isWithinLimit) ?? true { return text }
    } catch {}
    faults.insert(fault)
    return nil
  }
}

/// A manifest as it was read, and what in it could not be.
struct ReadManifest: Sendable, Hashable {
  var album: String?
  /// The photos in the album's order.
  var photos: [ManifestEntry] = []
  /// How many photos of it could not be read at all.
  var unreadable = 0
  /// Whether the album's title is none.
  var lacksAlbum = false
  /// Whether the file ends before the manifest does.
  var isCutOff = false

  /// Whether photos are without what the manifest said of them.
  var isIncomplete: Bool { unreadable > 0 || isCutOff }

  /// The photos that cannot be found by their content, since the manifest says no hash of them.
  var withoutHash: [ManifestEntry] { photos.filter { $0.hash == nil } }

  /// The faults that concern whole photos, in sentences.
  private var photoNotes: [String] {
    let name = AlbumManifest.fileName
    var notes: [String] = []
    if isCutOff { notes.append("\(name) ends too early; it was read as far as it goes.") }
    if unreadable > 0 {
      let photos = unreadable == 1 ? "1 photo" : "\(unreadable) photos"
      notes.append("\(photos) of \(name) could not be read; files that it does not name follow the others.")
    }
    return notes
  }

  /// The faults that concern the order of photos which are known by their content, in sentences.
  var orderNotes: [String] {
    guard let first = withoutHash.first else { return photoNotes }
    let others = withoutHash.count == 1 ? "" : " and of \(withoutHash.count - 1) others"
    return photoNotes + [
      "The hash of “\(TextCleaning.fileName(first.file))”\(others) in \(AlbumManifest.fileName) is missing or could not be"
        + " read: the photo follows the others."
    ]
  }

  /// The faults of the manifest, in sentences.
  var notes: [String] {
    let name = AlbumManifest.fileName
    var notes = photoNotes
    if lacksAlbum { notes.append("The album's title in \(name) could not be read, and was passed over.") }
    for fault in ManifestEntry.Fault.allCases {
      let concerned = photos.filter { $0.faults.contains(fault) }
      guard let first = concerned.first else { continue }
      let others = concerned.count == 1 ? "" : " and of \(concerned.count - 1) others"
      notes.append(
        "The \(fault.name) of “\(TextCleaning.fileName(first.file))”\(others) in \(name) could not be read, and was passed over."
      )
    }
    return notes
  }
}

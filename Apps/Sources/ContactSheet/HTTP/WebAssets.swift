import Crypto
import Foundation
import ListStream

/// The files that make the pages: read once, served from memory by name, so no name can lead elsewhere.
struct WebAssets: Sendable {
  /// A file to serve.
  struct Asset: Sendable {
    var bytes: [UInt8]
    var contentType: String
    var tag: String
    /// The same, compressed, where that is worth it.
    var compressed: [UInt8]?
    /// What the compressed form is called: other bytes have another tag.
    var compressedTag: String

    init(bytes: [UInt8], contentType: String) {
      self.bytes = bytes
      self.contentType = contentType
      let name = ContentHash(digest: SHA256.hash(data: bytes)).text.prefix(20)
      tag = "\"\(name)\""
      compressedTag = "\"\(name)-gzip\""
      compressed = Compression.isWorthIt(contentType) ? Compression.gzip(bytes, .thorough) : nil
    }
  }

  private(set) var assets: [String: Asset]

  init(_ assets: [String: Asset]) { self.assets = assets }

  /// Reads the files of a folder; folders inside it come with their names, `icons/add.svg`.
  init(folder: URL) throws(ContactSheetError) {
    assets = [:]
    for path in FileManager.default.subpaths(atPath: folder.path) ?? [] {
      let url = folder.appendingPathComponent(path)
      guard Files.size(url.path) != nil else { continue }
      guard let data = FileManager.default.contents(atPath: url.path) else {
        throw ContactSheetError(
          .internal, "The page's file “\(path)” cannot be read. Install ContactSheet again.")
      }
      assets[path] = Asset(bytes: Array(data), contentType: Self.contentType(of: path))
    }
  }

  /// The pages of the app.
  static func pages() throws(ContactSheetError) -> WebAssets {
    guard let folder = Bundle.module.url(forResource: "Pages", withExtension: nil) else {
      throw ContactSheetError(.internal, "The pages are missing. Install ContactSheet again.")
    }
    return try WebAssets(folder: folder)
  }

  /// The browser's half of the live list.
  static func listFiles() -> WebAssets {
    WebAssets(BrowserFiles.all.mapValues { Asset(bytes: Array($0.bytes), contentType: $0.contentType) })
  }

  subscript(name: String) -> Asset? { assets[name] }

  /// The text of a template with its places filled in, each escaped for HTML.
  ///
  /// - Parameters:
  ///   - values: What goes into the places, as text.
  ///   - markup: What goes into places as HTML that was made here.
  func page(
    _ name: String, filling values: [String: String], markup: [String: String] = [:]
  ) -> String? {
    guard let asset = assets[name] else { return nil }
    var rest = String(decoding: asset.bytes, as: UTF8.self)[...]
    var text = ""
    // From the start to the end, so that what was filled in is never looked at for places.
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      let place = String(rest[open.upperBound..<close.lowerBound])
      text += rest[..<open.lowerBound]
      text += markup[place] ?? values[place].map { Self.escaped($0) } ?? ""
      rest = rest[close.upperBound...]
    }
    return text + rest
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
    return result
  }

  static func contentType(of path: String) -> String {
    let suffix = path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
    return switch suffix {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json", "webmanifest": "application/json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    default: "application/octet-stream"
    }
  }
}

import ContactSheetLibrary
import Foundation
import LiveLists
import Synchronization

/// The files that make the pages: read once, served from memory by name, so no name can lead elsewhere.
struct WebAssets: Sendable {
  /// A file to serve.
  struct Asset: Sendable {
    /// The file, of scripts and style sheets without comments.
    var bytes: [UInt8]
    var contentType: String
    var tag: String
    /// The entity tag of the compressed form: other bytes have another tag.
    var compressedTag: String
    /// The compressed form, where a file of this type has one.
    private let gzip: CompressedForm?

    init(bytes: [UInt8], contentType: String) {
      let bytes = SourceComments.removed(from: bytes, contentType: contentType)
      self.bytes = bytes
      self.contentType = contentType
      let name = ContentHash(digest: SHA256.hash(bytes)).text.prefix(20)
      tag = "\"\(name)\""
      compressedTag = "\"\(name)-gzip\""
      gzip = Compression.isWorthIt(contentType) ? CompressedForm() : nil
    }

    /// The same bytes, compressed, where that is worth it. They are made when they are first asked for.
    var compressed: [UInt8]? { gzip?.form(of: bytes) }
  }

  /// The compressed form of one file. All copies of the file share it.
  private final class CompressedForm: Sendable {
    private let form = Mutex<[UInt8]??>(nil)

    func form(of bytes: [UInt8]) -> [UInt8]? {
      form.withLock { form in
        if let form { return form }
        let made = Compression.gzip(bytes, .thorough)
        form = .some(made)
        return made
      }
    }
  }

  private(set) var assets: [String: Asset]
  /// The path of the server, which templates put before their addresses.
  private(set) var path = ServerPath.top

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

  /// The pages of the app, for a server at a path.
  static func pages(at path: ServerPath = .top) throws(ContactSheetError) -> WebAssets {
    var pages = try pageFiles.get()
    pages.path = path
    return pages
  }

  // Read once in a process, also where it has several servers, as tests have.
  private static let pageFiles = Result { () throws(ContactSheetError) in
    guard let folder = Bundle.module.url(forResource: "Pages", withExtension: nil) else {
      throw ContactSheetError(.internal, "The pages are missing. Install ContactSheet again.")
    }
    return try WebAssets(folder: folder)
  }

  /// The browser's half of the live list.
  static let listFiles = WebAssets(
    BrowserFiles.all.mapValues { Asset(bytes: Array($0.bytes), contentType: $0.contentType) })

  subscript(name: String) -> Asset? { assets[name] }

  /// A name of these files and others together, which is another where one of them is.
  func tag(with others: WebAssets) -> String {
    let files = [assets, others.assets].flatMap { files in
      files.map { "\($0.key) \($0.value.tag)\n" }.sorted()
    }
    return String(ContentHash(digest: SHA256.hash(Array(files.joined().utf8))).text.prefix(20))
  }

  /// The text of a template with its slots filled in, each escaped for HTML. The slot `base` is the server's path.
  ///
  /// - Parameters:
  ///   - values: What goes into the slots, as text.
  ///   - markup: What goes into slots as HTML that was made here.
  func page(
    _ name: String, filling values: [String: String], markup: [String: String] = [:]
  ) -> String? {
    guard let asset = assets[name] else { return nil }
    let values = values.merging(["base": path.text]) { $1 }
    let bytes = asset.bytes
    var (text, next): ([UInt8], Int) = ([], 0)
    // From the start to the end, so that what was filled in is never looked at for slots.
    while let open = bytes.position(of: UInt8(ascii: "{"), UInt8(ascii: "{"), in: next..<bytes.count),
      let close = bytes.position(of: UInt8(ascii: "}"), UInt8(ascii: "}"), in: open + 2..<bytes.count)
    {
      let slot = String(decoding: bytes[(open + 2)..<close], as: UTF8.self)
      text += bytes[next..<open]
      text += (markup[slot] ?? values[slot].map { Self.escaped($0) } ?? "").utf8
      next = close + 2
    }
    return String(decoding: text + bytes[next...], as: UTF8.self)
  }

  /// Text as HTML, in elements and in quoted attributes.
  ///
  /// By bytes, as browsers read it: a special character that shares a `Character` with a mark beside it is special all the
  /// same.
  static func escaped(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      case UInt8(ascii: "'"): result += "&#39;".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  static func contentType(of path: String) -> String {
    let suffix = path.part(afterLast: ".").map { $0.lowercased() } ?? ""
    return switch suffix {
    case "html": "text/html; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "json": "application/json"
    case "webmanifest": "application/manifest+json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "ico": "image/x-icon"
    case "woff2": "font/woff2"
    default: "application/octet-stream"
    }
  }
}

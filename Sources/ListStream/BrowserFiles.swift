public import Foundation

/// A file of the browser's half of a live list.
public struct BrowserFile: Sendable, Hashable {
  /// Its path below the folder of them all, such as `live-list.js` or `view/rows.js`; other files refer to it by that.
  public let name: String
  /// Its type, as a server says it.
  public let contentType: String
  /// Its bytes.
  public let bytes: Data
}

/// The browser's half of a live list: the `<live-list>` element and what belongs to it, for a server to serve.
public enum BrowserFiles {
  /// All files, by their paths. A server has them at addresses of these paths below one of its own.
  public static let all: [String: BrowserFile] = load()

  /// The file of a path, such as `live-list.js` or `view/rows.js`, or `nil` if there is none.
  public static func named(_ name: String) -> BrowserFile? { all[name] }

  private static func load() -> [String: BrowserFile] {
    var files: [String: BrowserFile] = [:]
    let folder = Bundle.module.bundleURL.appendingPathComponent("Browser")
    for name in FileManager.default.subpaths(atPath: folder.path) ?? [] {
      let url = folder.appendingPathComponent(name)
      guard let contentType = contentTypes[url.pathExtension], let bytes = try? Data(contentsOf: url) else {
        continue
      }
      files[name] = BrowserFile(name: name, contentType: contentType, bytes: bytes)
    }
    return files
  }

  private static let contentTypes = [
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
  ]
}

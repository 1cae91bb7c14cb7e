import ContactSheetLibrary
/// Which modules a page's script imports, and what these import in turn, from the scripts themselves.
///
/// A browser learns of a module's imports only when it has the module. Pages therefore name all of them at once.
struct ModuleGraph: Sendable {
  /// The addresses that each module names, in their order.
  private var direct: [String: [String]] = [:]

  /// - Parameter folders: Folders of scripts by the names that they have in addresses.
  init(folders: [String: WebAssets]) {
    let scripts = folders.flatMap { folder, files in
      files.assets.filter { $0.key.endsExactly(with: ".js") }.map { ("\(folder)/\($0.key)", $0.value.bytes) }
    }
    let addresses = Set(scripts.map(\.0))
    for (address, bytes) in scripts {
      direct[address] = Self.named(in: bytes).map { Self.resolved($0, from: address) }.filter(
        addresses.contains)
    }
  }

  /// The addresses, below the server's path, of what a module imports before it runs: those that it names first come first.
  ///
  /// - Parameter entry: The module's own address, `assets/album.js`. It is not among them.
  func imports(of entry: String) -> [String] {
    var found = [entry]
    var next = 0
    while next < found.count {
      for address in direct[found[next]] ?? [] where !found.contains(address) { found.append(address) }
      next += 1
    }
    return Array(found.dropFirst())
  }

  /// The links that make a browser fetch what a module imports along with the module.
  func preloads(of entry: String, at path: ServerPath) -> String {
    imports(of: entry)
      .map { #"<link rel="modulepreload" href="\#(WebAssets.escaped("\(path.text)/\($0)"))">"# }
      .joined()
  }

  /// The modules that one names in lines such as `import { a } from './b.js';`; `import('./b.js')` is for later.
  private static func named(in script: [UInt8]) -> [String] {
    script.lines.compactMap { line in
      guard !line.isEmpty, firstBytes.contains(script[line.lowerBound]) else { return nil }
      let text = String(decoding: script[line], as: UTF8.self)
      guard ["import ", "export ", "} from "].contains(where: { text.beginsExactly(with: $0) }) else {
        return nil
      }
      let parts = text.parts(between: "'")
      guard parts.count == 3, parts[0].containsExactly(" from ") || parts[0].isExactly("import ") else {
        return nil
      }
      return String(parts[1])
    }
  }

  private static let firstBytes = Array("ie}".utf8)

  /// An address that is relative to another, as `../b/c.js`.
  private static func resolved(_ relative: String, from address: String) -> String {
    var steps = address.parts(between: "/").dropLast().map { String($0) }
    for step in relative.parts(between: "/") {
      switch step {
      case ".": break
      case "..": _ = steps.popLast()
      default: steps.append(String(step))
      }
    }
    return steps.joined(separator: "/")
  }
}

/// Which modules a page's script imports, and what these import in turn, from the scripts themselves.
///
/// A browser learns of a module's imports only when it has the module. Pages therefore name all of them at once.
struct ModuleGraph: Sendable {
  /// Folders of scripts by the names that they have in addresses.
  let folders: [String: WebAssets]

  /// The addresses, below the server's path, of what a module imports before it runs: those that it names first come first.
  ///
  /// - Parameter entry: The module's own address, `assets/album.js`. It is not among them.
  func imports(of entry: String) -> [String] {
    var found = [entry]
    var next = 0
    while next < found.count {
      for address in direct(found[next]) where !found.contains(address) { found.append(address) }
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
  private func direct(_ address: String) -> [String] {
    guard let script = script(at: address) else { return [] }
    return String(decoding: script.bytes, as: UTF8.self).parts(between: "\n").compactMap { line -> String? in
      guard ["import ", "export ", "} from "].contains(where: { line.beginsExactly(with: $0) }) else {
        return nil
      }
      let parts = line.parts(between: "'")
      guard parts.count == 3, parts[0].containsExactly(" from ") || parts[0].isExactly("import ") else {
        return nil
      }
      let target = Self.resolved(String(parts[1]), from: address)
      return self.script(at: target) == nil ? nil : target
    }
  }

  private func script(at address: String) -> WebAssets.Asset? {
    let steps = address.parts(between: "/")
    return folders[String(steps[0])]?[steps.dropFirst().joined(separator: "/")]
  }

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

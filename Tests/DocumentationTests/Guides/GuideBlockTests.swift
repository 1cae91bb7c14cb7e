import Foundation
import Testing

/// The articles of all modules, and the code of their blocks: each stands line by line in a file that is compiled.
@Suite struct GuideBlockTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folders of code that is compiled: here, in programs, and in the samples for Apple's systems, which `scripts/check-apple`
  /// type-checks.
  private static let folders = [
    "Tests/DocumentationTests", "Tests/ListSourcesTests", "Tests/LiveFetchPostgresTests", "Scenarios/Sources",
    "Scenarios/Tests",
    "Apps/Sources/todo",
    "Examples/Apple", "Examples/BatchUpdates",
  ]

  static func files(_ folder: String, _ ending: String) -> [URL] {
    let folder = root.appending(path: folder)
    return (FileManager.default.subpaths(atPath: folder.path) ?? []).filter { $0.hasSuffix(ending) }.sorted()
      .map { folder.appending(path: $0) }
  }

  /// The blocks of a text in one language.
  static func blocks(_ language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }

  /// A text without its white space: how its lines are broken is no part of it.
  static func letters(_ text: some StringProtocol) -> String {
    // A function of an article is a static one of the type that keeps its names apart.
    text.replacingOccurrences(of: "static func ", with: "func ").filter { !$0.isWhitespace }
  }

  /// The code of all files that are compiled.
  static let compiledCode = Result {
    try folders.flatMap { files($0, ".swift") }.map { letters(try String(contentsOf: $0, encoding: .utf8)) }
  }
  static var code: [String] { get throws { try compiledCode.get() } }

  static let articles = files("Sources", ".md").map { $0.path }

  @Test("Each Swift block of an article is code that is compiled", arguments: articles)
  func compiled(_ path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    let code = try Self.code
    // A manifest is tried with the guide that has it.
    let missing = Self.blocks("swift", in: text).filter { block in
      !block.hasPrefix("// swift-tools-version") && !code.contains { $0.contains(Self.letters(block)) }
    }
    for block in missing { Issue.record("No file that is compiled has this of \(name):\n\(block)") }
  }
}

import Foundation
import LiveLists
import Testing

/// The programs of the guides run here as they stand there, and write what the guides say.
@Suite("Programs of the guides", .timeLimit(.minutes(2)))
struct GuideTests {
  private static let guides = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/LiveLists/LiveLists.docc")

  /// The blocks of a guide in one language; "text" has what is typed behind `> `, and what the program writes.
  static func blocks(_ language: String, of guide: String) throws -> [String] {
    let text = try String(contentsOf: guides.appending(path: "\(guide).md"), encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  @Test(
    "A guide's program is the one that is built, and writes what the guide says",
    arguments: [
      ("TypedList", "StartInFiveMinutes"), ("Search", "SearchAsYouType"), ("Order", "AnOrderOfOnesOwn"),
    ])
  func writes(_ name: String, _ guide: String) async throws {
    let source = Self.guides.appending(path: "../../../Scenarios/Sources/\(name)/main.swift")
    let code = try String(contentsOf: source, encoding: .utf8)
    #expect(
      try Self.blocks("swift", of: guide).contains(code), "\(guide).md does not have \(name)/main.swift")

    let transcript = try #require(try Self.blocks("text", of: guide).first)
    let folder = try Folder()
    let program = try Program(name, in: folder)
    defer { program.stop() }
    for line in transcript.split(separator: "\n").map(String.init) {
      if line.hasPrefix("> ") {
        try program.type(String(line.dropFirst(2)))
      } else {
        #expect(try await program.line() == line)
      }
    }
  }
}

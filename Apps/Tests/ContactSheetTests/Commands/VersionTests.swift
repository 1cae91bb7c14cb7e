import Foundation
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct VersionTests {
  /// A file of the checkout.
  static func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
    return try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  @Test func commandChangelogAndPackageNameOneVersion() async throws {
    let version = ContactSheetVersion.current
    let run = try Run(["--version"])
    #expect(await run.wait() == 0)
    #expect(run.text == version + "\n")
    let newest = try #require(try Self.text("CHANGELOG.md").firstMatch(of: #/\n## ([0-9.]+)/#))
    #expect(String(newest.1) == version)
    let package = try #require(
      try Self.text("Packaging/live-list/package.json").firstMatch(of: #/"version": "([^"]+)"/#))
    #expect(String(package.1) == version)
  }
}

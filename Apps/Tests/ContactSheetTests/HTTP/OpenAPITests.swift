import Foundation
import Hummingbird
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// The file that describes the API names every route and every case of the server, and no other.
@Suite struct OpenAPITests {
  /// A file of the repository.
  private static func file(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
    return try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  private static let description = "Documentation/ContactSheet.openapi.yaml"

  /// The enumerations of the file, each as the property that has it and its values in their order.
  static func enumerations() throws -> Set<[String]> {
    let lines = try file(description).split(separator: "\n").map(String.init)
    var found: Set<[String]> = []
    for (number, line) in lines.enumerated() {
      guard let match = line.firstMatch(of: #/enum: \[([^\]]*)\]/#) else { continue }
      let values = match.1.split(separator: ",").map { $0.trimmingCharacters(in: [" ", "\""]) }
      // The schema of a parameter stands below the parameter's name.
      let isParameter = line.contains("schema:")
      let named = isParameter ? lines[..<number].last { $0.contains("name: ") } : line
      let name = named?.firstMatch(of: isParameter ? #/name: ([-\w]+)/# : #/^ *(\w+):/#)?.1
      found.insert([String(name ?? "")] + values)
    }
    return found
  }

  /// The paths and methods of the file. It keeps to one shape: paths stand two spaces in, methods four.
  static func described() throws -> Set<String> {
    let text = try file(description)
    var (path, isPaths): (String, Bool) = ("", false)
    var found: Set<String> = []
    for line in text.split(separator: "\n") {
      if !line.hasPrefix(" ") { isPaths = line == "paths:" }
      guard isPaths else { continue }
      if let match = line.wholeMatch(of: #/  (/[^ ]*):/#) {
        path = String(match.1)
      } else if let match = line.wholeMatch(of: #/    (get|post|put|patch|delete|head):/#) {
        found.insert("\(match.1.uppercased()) \(path)")
      }
    }
    return found
  }

  @Test func everyRouteIsDescribedAndEveryDescriptionIsARoute() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    let router = try WebServer(
      library: server.library, options: .init(), access: access, logger: .quiet
    ).router()
    let routes = Set(
      router.routes.map {
        "\($0.method) \($0.path.description.replacingOccurrences(of: "**", with: "{name}"))"
      })
    let described = try Self.described()
    #expect(routes.subtracting(described) == [])
    #expect(described.subtracting(routes) == [])
    await server.library.close()
  }

  @Test func everyEnumerationIsThatOfTheCode() throws {
    let expected: Set<[String]> = [
      ["by"] + PhotoOrder.Key.allCases.map(\.rawValue) + ["reversed"],
      ["do"] + PlainRoutes.Action.allCases.map(\.rawValue), ["do", "restore"],
      ["format"] + ImageFormat.allCases.map(\.rawValue),
      ["status"] + ImportOutcome.Status.allCases.map(\.rawValue),
      ["sections"] + SharedLists.MonthOrder.allCases.map(\.rawValue),
    ]
    // Fixed values of parameters, which are no enumeration of the code.
    let found = try Self.enumerations().filter { $0.last != "0" && $0.last != "1" }
    #expect(found.subtracting(expected) == [])
    #expect(expected.subtracting(found) == [])
  }

  @Test(arguments: PhotoOrder.Key.allCases)
  func everyKeyOfAnOrderIsOfferedAndDescribed(_ key: PhotoOrder.Key) throws {
    let row = try #require(
      try Self.file("Documentation/ContactSheetHTTP.md").split(separator: "\n").first {
        $0.hasPrefix("**Ordering an album.**")
      })
    #expect(row.contains("`\(key.rawValue)`"))
    let page = try Self.file("Apps/Sources/ContactSheet/Pages/photo-actions.js")
    // The page leaves the time of import to the command: an album is mostly imported at once.
    #expect(page.contains("sort('\(key.rawValue)'") == (key != .imported))
  }
}

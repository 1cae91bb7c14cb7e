import Foundation
import Hummingbird
import Testing

@testable import ContactSheet

/// The file that describes the API names every route of the server, and no other.
@Suite struct OpenAPITests {
  /// The paths and methods of the file. It keeps to one shape: paths stand two spaces in, methods four.
  static func described() throws -> Set<String> {
    let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
    let text = try String(contentsOfFile: root + "/Documentation/ContactSheet.openapi.yaml", encoding: .utf8)
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
}

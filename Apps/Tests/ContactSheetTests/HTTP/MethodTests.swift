@testable import ContactSheet
import HTTPTypes
import Hummingbird
import Testing

@testable import ContactSheetLibrary

/// A path that exists, asked with a method that it does not have, is another failure than a path that is not there.
@Suite struct MethodTests {
  /// The methods of each path of the file that describes the API.
  private func described() throws -> [String: Set<String>] {
    var methods: [String: Set<String>] = [:]
    for route in try OpenAPITests.described() {
      let parts = route.split(separator: " ", maxSplits: 1).map(String.init)
      methods[parts[1], default: []].insert(parts[0])
    }
    return methods
  }

  /// An address of a path: whether there is such an album or photo makes no difference.
  private func address(_ path: String) -> String {
    path.replacing("{album}", with: "00000000-0000-0000-0000-000000000001")
      .replacing("{photo}", with: "00000000-0000-0000-0000-000000000002")
      .replacing("{hash}", with: String(repeating: "0", count: 64)).replacing("{name}", with: "album.js")
  }

  private static let all: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .options, .trace]

  @Test func everyPathNamesItsMethodsWhereItIsAskedWithAnother() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    let paths = try described()
    #expect(paths.count > 25)
    try await server.run(access: access) { client in
      let entered = try await client.send(
        "/login", form: "password=\(PercentEncoding.encoded(AccessTests.password))")
      let cookie = "contact-sheet=\(try #require(entered.cookie("contact-sheet")).value)"
      for (path, methods) in paths {
        for method in Self.all where !methods.contains(method.rawValue) {
          let answer = try await client.send(
            method, address(path), headers: [.cookie: cookie, .secFetchSite: "same-origin"])
          #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
          let allowed = Set(
            (answer.headers[.allow] ?? "").split(separator: ",").map {
              String($0.filter { $0 != " " })
            })
          #expect(
            allowed == (methods.contains("GET") ? methods.union(["HEAD"]) : methods), "\(method) \(path)")
          #expect(try answer.errorCode() == "badRequest", "\(method) \(path)")
          // Strangers learn nothing of it.
          let stranger = try await client.send(method, address(path), headers: [.secFetchSite: "same-origin"])
          let isOpen = ["/login", "/favicon.ico"].contains(path)
          #expect(stranger.status == (isOpen ? .methodNotAllowed : .unauthorized), "\(method) \(path)")
        }
      }
    }
  }

  @Test func aPathThatIsNotThereIsNotFoundWhateverTheMethod() async throws {
    let server = try await TestServer()
    try await server.run { client in
      for path in [
        "/nothing", "/api", "/api/albums/x/y", "/trash/x", "/api/albums/x/photos/y/z", "/originals",
      ] {
        for method in Self.all {
          let answer = try await client.send(method, path)
          #expect(answer.status == .notFound, "\(method) \(path)")
        }
      }
    }
  }
}

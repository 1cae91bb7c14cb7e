import ContactSheetLibrary
import HTTPTypes
import Hummingbird

/// Refuses requests for a path that is there, with a method that it does not take, and says which ones it takes. It is passed by
/// requests that no route has answered.
struct OtherMethods: RouterMiddleware {
  typealias Context = WebContext

  /// A step of a route's path, from the one that says most to the one that says least.
  private enum Step: Int {
    case named, any, rest
  }

  private struct Path {
    let names: [String]
    let steps: [Step]
    var methods: Set<String>

    func matches(_ parts: [Substring]) -> Bool {
      guard steps.last == .rest ? parts.count >= steps.count : parts.count == steps.count else {
        return false
      }
      return zip(zip(names, steps), parts).allSatisfy { $0.1 != .named || $1.isExactly($0.0) }
    }

    /// Returns whether the path is the one of a request that both match, as the router has it: from the left, a name goes before
    /// any.
    func comesBefore(_ other: Path) -> Bool {
      steps.lazy.map(\.rawValue).lexicographicallyPrecedes(other.steps.lazy.map(\.rawValue))
    }
  }

  private let paths: [Path]

  init(_ routes: [(method: HTTPRequest.Method, path: String)]) {
    var paths: [String: Path] = [:]
    for (method, path) in routes {
      let names = path.parts(between: "/").map(String.init)
      let steps = names.map { name in
        name.isExactly("**") ? Step.rest : name.beginsExactly(with: "{") ? .any : .named
      }
      paths[path, default: Path(names: names, steps: steps, methods: [])].methods.insert(method.rawValue)
    }
    for path in paths.keys where paths[path]?.methods.contains("GET") == true {
      paths[path]?.methods.insert("HEAD")
    }
    self.paths = Array(paths.values)
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let parts = request.uri.path.parts(between: "/")
    guard let path = paths.filter({ $0.matches(parts) }).min(by: { $0.comesBefore($1) }),
      !path.methods.contains(request.method.rawValue)
    else { return try await next(request, context) }
    let methods = path.methods.sorted()
    throw HTTPError(
      .methodNotAllowed, headers: [.allow: methods.joined(separator: ", ")],
      message:
        "This address does not take \(request.method.rawValue), but \(methods.joined(separator: " and ")).")
  }
}

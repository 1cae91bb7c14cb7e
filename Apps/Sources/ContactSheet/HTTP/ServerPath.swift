package import ContactSheetLibrary
import HTTPTypes
import Hummingbird

/// The path below which the server is, where a proxy serves other things at the same name: `/photos`; empty at the top.
///
/// It ends up in addresses, headers, cookies and HTML, and is compared with what browsers and proxies send. So it holds
/// only characters that mean the same in all of them, and has one spelling.
package struct ServerPath: Sendable, Hashable {
  /// The top of the name.
  package static let top = ServerPath()

  /// The longest text: some browsers take no cookies of longer paths.
  private static let maximumLength = 200

  /// The path without a slash at its end; empty at the top.
  package let text: String

  private init() { text = "" }

  /// Reads a path as it is given to the program: `/photos`, `/club/photos/`, or `/`.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it is not absolute, not in its shortest form, or holds characters
  ///   other than letters, digits and `-._~`.
  package init(_ text: String) throws(ContactSheetError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let first = parts.first, first.isEmpty, parts.count > 1, text.utf8.count <= Self.maximumLength
    else {
      throw Self.refusal("begins with a slash and has at most \(Self.maximumLength) characters, like /photos")
    }
    // A slash at the end is the same address to people.
    let steps = parts.dropFirst().dropLast(parts.last?.isEmpty == true ? 1 : 0)
    for step in steps {
      guard !step.isEmpty, !step.elementsEqual(".".utf8), !step.elementsEqual("..".utf8) else {
        throw Self.refusal("has neither “//” nor the steps “.” and “..”")
      }
      guard step.allSatisfy(Self.isPlain) else {
        throw Self.refusal(
          "is made of the letters A to Z, digits, and the characters - . _ ~ between slashes")
      }
    }
    self.text = steps.map { "/" + String(decoding: $0, as: UTF8.self) }.joined()
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 48...57: true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func refusal(_ rule: String) -> ContactSheetError {
    ContactSheetError(.badRequest, "The path below which the server is \(rule).")
  }

  /// The part of a request's path that comes after this one, beginning with a slash; `nil` where the request leads
  /// elsewhere.
  func rest(of path: String) -> String? {
    guard !text.isEmpty else { return path }
    guard path.beginsExactly(with: text) else { return nil }
    let rest = path.utf8.dropFirst(text.utf8.count)
    guard let first = rest.first else { return "/" }
    return first == UInt8(ascii: "/") ? String(Substring(rest)) : nil
  }
}

/// Takes the server's path off the addresses of requests, and puts it before those to which answers lead: the routes
/// between know nothing of it.
struct ServerPathResponder<Responder: HTTPResponder>: HTTPResponder where Responder.Context == WebContext {
  let path: ServerPath
  let responder: Responder

  func respond(to request: Request, context: WebContext) async throws -> Response {
    guard !path.text.isEmpty else { return try await responder.respond(to: request, context: context) }
    var (request, context) = (request, context)
    if let rest = path.rest(of: request.uri.path) {
      var head = request.head
      head.path = rest + (request.uri.query.map { "?" + $0 } ?? "")
      request = Request(head: head, body: request.body)
    } else {
      context.isElsewhere = true
    }
    var response = try await responder.respond(to: request, context: context)
    if let location = response.headers[.location], location.beginsExactly(with: "/") {
      response.headers[.location] = path.text + location
    }
    return response
  }
}

import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Lets nobody in who has not logged in, but to the page where one does. A password that is set, changed or removed, and a session
/// that ends, count at once, also for what is under way: the rest of an answer is not sent, and what a body says is not done.
struct AccessGuard: RouterMiddleware {
  typealias Context = WebContext

  let access: Access
  let cookies: AccessCookies
  let connections: Connections

  /// The paths of the files of the login page, and of what browsers ask for without saying who they are: the manifest, and the icons
  /// in it.
  private static let openPaths: Set<String> = [
    "/login", "/assets/login.css", "/assets/login.js", "/assets/icon.svg", "/favicon.ico",
    "/assets/manifest.webmanifest", "/assets/icon-180.png", "/assets/icon-192.png", "/assets/icon-512.png",
  ]

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if Self.openPaths.contains(request.uri.path) { return try await next(request, context) }
    if let token = Self.bearer(request), access.isLocal(token) {
      connections.recognize(context.channel)
      return try await next(request, context)
    }
    let token = cookies.session(of: request)
    let standing = access.standing(of: token)
    guard standing != .none else { return try Self.refusal(request) }
    // Whoever is in without a password is a stranger once there is one.
    if standing != .open { connections.recognize(context.channel) }
    let access = access
    var context = context
    context.session = token
    context.checkAdmission = {
      guard access.standing(of: token) != .none else { throw Self.notLoggedIn }
    }
    var response = try await next(request, context)
    // A write that is done is answered. Something that was read is no longer for whoever asked.
    let isRead = request.method == .get || request.method == .head
    if isRead, access.standing(of: token) == .none { return try Self.refusal(request) }
    if standing == .renewed, let token { response.setCookie(cookies.session(token)) }
    let body = response.body
    if body.contentLength ?? .max > BudgetedAnswers.piece {
      let check = context.checkAdmission
      response.body = ResponseBody(contentLength: body.contentLength) { writer in
        try await body.write(SessionWriter(writer: writer, check: check))
      }
    }
    return response
  }

  private static var notLoggedIn: ContactSheetError {
    ContactSheetError(.loginNeeded, "Log in first: open the page of ContactSheet in the browser.")
  }

  /// People are led to the login, programs are told.
  private static func refusal(_ request: Request) throws -> Response {
    guard request.method == .get, request.takesPage else {
      throw notLoggedIn
    }
    let next = request.uri.path.isExactly("/") ? "" : "?next=\(PercentEncoding.encoded(request.uri.string))"
    return Response(
      status: .seeOther, headers: [.location: "/login\(next)", .cacheControl: "no-store"])
  }

  private static func bearer(_ request: Request) -> String? {
    guard let text = request.headers[.authorization], text.asciiLowercased.beginsExactly(with: "bearer ")
    else {
      return nil
    }
    return String(Substring(text.utf8.dropFirst(7)))
  }
}

/// Passes the parts of an answer on for as long as its session lasts.
private struct SessionWriter: ResponseBodyWriter {
  var writer: any ResponseBodyWriter
  let check: @Sendable () throws -> Void

  mutating func write(_ buffer: ByteBuffer) async throws {
    try check()
    try await writer.write(buffer)
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await writer.finish(trailingHeaders)
  }
}

/// The cookies of a session, and of a browser that has logged in before.
struct AccessCookies: Sendable {
  /// Whether browsers reach the server by https; the cookies travel only so, then.
  let isSecure: Bool
  /// The path that the cookies are for: other programs at the same name, and other servers of this kind, get none of them.
  var path = ServerPath.top

  private static let day = 86_400
  private var sessionName: String {
    // Browsers take the stricter name for the path “/” alone.
    isSecure ? path == .top ? "__Host-contact-sheet" : "__Secure-contact-sheet" : "contact-sheet"
  }
  private var deviceName: String { "contact-sheet-device" }

  func session(of request: Request) -> String? { value(sessionName, request) }
  func device(of request: Request) -> String? { value(deviceName, request) }

  func session(_ token: String) -> Cookie { cookie(sessionName, token, maxAge: Access.term, path: top) }
  func device(_ name: String) -> Cookie {
    cookie(deviceName, name, maxAge: 365 * Self.day, path: path.text + "/login")
  }
  var noSession: Cookie { cookie(sessionName, "", maxAge: 0, path: top) }
  private var top: String { path == .top ? "/" : path.text }

  private func cookie(_ name: String, _ value: String, maxAge: Int, path: String) -> Cookie {
    // Links from elsewhere may lead here; what changes something is held to its own origin besides.
    Cookie(
      name: name, value: value, maxAge: maxAge, path: path, secure: isSecure, httpOnly: true, sameSite: .lax)
  }

  /// The first cookie of a name that has a value: browsers send that of the longest path first. Read here, since a cookie of another program on this machine may
  /// hold anything.
  private func value(_ name: String, _ request: Request) -> String? {
    for header in request.headers[values: .cookie] {
      for pair in header.parts(between: ";") {
        let parts = pair.parts(between: "=", maxSplits: 1).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        if parts.count == 2, parts[0].isExactly(name), !parts[1].isEmpty, parts[1].utf8.count <= 200 {
          return parts[1]
        }
      }
    }
    return nil
  }
}

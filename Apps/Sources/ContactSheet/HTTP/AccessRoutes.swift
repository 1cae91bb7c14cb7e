import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird

/// Logging in and out: a plain page with a form.
struct AccessRoutes: Sendable {
  let access: Access
  let cookies: AccessCookies
  let pages: WebAssets

  func add(to router: Router<WebContext>) {
    router.get("/login") { request, _ in
      let next = Self.path(request.query("next"))
      if access.standing(of: cookies.session(of: request)) != .none {
        return Response(status: .seeOther, headers: [.location: next])
      }
      return try page(next: next, status: .ok, message: nil, for: request)
    }
    router.post("/login") { request, context in try await logIn(request, context) }
    router.post("/logout") { request, context in
      if let token = context.session { access.logOut(token) }
      var response = Response(
        status: .seeOther,
        headers: [.location: "/login", .cacheControl: "no-store", .clearSiteData: forgotten])
      response.setCookie(cookies.noSession)
      return response
    }
  }

  /// The value of `Clear-Site-Data`: the things that browsers forget of this name at logging out. Below a path they keep
  /// what is stored, which may be another program's; the page clears its own.
  private var forgotten: String { cookies.path == .top ? "\"cache\", \"storage\"" : "\"cache\"" }

  private func logIn(_ request: Request, _ context: WebContext) async throws -> Response {
    let form = try await request.form(upTo: 16 << 10)
    let next = Self.path(form["next"])
    // The password was removed since the page came.
    guard access.asksForPassword else { return Response(status: .seeOther, headers: [.location: next]) }
    let outcome = try await access.logIn(
      form["password"] ?? "", from: context.address, device: cookies.device(of: request))
    switch outcome {
    case .accepted(let token, let device):
      var response = Response(status: .seeOther, headers: [.location: next, .cacheControl: "no-store"])
      response.setCookie(cookies.session(token))
      response.setCookie(cookies.device(device))
      return response
    case .wrong:
      return try page(next: next, status: .unauthorized, message: "That is not the password.", for: request)
    case .tooEarly(let delay):
      let seconds = max(
        1, Int(delay.wait.components.seconds) + (delay.wait.components.attoseconds > 0 ? 1 : 0))
      let tries = delay.isOfOthers ? "Too many wrong tries from networks beside yours." : "Too many tries."
      return try refusal(
        "\(tries) Wait \(seconds == 1 ? "a second" : "\(seconds) seconds") and try again.", .tooManyRequests,
        after: seconds, next: next, for: request)
    case .crowded:
      return try refusal(
        "Very many others try to log in at this moment, so your password was not looked at. Try again in a few seconds.",
        .serviceUnavailable, after: 5, next: next, for: request)
    }
  }

  private func refusal(
    _ message: String, _ status: HTTPResponse.Status, after seconds: Int, next: String, for request: Request
  ) throws -> Response {
    var response = try page(next: next, status: status, message: message, for: request)
    response.headers[.retryAfter] = String(seconds)
    return response
  }

  private func page(
    next: String, status: HTTPResponse.Status, message: String?, for request: Request
  ) throws -> Response {
    let values = ["next": next, "message": message ?? "", "hidden": message == nil ? "hidden" : ""]
    guard let text = pages.page("login.html", filling: values) else {
      throw ContactSheetError(.internal, "The page for logging in is missing. Install ContactSheet again.")
    }
    return .html(text, status: status, for: request)
  }

  /// Where to go after logging in: a path on this server, whatever the address says.
  static func path(_ text: String?) -> String {
    guard let text, text.beginsExactly(with: "/"), !text.beginsExactly(with: "//"),
      !text.beginsExactly(with: "/login"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }), !leadsUp(text)
    else { return "/" }
    return text
  }

  /// Returns whether browsers find steps back in a path, which may be spelled with escapes: it would lead out of the server's path.
  private static func leadsUp(_ text: String) -> Bool {
    let path = text.parts(between: "?", "#", maxSplits: 1, omittingEmpty: false).first ?? ""
    return path.asciiLowercased.replacingOccurrences(of: "%2e", with: ".").parts(between: "/").contains {
      $0.isExactly("..")
    }
  }
}

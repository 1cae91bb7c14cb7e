import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Turns every error into the JSON that pages' scripts and programs understand, or into a page for people.
struct ErrorAnswers<Context: RequestContext>: RouterMiddleware {
  let counters: RequestCounters
  let pages: WebAssets

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as ContactSheetError {
      // That there is too much to do is the doing of those who ask, who must not be able to fill the log.
      if error.httpStatus.kind == .serverError, error.code != .busy {
        context.logger.error("A request failed", metadata: ["error": "\(error)"])
      }
      return answer(error, status: error.httpStatus, to: request)
    } catch let error as HTTPError {
      let code: ContactSheetError.Code = error.status == .notFound ? .notFound : .badRequest
      let message = error.body ?? (code == .notFound ? "There is nothing at this address." : "Bad request.")
      var response = answer(ContactSheetError(code, message), status: error.status, to: request)
      response.headers[.allow] = error.headers[.allow]
      return response
    } catch is CancellationError {
      throw CancellationError()
    } catch  where Self.isCallers(error) {
      // Bytes that are no HTTP were counted where they came in.
      if !(error is HTTPParserError) { counters.countMalformed() }
      context.logger.debug("A request was broken off or malformed", metadata: ["error": "\(error)"])
      let failure = ContactSheetError(.badRequest, "The request broke off.")
      return answer(failure, status: .badRequest, to: request)
    } catch {
      context.logger.error("A request failed", metadata: ["error": "\(error)"])
      let failure = ContactSheetError(.internal, "Something went wrong in ContactSheet. Its log says more.")
      return answer(failure, status: .internalServerError, to: request)
    }
  }

  /// Returns whether an error is the caller's and not the server's: callers must not be able to fill the log.
  private static func isCallers(_ error: any Error) -> Bool {
    error is HTTPParserError || error is ChannelError || error is IOError || error is NIOTooManyBytesError
  }

  private func answer(
    _ error: ContactSheetError, status: HTTPResponse.Status, to request: Request
  ) -> Response {
    let details = ["code": error.code.rawValue, "message": error.message]
    var response =
      page(error, status: status, to: request) ?? (try? Response.json(["error": details], status: status))
      ?? Response(status: status)
    // The rest of a body that is too long for any request is not waited for. Of a photo it is: browsers read no answer before.
    if status == .contentTooLarge, !GatheredBodies.isUpload(request) {
      response.headers[.connection] = "close"
    }
    // Pages wait as long as they are told, and then go on by themselves.
    if status == .serviceUnavailable { response.headers[.retryAfter] = "5" }
    return response
  }

  /// The page that a browser shows where a person went to an address, or sent a form; `nil` for programs.
  private func page(
    _ error: ContactSheetError, status: HTTPResponse.Status, to request: Request
  ) -> Response? {
    guard request.takesPage,
      let text = pages.page(
        "error.html", filling: ["heading": Self.heading(status), "message": error.message])
    else { return nil }
    var response = Response.html(text, status: status, for: request)
    response.headers[.vary] = "Accept, Accept-Encoding"
    return response
  }

  private static func heading(_ status: HTTPResponse.Status) -> String {
    switch status {
    case .notFound: "Not found"
    case .forbidden: "Not allowed"
    case .serviceUnavailable: "Busy at the moment"
    default: status.kind == .serverError ? "Something went wrong" : "That did not work"
    }
  }
}

extension ContactSheetError {
  /// The status of an HTTP answer that carries this error.
  var httpStatus: HTTPResponse.Status {
    switch code {
    case .notFound: .notFound
    case .forbidden: .forbidden
    case .loginNeeded: .unauthorized
    case .tooManyTries: .tooManyRequests
    case .conflict: .conflict
    case .badRequest: .badRequest
    case .tooLarge: .contentTooLarge
    case .unsupported, .notAnImage: .unsupportedMediaType
    case .empty, .truncated, .damaged, .tooManyPixels, .tooMuchMemory, .timedOut, .decoderFailed:
      .unprocessableContent
    case .diskFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    case .inUse, .busy: .serviceUnavailable
    default: .internalServerError
    }
  }
}

/// Answers only what is addressed to this server, and lets only its own pages write.
struct RequestGuard: RouterMiddleware {
  typealias Context = WebContext

  let policy: HostPolicy
  let proxies: TrustedProxies

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var context = context
    context.address = proxies.client(of: request.headers, connection: context.address)
    guard policy.accepts(authority: request.head.authority) else {
      throw ContactSheetError(
        .forbidden,
        "This server does not answer to the name “\(request.head.authority ?? "")”."
          + " Start it with --allow-host to let it.")
    }
    guard !context.isElsewhere else { throw HTTPError(.notFound) }
    let isRead = request.method == .get || request.method == .head || request.method == .options
    guard isRead || policy.acceptsWrite(headers: request.headers, authority: request.head.authority) else {
      let comesByHTTPS = request.headers[.origin]?.asciiLowercased.beginsExactly(with: "https:") == true
      throw ContactSheetError(
        .forbidden,
        "Only ContactSheet's own pages may change photos."
          + (comesByHTTPS && !policy.isSecure
            ? " Where browsers come by https, it has to be started with --behind-https." : ""))
    }
    // Bodies are read as they come: one that is compressed would be stored, or refused, as what it is not.
    let coding = (request.headers[.contentEncoding] ?? "").trimmingCharacters(in: .whitespaces)
      .asciiLowercased
    guard coding.isEmpty || coding.isExactly("identity") else {
      throw ContactSheetError(
        .unsupported, "The body of a request has to come as it is, without a Content-Encoding.")
    }
    return try await next(request, context)
  }
}

/// Tells browsers to load nothing from elsewhere, to guess no types, to show the pages in no frame, and to keep no answer that does
/// not say otherwise.
struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
  /// Whether browsers reach the server by https. If so, they are told to use it always (HSTS).
  var isSecure = false

  static var contentSecurityPolicy: String {
    "default-src 'self'; img-src 'self' blob: data:; style-src 'self' 'unsafe-inline'; object-src 'none';"
      + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.resourcePolicy] = "same-origin"
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
    guard !Self.isPartOfPage(response) else { return response }
    response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
    response.headers[.referrerPolicy] = "same-origin"
    response.headers[.openerPolicy] = "same-origin"
    return response
  }

  /// Whether it is never a page itself: what scripts and style sheets may do, the page says that they are loaded by. A page
  /// loads dozens of them, and what is said needlessly with each adds up to more than its photos' names.
  private static func isPartOfPage(_ response: Response) -> Bool {
    guard response.status == .ok || response.status == .notModified, let type = response.headers[.contentType]
    else { return false }
    return type.beginsExactly(with: "text/javascript") || type.beginsExactly(with: "text/css")
  }
}

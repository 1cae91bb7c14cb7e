import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// A JSON answer.
  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Response(
      status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
  }

  /// A page, compressed where the browser takes it so.
  static func html(_ text: String, status: HTTPResponse.Status = .ok, for request: Request) -> Response {
    compressible(Array(text.utf8), contentType: "text/html; charset=utf-8", status: status, for: request)
  }

  /// An answer that is made for one request and kept by nobody, compressed where the browser takes it so.
  static func compressible(
    _ bytes: [UInt8], contentType: String, status: HTTPResponse.Status = .ok, for request: Request
  ) -> Response {
    var headers: HTTPFields = [
      .contentType: contentType, .cacheControl: "no-store", .vary: "Accept-Encoding",
    ]
    var bytes = bytes
    if request.takesGzip, let compressed = Compression.gzip(bytes, .quick) {
      bytes = compressed
      headers[.contentEncoding] = "gzip"
    }
    return Response(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// A file of the pages: kept by the browser, asked for anew each time, sent only where it has changed. A script that fetches a module
  /// sees that it can be had before it imports it (`reach.js`): the browser need not ask again a moment later, when the line may be lost.
  static func asset(_ asset: WebAssets.Asset, for request: Request) -> Response {
    let compressed = request.takesGzip ? asset.compressed : nil
    let tag = compressed == nil ? asset.tag : asset.compressedTag
    let isLookedFor = request.headers[.secFetchDest]?.isExactly("empty") == true
    var headers: HTTPFields = [
      .contentType: asset.contentType, .cacheControl: isLookedFor ? "max-age=10" : "no-cache", .eTag: tag,
    ]
    if asset.compressed != nil { headers[.vary] = "Accept-Encoding" }
    if request.knows(tag) { return Response(status: .notModified, headers: headers) }
    if compressed != nil { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: compressed ?? asset.bytes)))
  }
}

extension Request {
  /// Whether the browser takes gzip.
  var takesGzip: Bool {
    for entry in (headers[.acceptEncoding] ?? "").asciiLowercased.parts(between: ",") {
      let parts = entry.parts(between: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let name = parts.first, name.isExactly("gzip") || name.isExactly("*") else { continue }
      let quality = parts.dropFirst().first { $0.beginsExactly(with: "q=") }.flatMap {
        Double($0.dropFirst(2))
      }
      return quality != 0
    }
    return false
  }

  /// Whether it is a browser that shows a page where there is one, and no program or script.
  var takesPage: Bool {
    headers[.accept]?.containsExactly("text/html") == true && !uri.path.beginsExactly(with: "/api/")
  }

  /// Whether the browser has what a tag names.
  func knows(_ tag: String) -> Bool {
    guard let known = headers[.ifNoneMatch] else { return false }
    if known.trimmingCharacters(in: .whitespaces).isExactly("*") { return true }
    return known.parts(between: ",").contains { entry in
      let entry = entry.trimmingCharacters(in: .whitespaces)
      return entry.isExactly(tag) || entry.isExactly("W/" + tag)
    }
  }
}

extension Request {
  /// The JSON body as a value.
  ///
  /// - Parameter reading: The memory that reading bodies takes, all together.
  /// - Throws: `ContactSheetError.Code.badRequest` where it is none, or longer than eight megabytes.
  func json<Value: Decodable & Sendable>(_ type: Value.Type, within reading: WeightedGate) async throws
    -> Value
  {
    let buffer: ByteBuffer
    do {
      buffer = try await body.collect(upTo: 8 << 20)
    } catch let error as NIOTooManyBytesError {
      throw ContactSheetError(.badRequest, "The request is too long.", cause: "\(error)")
    }
    do {
      // What a long body becomes takes several times its length.
      return try await reading.pass(8 * buffer.readableBytes) { _ in
        if let name = try JSONText.repeatedName(in: Array(buffer.readableBytesView)) {
          throw ContactSheetError(
            .badRequest, "The request's JSON has the member “\(TextCleaning.fileName(name))” twice.")
        }
        return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
      }
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as ContactSheetError {
      throw error
    } catch is JSONText.Malformed {
      throw ContactSheetError(.badRequest, "The request's body is no JSON.")
    } catch {
      throw ContactSheetError(
        .badRequest, "The request's JSON does not have the members that are needed.", cause: "\(error)")
    }
  }

  /// A parameter of the query, decoded; a plus sign is a space, as forms and pages write it.
  func query(_ name: String) -> String? { QueryParameters(uri.query)[name] }
}

extension RequestContext {
  /// The album that the path names.
  var albumID: UUID {
    get throws {
      guard let id = parameters.get("album").flatMap({ UUID(uuidString: $0) }) else {
        throw ContactSheetError(.notFound, "There is no such album. It may have been deleted.")
      }
      return id
    }
  }

  /// The content that the path names.
  var contentHash: ContentHash {
    get throws {
      guard let hash = parameters.get("hash").flatMap({ ContentHash($0) }) else {
        throw ContactSheetError(.notFound, "There is no such photo. It may have been deleted.")
      }
      return hash
    }
  }
}

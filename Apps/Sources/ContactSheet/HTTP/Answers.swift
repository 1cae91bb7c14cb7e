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

  /// A page.
  static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// A file of the pages: kept by the browser, asked for anew each time, sent only where it has changed.
  static func asset(_ asset: WebAssets.Asset, for request: Request) -> Response {
    let headers: HTTPFields = [
      .contentType: asset.contentType, .cacheControl: "no-cache", .eTag: asset.tag,
    ]
    if request.headers[.ifNoneMatch] == asset.tag { return Response(status: .notModified, headers: headers) }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: asset.bytes)))
  }
}

extension Request {
  /// The JSON body as a value.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it is none, or longer than a megabyte.
  func json<Value: Decodable>(_ type: Value.Type) async throws -> Value {
    let buffer: ByteBuffer
    do {
      buffer = try await body.collect(upTo: 8 << 20)
    } catch {
      throw ContactSheetError(.badRequest, "The request is too long.", cause: "\(error)")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
    } catch {
      throw ContactSheetError(
        .badRequest, "The request's JSON does not have the members that are needed.", cause: "\(error)")
    }
  }

  /// A parameter of the query, decoded.
  func query(_ name: String) -> String? {
    uri.queryParameters[Substring(name)].map(String.init)
  }
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

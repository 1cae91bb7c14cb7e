import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Photos: in by upload, out as thumbnail, preview and original.
struct PhotoRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let batches: ImportBatches

  private struct Answer: Encodable {
    var id: String
    var title: String
    var status: String
  }

  func add(to router: Router<Context>) {
    router.post("/api/albums/{album}/photos") { request, context in try await upload(request, context) }
    router.get("/thumbnails/{hash}") { request, context in
      try await made(request, context) { try await library.thumbnail($0) }
    }
    router.get("/previews/{hash}") { request, context in
      try await made(request, context) { try await library.preview($0) }
    }
    router.get("/originals/{hash}") { request, context in try await original(request, context) }
  }

  private func upload(_ request: Request, _ context: Context) async throws -> Response {
    let name = request.query("name") ?? "photo"
    let limit = library.settings.byteLimit
    // Said before the bytes have travelled, where the client tells how many they are.
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw ContactSheetError(
        .tooLarge,
        "“\(TextCleaning.fileName(name))” is larger than the limit of \(limit >> 20) MB."
          + " Make it smaller, or raise the limit with --max-megabytes.")
    }
    let batch = request.query("batch").flatMap { UUID(uuidString: $0) }.map { batches.batch($0) }
    let outcome = try await library.importStream(
      named: name, to: try context.albumID, batch: batch
    ) { append in
      // Pieces are gathered, so that few steps go to the threads that may block.
      var gathered = ByteBuffer()
      func flush() async throws {
        let piece = gathered
        gathered = ByteBuffer()
        try await blocking { try piece.withUnsafeReadableBytes { try append($0) } }
      }
      for try await piece in request.body {
        gathered.writeImmutableBuffer(piece)
        if gathered.readableBytes >= 512 << 10 { try await flush() }
      }
      if gathered.readableBytes > 0 { try await flush() }
    }
    return try Response.json(
      Answer(id: outcome.id.wireText, title: outcome.title, status: outcome.status.rawValue),
      status: outcome.status == .imported ? .created : .ok)
  }

  private func made(
    _ request: Request, _ context: Context, _ find: (ContentHash) async throws -> StoredFile?
  ) async throws -> Response {
    let hash = try context.contentHash
    if let known = Self.notModified(request, hash) { return known }
    guard let file = try await find(hash) else { throw Self.noSuchPhoto }
    return try await send(file, hash, context)
  }

  private func original(_ request: Request, _ context: Context) async throws -> Response {
    let hash = try context.contentHash
    guard let original = try await library.original(hash) else { throw Self.noSuchPhoto }
    // A picture in a page has to be one that browsers show; whoever saves the file gets the file.
    if request.headers[.secFetchDest] == "image", !original.format.isShownByBrowsers {
      return Response(
        status: .seeOther, headers: [.location: "/previews/\(hash.text)", .vary: "Sec-Fetch-Dest"])
    }
    if let known = Self.notModified(request, hash) { return known }
    var response = try await send(original.file, hash, context)
    response.headers[.contentDisposition] =
      "inline; filename*=UTF-8''\(PercentEncoding.encoded(original.name))"
    response.headers[.vary] = "Sec-Fetch-Dest"
    return response
  }

  private func send(_ file: StoredFile, _ hash: ContentHash, _ context: Context) async throws -> Response {
    guard let body = try? await FileIO().loadFile(path: file.path, context: context) else {
      throw ContactSheetError(
        .notFound, "The photo's file is missing from the data folder. “contact-sheet check” says more.")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: file.contentType, .cacheControl: "private, max-age=31536000, immutable",
        .eTag: "\"\(hash.text)\"",
      ], body: body)
  }

  private static func notModified(_ request: Request, _ hash: ContentHash) -> Response? {
    guard request.headers[.ifNoneMatch] == "\"\(hash.text)\"" else { return nil }
    return Response(status: .notModified, headers: [.eTag: "\"\(hash.text)\""])
  }

  private static var noSuchPhoto: ContactSheetError {
    ContactSheetError(.notFound, "There is no such photo. It may have been deleted.")
  }
}

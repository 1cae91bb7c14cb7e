import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Photos: in by upload, out as thumbnail, preview and original.
struct PhotoRoutes: Sendable {
  typealias Context = WebContext

  let library: PhotoLibrary
  let batches: ImportBatches
  let uploads: UploadCounter
  /// The memory for reading bodies.
  let reading: WeightedGate
  var proxies = TrustedProxies()
  let connections: Connections

  private struct Answer: Encodable {
    var id: String
    var title: String
    var status: String
    /// Said only where it is so.
    var mended: Bool?
    var differs: Bool?
  }

  func add(to router: Router<Context>) {
    router.post("/api/albums/{album}/photos") { request, context in try await upload(request, context) }
    router.patch("/api/albums/{album}/photos/{photo}") { request, context in
      let id = try Self.photoID(context)
      let wish = try await request.json(NewTitle.self, within: reading)
      let (photo, former) = try await library.rename(
        photo: id, in: try context.albumID, to: wish.title, from: wish.former)
      return try Response.json(["id": photo.id.wireText, "title": photo.title, "former": former])
    }
    router.get("/api/albums/{album}/photos/{photo}") { _, context in
      try await details(in: try context.albumID, context)
    }
    router.get("/api/trash/photos/{photo}") { _, context in try await details(in: nil, context) }
    router.get("/thumbnails/{hash}") { request, context in
      try await made(request, context) { try await library.thumbnail($0) }
    }
    router.get("/previews/{hash}") { request, context in
      try await made(request, context) { try await library.preview($0) }
    }
    router.get("/originals/{hash}") { request, context in try await original(request, context) }
  }

  /// Answers with the details of a photo of an album, or of the trash.
  private func details(in album: Album.ID?, _ context: Context) async throws -> Response {
    let id = try Self.photoID(context)
    return try Response.json(
      PhotoDetailsAnswer(
        // Ends with the connection: nobody waits for a decoder that works for a reader who has gone.
        try await connections.run(for: context.channel) { try await library.details(of: id, in: album) }))
  }

  private func upload(_ request: Request, _ context: Context) async throws -> Response {
    let name = request.query("name") ?? "photo"
    let limit = library.settings.byteLimit
    // Said before the bytes have travelled, where the client tells how many they are.
    if let length = request.headers.announcedLength,
      length > limit
    {
      throw ContactSheetError(
        .tooLarge,
        "“\(TextCleaning.fileName(name))” is larger than the limit of \(limit >> 20) MB."
          + " Make it smaller, or raise the limit with --max-megabytes.")
    }
    let batch = request.query("batch").flatMap { UUID(uuidString: $0) }.map { batches.batch($0) }
    let details = try PhotoDetails(request)
    let own = proxies.speaksForOthers(context.address) ? nil : context.address
    let outcome = try await uploads.pass(from: own) { room in
      try await library.importStream(
        named: name, to: try context.albumID, batch: batch, details: details
      ) { append in
        // Pieces are gathered, so that few steps go to the threads that may block.
        var gathered = ByteBuffer()
        func flush() async throws {
          let piece = gathered
          gathered = ByteBuffer()
          try await blocking { try piece.withUnsafeReadableBytes { try append($0) } }
        }
        try await ReceiveBuffers.withLarge(context.channel) {
          for try await piece in request.body {
            gathered.writeImmutableBuffer(piece)
            if gathered.readableBytes >= room { try await flush() }
          }
        }
        if gathered.readableBytes > 0 { try await flush() }
        try context.checkAdmission()
      }
    }
    return try Response.json(
      Answer(
        id: outcome.id.wireText, title: outcome.title, status: outcome.status.rawValue,
        mended: outcome.isMended ? true : nil, differs: outcome.isOther ? true : nil),
      status: outcome.status == .imported ? .created : .ok)
  }

  private func made(
    _ request: Request, _ context: Context,
    _ find: @escaping @Sendable (ContentHash) async throws -> StoredFile?
  ) async throws -> Response {
    let hash = try context.contentHash
    if let known = notModified(request, hash) { return known }
    // Nobody else needs the picture now: who has hung up takes no decoder from those who wait.
    guard let file = try await connections.run(for: context.channel, { try await find(hash) }) else {
      throw Self.noSuchPhoto
    }
    return try await send(file, hash, request)
  }

  private func original(_ request: Request, _ context: Context) async throws -> Response {
    let hash = try context.contentHash
    guard let original = try await library.original(hash) else { throw Self.noSuchPhoto }
    // A picture in a page has to be one that browsers show; whoever saves the file gets the file.
    if request.headers[.secFetchDest]?.isExactly("image") == true, !original.format.isShownByBrowsers {
      return Response(
        status: .seeOther, headers: [.location: "/previews/\(hash.text)", .vary: "Sec-Fetch-Dest"])
    }
    if let known = notModified(request, hash) { return known }
    var response = try await send(original.file, hash, request)
    response.headers[.contentDisposition] =
      "inline; filename*=UTF-8''\(PercentEncoding.encoded(original.name))"
    response.headers[.vary] = "Sec-Fetch-Dest"
    return response
  }

  private func send(
    _ file: StoredFile, _ hash: ContentHash, _ request: Request
  ) async throws -> Response {
    guard let size = try await blocking({ Files.size(file.path) }), size > 0 else {
      throw ContactSheetError(
        .notFound, "The photo's file is missing from the data folder. “contact-sheet check” says more.")
    }
    let tag = Self.tag(hash)
    var headers: HTTPFields = [
      .contentType: file.contentType, .cacheControl: Self.caching(request), .eTag: tag,
      .acceptRanges: "bytes",
    ]
    switch request.range(size: size, tag: tag) {
    case .whole:
      return Response(status: .ok, headers: headers, body: .file(file.path, 0..<size))
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(size)"
      return Response(
        status: .partialContent, headers: headers,
        body: .file(file.path, range.lowerBound..<range.upperBound + 1))
    case .beyond:
      headers[.contentRange] = "bytes */\(size)"
      headers[.cacheControl] = "no-store"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
  }

  /// A content never changes, but a browser has to ask before it shows what it keeps: whoever uses it after a session has ended, or a
  /// first password was set, is not to see the photos. A picture that is the page itself is not kept at all, since a browser that
  /// goes back to a page does not ask.
  private static func caching(_ request: Request) -> String {
    request.takesPage ? "no-store" : "private, no-cache"
  }

  private static func tag(_ hash: ContentHash) -> String { "\"\(hash.text)\"" }

  private func notModified(_ request: Request, _ hash: ContentHash) -> Response? {
    guard !request.takesPage, request.knows(Self.tag(hash)) else { return nil }
    return Response(
      status: .notModified, headers: [.eTag: Self.tag(hash), .cacheControl: Self.caching(request)])
  }

  /// The photo that the path names.
  private static func photoID(_ context: Context) throws -> UUID {
    guard let id = context.parameters.get("photo").flatMap({ UUID(uuidString: $0) }) else {
      throw noSuchPhoto
    }
    return id
  }

  private static var noSuchPhoto: ContactSheetError {
    ContactSheetError(.notFound, "There is no such photo. It may have been deleted.")
  }
}

extension PhotoDetails {
  /// Takes what an upload says about its photo: `title`, `taken` (ISO 8601, or nothing for "no date") and `place`,
  /// its position among those of its batch, and `hash`, the SHA-256 that a manifest says.
  init(_ request: Request) throws {
    self.init()
    title = request.query("title")
    if let text = request.query("taken") {
      guard text.isEmpty || Timestamp(iso8601: text) != nil else {
        throw ContactSheetError(.badRequest, "“\(text)” is not a date such as 2024-05-06T07:08:09Z.")
      }
      taken = .some(Timestamp(iso8601: text))
    }
    if let text = request.query("hash") {
      guard let hash = ContentHash(text) else {
        throw ContactSheetError(.badRequest, "“\(text)” is not a SHA-256 in 64 hexadecimal digits.")
      }
      self.hash = hash
    }
    if let text = request.query("place") {
      guard let number = OutsideNumber.exact(text, in: 0...10_000_000) else {
        throw ContactSheetError(.badRequest, "“\(text)” is not a position in a batch.")
      }
      position = number
    }
  }
}

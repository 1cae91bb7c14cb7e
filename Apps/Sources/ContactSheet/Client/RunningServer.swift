package import ContactSheetLibrary
import Foundation
import NIOHTTP1

/// An album of a ContactSheet that runs already and has the data folder: photos reach it as uploads do.
package struct RunningServer: ImportDestination {
  private let server: Server
  private let albumID: String
  /// The title of the album.
  package let title: String
  private let byteLimit: Int
  private let batch = UUID()

  /// A server's address and the right to use it.
  private struct Server: Sendable {
    var host: String
    var port: Int
    var path: ServerPath
    var token: String?

    func send(
      _ method: HTTPMethod, _ target: String, _ body: LocalRequest.Body = .none, type: String? = nil
    ) async throws -> LocalRequest.Answer {
      var request = LocalRequest(method: method, target: path.text + target, body: body, token: token)
      if let type { request.contentType = type }
      return try await request.send(host: host, port: port)
    }
  }

  private struct AlbumAnswer: Decodable {
    var id: String
    var title: String
  }

  private struct PhotoAnswer: Decodable {
    var id: UUID
    var title: String
    var status: ImportOutcome.Status
    var mended: Bool?
    var differs: Bool?
  }

  private struct ErrorAnswer: Decodable {
    struct Details: Decodable {
      var code: String
      var message: String
    }
    var error: Details
  }

  /// Finds the album of a title at a running server, or makes it there.
  ///
  /// - Parameters:
  ///   - url: The server's address, as its lock file says it.
  ///   - title: The album's title.
  ///   - folder: The data folder, where the server leaves a token for commands if it has a password.
  ///   - byteLimit: The most bytes that are unpacked from an archive for one photo.
  package static func album(
    titled title: String, at url: String, folder: DataFolder? = nil, byteLimit: Int = Settings().byteLimit
  ) async throws -> RunningServer {
    let server = try server(at: url, folder)
    let clean = try Album.title(typed: title)
    let albums: [AlbumAnswer] = try decode(try await server.send(.GET, "/api/albums"))
    if let album = albums.first(where: { $0.title == clean }) {
      return RunningServer(server: server, albumID: album.id, title: album.title, byteLimit: byteLimit)
    }
    let body = try JSONEncoder().encode(["title": clean])
    let made = try await server.send(.POST, "/api/albums", .bytes(Array(body)), type: "application/json")
    let album: AlbumAnswer = try decode(made)
    return RunningServer(server: server, albumID: album.id, title: album.title, byteLimit: byteLimit)
  }

  private static func server(at url: String, _ folder: DataFolder?) throws -> Server {
    guard let parts = URLComponents(string: url), let host = parts.host, let port = parts.port,
      let path = parts.path.isEmpty ? .top : try? ServerPath(parts.path)
    else {
      throw ContactSheetError(.unreachable, "“\(url)” is not the address of a ContactSheet.")
    }
    if let folder { OwnersAlone.close(folder) }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    let token = folder.flatMap { try? Files.ownContents($0.token) }
    return Server(
      host: bare, port: port, path: path, token: token.map { String(decoding: $0, as: UTF8.self) })
  }

  private init(server: Server, albumID: String, title: String, byteLimit: Int) {
    self.server = server
    self.albumID = albumID
    self.title = title
    self.byteLimit = byteLimit
  }

  /// Uploads one file.
  package func importFile(_ file: ImportFile) async throws -> ImportOutcome {
    var query = "name=\(PercentEncoding.encoded(file.name))&batch=\(batch.wireText)"
    let details = file.details
    // As long as it is kept: the head of a request has its limit.
    if let title = details.title.map({ Photo.title(imported: $0, fileName: file.name) }) {
      query += "&title=\(PercentEncoding.encoded(title))"
    }
    if let taken = details.taken { query += "&taken=\(PercentEncoding.encoded(taken?.exactISO8601 ?? ""))" }
    if let position = details.position { query += "&place=\(position)" }
    if let hash = details.hash { query += "&hash=\(hash.text)" }
    let target = "/api/albums/\(albumID)/photos?\(query)"
    let answer = try await file.withPath(byteLimit: byteLimit) { path in
      try await server.send(.POST, target, .file(path))
    }
    let photo: PhotoAnswer = try Self.decode(answer)
    var outcome = ImportOutcome(
      id: photo.id, title: photo.title, status: photo.status, isMended: photo.mended ?? false,
      isOther: photo.differs ?? false)
    outcome.note(details)
    return outcome
  }

  /// Brings an album of a running server into an order.
  ///
  /// - Returns: How many photos moved.
  package static func sort(
    _ albumID: Album.ID, by order: PhotoOrder, reversed: Bool, at url: String, folder: DataFolder
  ) async throws -> Int {
    let request = SortRequest(order, reversed: reversed)
    let answer = try await server(at: url, folder).send(
      .POST, "/api/albums/\(albumID.wireText)/order", .bytes(Array(try JSONEncoder().encode(request))),
      type: "application/json")
    return try (decode(answer) as SortAnswer).moved
  }

  private static func decode<Value: Decodable>(_ answer: LocalRequest.Answer) throws -> Value {
    let data = Data(answer.body)
    if (200..<300).contains(answer.status), let value = try? JSONDecoder().decode(Value.self, from: data) {
      return value
    }
    guard let failure = try? JSONDecoder().decode(ErrorAnswer.self, from: data) else {
      throw ContactSheetError(
        .unreachable, "The server's answer (\(answer.status)) is not one of ContactSheet.")
    }
    throw ContactSheetError(ContactSheetError.Code(rawValue: failure.error.code), failure.error.message)
  }
}

import Foundation
import NIOHTTP1

/// An album of a ContactSheet that runs already and has the data folder: photos reach it as uploads do.
public struct RunningServer: ImportDestination {
  private let host: String
  private let port: Int
  private let albumID: String
  private let batch = UUID()

  private struct AlbumAnswer: Decodable {
    var id: String
    var title: String
  }

  private struct PhotoAnswer: Decodable {
    var id: UUID
    var title: String
    var status: ImportOutcome.Status
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
  public static func album(titled title: String, at url: String) async throws -> RunningServer {
    guard let parts = URLComponents(string: url), let host = parts.host, let port = parts.port else {
      throw ContactSheetError(.unreachable, "“\(url)” is not the address of a ContactSheet.")
    }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    let clean = Album.title(from: title)
    let listing = try await LocalRequest(method: .GET, target: "/api/albums").send(host: bare, port: port)
    let albums: [AlbumAnswer] = try decode(listing)
    if let album = albums.first(where: { $0.title == clean }) {
      return RunningServer(host: bare, port: port, albumID: album.id)
    }
    let body = try JSONEncoder().encode(["title": clean])
    let made = try await LocalRequest(
      method: .POST, target: "/api/albums", body: .bytes(Array(body)), contentType: "application/json"
    ).send(host: bare, port: port)
    let album: AlbumAnswer = try decode(made)
    return RunningServer(host: bare, port: port, albumID: album.id)
  }

  private init(host: String, port: Int, albumID: String) {
    self.host = host
    self.port = port
    self.albumID = albumID
  }

  /// Uploads one file.
  public func importFile(_ path: String) async throws -> ImportOutcome {
    let name = PercentEncoding.encoded(path.split(separator: "/").last.map(String.init) ?? "photo")
    let target = "/api/albums/\(albumID)/photos?name=\(name)&batch=\(batch.wireText)"
    let answer = try await LocalRequest(method: .POST, target: target, body: .file(path))
      .send(host: host, port: port)
    let photo: PhotoAnswer = try Self.decode(answer)
    return ImportOutcome(id: photo.id, title: photo.title, status: photo.status)
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

import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird

/// Albums: list, make, rename, delete, order.
struct AlbumRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let lists: SharedLists
  /// The memory for reading bodies.
  let reading: WeightedGate

  private struct Answer: Encodable {
    var id: String
    var title: String
    var count: Int
    /// The photo that was the cover before another was chosen.
    var previous: String?
    /// The title before this one.
    var former: String?

    init(_ album: Album, previous: Photo.ID? = nil, former: String? = nil) {
      id = album.id.wireText
      title = album.title
      count = album.photoCount
      self.previous = previous?.wireText
      self.former = former
    }
  }

  private struct NewAlbum: Decodable {
    var mutationID: UUID?
    var title: String

    private enum CodingKeys: String, CodingKey {
      case mutationID = "act"
      case title
    }
  }

  private struct Cover: Decodable { var photo: UUID? }

  func add(to router: Router<Context>) {
    router.get("/api/albums") { _, _ in try Response.json(try await library.albums().map { Answer($0) }) }
    router.post("/api/albums") { request, _ in
      let new = try await request.json(NewAlbum.self, within: reading)
      let album = try await library.createAlbum(new.title, mutationID: new.mutationID)
      return try Response.json(Answer(album), status: .created)
    }
    router.patch("/api/albums/{album}") { request, context in
      let wish = try await request.json(NewTitle.self, within: reading)
      let (album, former) = try await library.rename(try context.albumID, to: wish.title, from: wish.former)
      return try Response.json(Answer(album, former: former))
    }
    router.post("/api/albums/{album}/cover") { request, context in
      let photo = try await request.json(Cover.self, within: reading).photo
      let (album, previous) = try await library.setCover(photo, of: try context.albumID)
      return try Response.json(Answer(album, previous: previous))
    }
    router.delete("/api/albums/{album}") { _, context in
      try await library.deleteAlbum(try context.albumID)
      return Response(status: .noContent)
    }
    router.post("/api/albums/{album}/restore") { _, context in
      try Response.json(Answer(try await library.restoreAlbum(try context.albumID)))
    }
    router.post("/api/albums/moves") { request, _ in
      let move = try await request.json(MoveRequest.self, within: reading)
      let changed = try await library.moveAlbums(move.ids, to: move.position, mutationID: move.mutationID)
      await lists.acknowledge(move.mutationID, in: nil)
      return try Response.json(MutationAnswer(changed: changed))
    }
  }
}

/// A title that an album or a photo is to have.
struct NewTitle: Decodable {
  var title: String
  /// The title that it must have, where a title is taken back.
  var former: String?
}

/// A drop of albums, as pages send it.
private struct MoveRequest: Decodable {
  var mutationID: UUID
  var ids: [UUID]
  var after: UUID?
  var before: UUID?

  private enum CodingKeys: String, CodingKey {
    case mutationID = "act"
    case ids, after, before
  }

  var position: DropPosition { DropPosition(after: after, before: before) }
}

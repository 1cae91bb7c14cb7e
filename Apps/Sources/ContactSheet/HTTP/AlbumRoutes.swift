import Foundation
import HTTPTypes
import Hummingbird

/// Albums: list, make, and act on the photos in one.
struct AlbumRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let lists: LiveLists

  private struct AlbumAnswer: Encodable {
    var id: String
    var title: String
    var count: Int
  }

  private struct NewAlbum: Decodable { var title: String }

  private struct Move: Decodable {
    var act: UUID
    var ids: [UUID]
    var after: UUID?
    var before: UUID?
  }

  private struct Delete: Decodable {
    var act: UUID
    var ids: [UUID]
  }

  func add(to router: Router<Context>) {
    router.get("/api/albums") { _, _ in
      try Response.json(
        try await library.albums().map {
          AlbumAnswer(id: $0.album.id.wireText, title: $0.album.title, count: $0.count)
        })
    }
    router.post("/api/albums") { request, _ in
      let album = try await library.createAlbum(try await request.json(NewAlbum.self).title)
      return try Response.json(
        AlbumAnswer(id: album.id.wireText, title: album.title, count: 0), status: .created)
    }
    router.post("/api/albums/{album}/moves") { request, context in
      let (albumID, move) = (try context.albumID, try await request.json(Move.self))
      let changed = try await library.move(
        move.ids, in: albumID, to: DropPlace(after: move.after, before: move.before), act: move.act)
      if !changed { await lists.acknowledge(move.act, in: albumID) }
      return Response(status: .noContent)
    }
    router.post("/api/albums/{album}/deletes") { request, context in
      let (albumID, delete) = (try context.albumID, try await request.json(Delete.self))
      let changed = try await library.delete(delete.ids, from: albumID, act: delete.act)
      if !changed { await lists.acknowledge(delete.act, in: albumID) }
      return Response(status: .noContent)
    }
  }
}

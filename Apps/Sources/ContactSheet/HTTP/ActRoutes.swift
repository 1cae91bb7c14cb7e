import Foundation
import HTTPTypes
import Hummingbird

/// What users do with the photos of an album.
struct ActRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let lists: LiveLists

  private struct Delete: Decodable {
    var act: UUID
    var ids: [UUID]
  }

  private struct Transfer: Decodable {
    var act: UUID
    var ids: [UUID]
    var album: UUID
  }

  private struct Undo: Decodable {
    var act: UUID
    var undoes: UUID
  }

  func add(to router: Router<Context>) {
    router.post("/api/albums/{album}/moves") { request, context in
      let (albumID, move) = (try context.albumID, try await request.json(MoveRequest.self))
      return try await carryOut(move.act, in: albumID) {
        try await library.move(move.ids, in: albumID, to: move.place, act: move.act)
      }
    }
    router.post("/api/albums/{album}/deletes") { request, context in
      let (albumID, delete) = (try context.albumID, try await request.json(Delete.self))
      return try await carryOut(delete.act, in: albumID) {
        try await library.delete(delete.ids, from: albumID, act: delete.act)
      }
    }
    router.post("/api/albums/{album}/transfers") { request, context in
      let (albumID, transfer) = (try context.albumID, try await request.json(Transfer.self))
      return try await carryOut(transfer.act, in: albumID) {
        try await library.transfer(transfer.ids, from: albumID, to: transfer.album, act: transfer.act)
      }
    }
    router.post("/api/albums/{album}/order") { request, context in
      let (albumID, arrange) = (try context.albumID, try await request.json(ArrangeRequest.self))
      let order = try arrange.order
      let moved = try await library.arrange(
        albumID, by: order, reversed: arrange.reversed ?? false, act: arrange.act)
      if moved == 0 { await lists.acknowledge(arrange.act, in: albumID) }
      return try Response.json(ArrangeAnswer(moved: moved))
    }
    router.post("/api/albums/{album}/undo") { request, context in
      let (albumID, undo) = (try context.albumID, try await request.json(Undo.self))
      return try await carryOut(undo.act, in: albumID) {
        try await library.undo(undo.undoes, in: albumID, act: undo.act)
      }
    }
  }

  /// Carries an act out. One that changes nothing makes no commit that the lists would tell of, so they are told.
  private func carryOut(
    _ act: UUID, in albumID: UUID, _ body: () async throws -> Bool
  ) async throws -> Response {
    if try await !body() { await lists.acknowledge(act, in: albumID) }
    return Response(status: .noContent)
  }
}

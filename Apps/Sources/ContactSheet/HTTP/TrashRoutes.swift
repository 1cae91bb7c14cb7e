import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the trash: its summary, and what is done with photos in it. Its list is among the streams.
struct TrashRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let lists: SharedLists
  /// The memory for reading bodies.
  let reading: WeightedGate

  private struct Act: Decodable {
    var act: UUID
    var photos: NamedPhotos
    /// The album for photos whose own is gone.
    var album: UUID?

    private enum Key: CodingKey { case act, album }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      act = try container.decode(UUID.self, forKey: .act)
      album = try container.decodeIfPresent(UUID.self, forKey: .album)
      photos = try NamedPhotos(from: decoder)
    }
  }

  private struct Undo: Decodable {
    var act: UUID
    var undoes: UUID
  }

  private struct Restored: Encodable {
    var changed: Bool
    /// How many photos stay in the trash.
    var left: Int
  }

  func add(to router: Router<Context>) {
    router.get("/api/trash") { _, _ in try Response.json(try await library.trash()) }
    router.post("/api/trash/restores") { request, _ in
      let act = try await request.json(Act.self, within: reading)
      let photos = try await act.photos.selection(of: act.act, in: nil, lists, library)
      let result = try await library.restore(photos, to: act.album, act: act.act)
      await lists.settle(act.act, in: nil)
      return try Response.json(Restored(changed: result.restored > 0, left: result.left))
    }
    router.post("/api/trash/deletes") { request, _ in
      let act = try await request.json(Act.self, within: reading)
      let photos = try await act.photos.selection(of: act.act, in: nil, lists, library)
      let changed = try await library.removeForGood(photos, act: act.act)
      await lists.settle(act.act, in: nil)
      return try Response.json(ActAnswer(changed: changed))
    }
    router.post("/api/trash/undo") { request, _ in
      let undo = try await request.json(Undo.self, within: reading)
      let changed = try await library.undo(undo.undoes, in: nil, act: undo.act)
      await lists.settle(undo.act, in: nil)
      return try Response.json(ActAnswer(changed: changed))
    }
    router.post("/api/trash/empty") { _, _ in
      try await library.emptyTrash()
      return Response(status: .noContent)
    }
  }
}

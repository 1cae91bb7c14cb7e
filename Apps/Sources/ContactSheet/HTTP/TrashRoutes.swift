import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of the trash: its summary, and what is done with photos in it. Its list is among the streams.
struct TrashRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let lists: SharedLists
  /// The memory for reading bodies.
  let reading: WeightedGate

  private struct Mutation: Decodable {
    var mutationID: UUID
    var photos: NamedPhotos
    /// The album for photos whose own is gone.
    var album: UUID?

    private enum Key: String, CodingKey {
      case mutationID = "act"
      case album
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      mutationID = try container.decode(UUID.self, forKey: .mutationID)
      album = try container.decodeIfPresent(UUID.self, forKey: .album)
      photos = try NamedPhotos(from: decoder)
    }
  }

  private struct Undo: Decodable {
    var mutationID: UUID
    var undoes: UUID

    private enum CodingKeys: String, CodingKey {
      case mutationID = "act"
      case undoes
    }
  }

  func add(to router: Router<Context>) {
    router.get("/api/trash") { _, _ in try Response.json(try await library.trash()) }
    router.post("/api/trash/restores") { request, _ in
      let mutation = try await request.json(Mutation.self, within: reading)
      let photos = try await mutation.photos.selection(of: mutation.mutationID, in: nil, lists, library)
      let result = try await library.restore(photos, to: mutation.album, mutationID: mutation.mutationID)
      await lists.acknowledge(mutation.mutationID, in: nil)
      return try Response.json(PartialAnswer(changed: result.restored > 0, left: result.left))
    }
    router.post("/api/trash/deletes") { request, _ in
      let mutation = try await request.json(Mutation.self, within: reading)
      let photos = try await mutation.photos.selection(of: mutation.mutationID, in: nil, lists, library)
      let changed = try await library.removeForGood(photos, mutationID: mutation.mutationID)
      await lists.acknowledge(mutation.mutationID, in: nil)
      return try Response.json(MutationAnswer(changed: changed))
    }
    router.post("/api/trash/undo") { request, _ in
      let undo = try await request.json(Undo.self, within: reading)
      let changed = try await library.undo(undo.undoes, in: nil, mutationID: undo.mutationID)
      await lists.acknowledge(undo.mutationID, in: nil)
      return try Response.json(MutationAnswer(changed: changed))
    }
    router.post("/api/trash/empty") { _, _ in
      try await library.emptyTrash()
      return Response(status: .noContent)
    }
  }
}

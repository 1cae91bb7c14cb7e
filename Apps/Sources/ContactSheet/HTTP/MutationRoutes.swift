import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import LiveLists

/// The routes of mutations: moves, deletions, titles and the like.
struct MutationRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let lists: SharedLists
  /// The memory for reading bodies.
  let reading: WeightedGate

  private struct Delete: Decodable {
    var mutationID: UUID
    var photos: NamedPhotos

    private enum Key: String, CodingKey { case mutationID = "act" }

    init(from decoder: any Decoder) throws {
      mutationID = try decoder.container(keyedBy: Key.self).decode(UUID.self, forKey: .mutationID)
      photos = try NamedPhotos(from: decoder)
    }
  }

  private struct Transfer: Decodable {
    var mutationID: UUID
    var photos: NamedPhotos
    var album: UUID

    private enum Key: String, CodingKey {
      case mutationID = "act"
      case album
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      mutationID = try container.decode(UUID.self, forKey: .mutationID)
      album = try container.decode(UUID.self, forKey: .album)
      photos = try NamedPhotos(from: decoder)
    }
  }

  private struct Move: Decodable {
    var mutationID: UUID
    var photos: NamedPhotos
    var position: DropPosition

    private enum Key: String, CodingKey {
      case mutationID = "act"
      case after, before
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      mutationID = try container.decode(UUID.self, forKey: .mutationID)
      position = DropPosition(
        after: try container.decodeIfPresent(UUID.self, forKey: .after),
        before: try container.decodeIfPresent(UUID.self, forKey: .before))
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
    router.post("/api/albums/{album}/moves") { request, context in
      let (albumID, move) = (try context.albumID, try await request.json(Move.self, within: reading))
      return try await perform(move.mutationID, in: albumID) {
        let photos = try await move.photos.selection(of: move.mutationID, in: albumID, lists, library)
        return try await library.move(photos, in: albumID, to: move.position, mutationID: move.mutationID)
      }
    }
    router.post("/api/albums/{album}/deletes") { request, context in
      let (albumID, delete) = (try context.albumID, try await request.json(Delete.self, within: reading))
      return try await perform(delete.mutationID, in: albumID) {
        let photos = try await delete.photos.selection(of: delete.mutationID, in: albumID, lists, library)
        return try await library.delete(photos, from: albumID, mutationID: delete.mutationID)
      }
    }
    router.post("/api/albums/{album}/transfers") { request, context in
      let (albumID, transfer) = (try context.albumID, try await request.json(Transfer.self, within: reading))
      let photos = try await transfer.photos.selection(of: transfer.mutationID, in: albumID, lists, library)
      let result = try await library.transfer(
        photos, from: albumID, to: transfer.album, mutationID: transfer.mutationID)
      await lists.acknowledge(transfer.mutationID, in: albumID)
      return try Response.json(PartialAnswer(changed: result.moved > 0, left: result.left))
    }
    router.post("/api/albums/{album}/additions") { request, context in
      let (albumID, addition) = (try context.albumID, try await request.json(Transfer.self, within: reading))
      let photos = try await addition.photos.selection(of: addition.mutationID, in: albumID, lists, library)
      let added = try await library.add(
        photos, of: albumID, to: addition.album, mutationID: addition.mutationID)
      await lists.acknowledge(addition.mutationID, in: albumID)
      return try Response.json(AdditionAnswer(changed: added > 0, added: added))
    }
    router.post("/api/albums/{album}/order") { request, context in
      let (albumID, sort) = (
        try context.albumID, try await request.json(SortRequest.self, within: reading)
      )
      let order = try sort.order
      let moved = try await library.sort(
        albumID, by: order, reversed: sort.reversed ?? false, mutationID: sort.mutationID)
      await lists.acknowledge(sort.mutationID, in: albumID)
      return try Response.json(SortAnswer(moved: moved))
    }
    router.post("/api/albums/{album}/undo") { request, context in
      let (albumID, undo) = (try context.albumID, try await request.json(Undo.self, within: reading))
      return try await perform(undo.mutationID, in: albumID) {
        try await library.undo(undo.undoes, in: albumID, mutationID: undo.mutationID)
      }
    }
  }

  /// Performs a mutation, and acknowledges it in every list of the album.
  private func perform(
    _ mutationID: UUID, in albumID: UUID, _ body: () async throws -> Bool
  ) async throws -> Response {
    let changed = try await body()
    await lists.acknowledge(mutationID, in: albumID)
    return try Response.json(MutationAnswer(changed: changed))
  }
}

/// The answer to a mutation.
struct MutationAnswer: Codable {
  /// Whether anything was written.
  var changed: Bool
}

/// The answer to a mutation that may leave some of its photos where they are.
struct PartialAnswer: Encodable {
  var changed: Bool
  /// How many photos stay where they are.
  var left: Int
}

/// The answer to an addition.
struct AdditionAnswer: Encodable {
  var changed: Bool
  /// How many photos the other album had not yet.
  var added: Int
}

/// The photos that a mutation is about, as pages name them: by `ids`, or `all` of a list at a version but some.
enum NamedPhotos: Decodable {
  case ids([UUID])
  case all(at: ListStreamVersion, except: Set<UUID>)

  private enum Key: CodingKey { case ids, all }

  private struct All: Decodable {
    var version: String
    var except: [UUID]?
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let ids = try container.decodeIfPresent([UUID].self, forKey: .ids)
    let all = try container.decodeIfPresent(All.self, forKey: .all)
    switch (ids, all) {
    case (let ids?, nil): self = .ids(ids)
    case (nil, let all?):
      guard let version = ListStreamVersion(all.version) else {
        throw DecodingError.dataCorruptedError(
          forKey: .all, in: container, debugDescription: "“\(all.version)” is not the version of a list.")
      }
      self = .all(at: version, except: Set(all.except ?? []))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .ids, in: container, debugDescription: "Either ids or all, and not both.")
    }
  }
}

extension NamedPhotos {
  /// The photos that a request names.
  ///
  /// - Parameters:
  ///   - mutationID: The mutation that is about them.
  ///   - albumID: The album whose lists have versions; `nil`: the trash.
  /// - Throws: `ContactSheetError.Code.conflict` where no list knows what it had at the version, and the mutation is new.
  func selection(
    of mutationID: UUID, in albumID: UUID?, _ lists: SharedLists, _ library: PhotoLibrary
  ) async throws -> PhotoSelection {
    switch self {
    case .ids(let ids): return .ids(ids)
    case .all(let version, let except):
      if let list = await lists.photos(at: version, in: albumID) { return .all(of: list, except: except) }
      // A mutation that is sent again is answered as it was, however old its version is by now.
      if try await library.knows(mutationID) { return .ids([]) }
      throw ContactSheetError(
        .conflict, "The photos have changed too much since they were selected. Select them again.")
    }
  }
}

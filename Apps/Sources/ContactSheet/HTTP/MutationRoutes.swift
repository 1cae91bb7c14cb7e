import Foundation
import HTTPTypes
import Hummingbird
import LiveLists

/// The routes of mutations: moves, deletions, titles and the like.
struct ActRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let lists: SharedLists
  /// The memory for reading bodies.
  let reading: WeightedGate

  private struct Delete: Decodable {
    var act: UUID
    var photos: NamedPhotos

    private enum Key: CodingKey { case act }

    init(from decoder: any Decoder) throws {
      act = try decoder.container(keyedBy: Key.self).decode(UUID.self, forKey: .act)
      photos = try NamedPhotos(from: decoder)
    }
  }

  private struct Transfer: Decodable {
    var act: UUID
    var photos: NamedPhotos
    var album: UUID

    private enum Key: CodingKey { case act, album }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      act = try container.decode(UUID.self, forKey: .act)
      album = try container.decode(UUID.self, forKey: .album)
      photos = try NamedPhotos(from: decoder)
    }
  }

  private struct Move: Decodable {
    var act: UUID
    var photos: NamedPhotos
    var place: DropPlace

    private enum Key: CodingKey { case act, after, before }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      act = try container.decode(UUID.self, forKey: .act)
      place = DropPlace(
        after: try container.decodeIfPresent(UUID.self, forKey: .after),
        before: try container.decodeIfPresent(UUID.self, forKey: .before))
      photos = try NamedPhotos(from: decoder)
    }
  }

  private struct Undo: Decodable {
    var act: UUID
    var undoes: UUID
  }

  func add(to router: Router<Context>) {
    router.post("/api/albums/{album}/moves") { request, context in
      let (albumID, move) = (try context.albumID, try await request.json(Move.self, within: reading))
      return try await carryOut(move.act, in: albumID) {
        let photos = try await move.photos.selection(of: move.act, in: albumID, lists, library)
        return try await library.move(photos, in: albumID, to: move.place, act: move.act)
      }
    }
    router.post("/api/albums/{album}/deletes") { request, context in
      let (albumID, delete) = (try context.albumID, try await request.json(Delete.self, within: reading))
      return try await carryOut(delete.act, in: albumID) {
        let photos = try await delete.photos.selection(of: delete.act, in: albumID, lists, library)
        return try await library.delete(photos, from: albumID, act: delete.act)
      }
    }
    router.post("/api/albums/{album}/transfers") { request, context in
      let (albumID, transfer) = (try context.albumID, try await request.json(Transfer.self, within: reading))
      return try await carryOut(transfer.act, in: albumID) {
        let photos = try await transfer.photos.selection(of: transfer.act, in: albumID, lists, library)
        return try await library.transfer(photos, from: albumID, to: transfer.album, act: transfer.act)
      }
    }
    router.post("/api/albums/{album}/additions") { request, context in
      let (albumID, addition) = (try context.albumID, try await request.json(Transfer.self, within: reading))
      return try await carryOut(addition.act, in: albumID) {
        let photos = try await addition.photos.selection(of: addition.act, in: albumID, lists, library)
        return try await library.add(photos, of: albumID, to: addition.album, act: addition.act)
      }
    }
    router.post("/api/albums/{album}/order") { request, context in
      let (albumID, sort) = (
        try context.albumID, try await request.json(SortRequest.self, within: reading)
      )
      let order = try sort.order
      let moved = try await library.sort(
        albumID, by: order, reversed: sort.reversed ?? false, act: sort.act)
      await lists.settle(sort.act, in: albumID)
      return try Response.json(SortAnswer(moved: moved))
    }
    router.post("/api/albums/{album}/undo") { request, context in
      let (albumID, undo) = (try context.albumID, try await request.json(Undo.self, within: reading))
      return try await carryOut(undo.act, in: albumID) {
        try await library.undo(undo.undoes, in: albumID, act: undo.act)
      }
    }
  }

  /// Carries an act out, and sees to it that every list of the album tells of it.
  private func carryOut(
    _ act: UUID, in albumID: UUID, _ body: () async throws -> Bool
  ) async throws -> Response {
    let changed = try await body()
    await lists.settle(act, in: albumID)
    return try Response.json(ActAnswer(changed: changed))
  }
}

/// The answer to a mutation.
struct ActAnswer: Codable {
  /// Whether anything was written.
  var changed: Bool
}

/// The photos that an act is about, as pages name them: by `ids`, or `all` of a list at a version but some.
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
  ///   - act: The act that is about them.
  ///   - albumID: The album whose lists have versions; `nil`: the trash.
  /// - Throws: `ContactSheetError.Code.conflict` where no list can tell what it had at the version, and the act is new.
  func selection(
    of act: UUID, in albumID: UUID?, _ lists: SharedLists, _ library: PhotoLibrary
  ) async throws -> PhotoSelection {
    switch self {
    case .ids(let ids): return .ids(ids)
    case .all(let version, let except):
      if let list = await lists.photos(at: version, in: albumID) { return .all(of: list, except: except) }
      // An act that is sent again is answered as it was, however old its version is by now.
      if try await library.knows(act) { return .ids([]) }
      throw ContactSheetError(
        .conflict, "The photos have changed too much since they were selected. Select them again.")
    }
  }
}

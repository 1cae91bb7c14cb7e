import Foundation
import GRDB
import NIOHTTP1
import Synchronization
import Testing
import _TestTools

@testable import ContactSheet
@testable import ContactSheetLibrary

/// The program is killed while it moves, deletes, sorts and empties. What was answered is there afterwards; what was
/// not is there whole or not at all.
@Suite struct MutationKillTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// The contents of an album and its trash.
  private struct Model: Equatable {
    var album: [UUID]
    var trash: Set<UUID> = []
  }

  private enum Act {
    case move([UUID], after: UUID?, before: UUID?)
    case delete([UUID])
    case sort([UUID])
    case emptyTrash

    static func random(_ model: Model, _ dice: inout SeededGenerator) -> Act {
      let some = Array(model.album.shuffled(using: &dice).prefix(Int.random(in: 1...3, using: &dice)))
      let rest = model.album.filter { !some.contains($0) }
      switch Int.random(in: 0..<10, using: &dice) {
      case 0..<5 where !rest.isEmpty:
        let gap = Int.random(in: 0...rest.count, using: &dice)
        return .move(some, after: gap > 0 ? rest[gap - 1] : nil, before: gap < rest.count ? rest[gap] : nil)
      case 5: return .delete(Array(some.prefix(1)))
      case 6: return .emptyTrash
      default: return .sort(model.album.shuffled(using: &dice))
      }
    }

    func applied(to model: Model) -> Model {
      var model = model
      switch self {
      case .move(let ids, let after, let before):
        model.album.removeAll { ids.contains($0) }
        let gap =
          after.flatMap { model.album.firstIndex(of: $0) }.map { $0 + 1 }
          ?? before.flatMap { model.album.firstIndex(of: $0) } ?? 0
        model.album.insert(contentsOf: ids, at: gap)
      case .delete(let ids):
        model.album.removeAll { ids.contains($0) }
        model.trash.formUnion(ids)
      case .sort(let ids): model.album = ids
      case .emptyTrash: model.trash = []
      }
      return model
    }

    func request(_ album: String) -> (target: String, body: String) {
      func list(_ ids: [UUID]) -> String {
        "[" + ids.map { "\"\($0.wireText)\"" }.joined(separator: ",") + "]"
      }
      func name(_ id: UUID?) -> String { id.map { "\"\($0.wireText)\"" } ?? "null" }
      let mutationID = "\"act\":\"\(UUID().wireText)\""
      let base = "/api/albums/\(album)"
      return switch self {
      case .move(let ids, let after, let before):
        (
          base + "/moves",
          "{\(mutationID),\"ids\":\(list(ids)),\"after\":\(name(after)),\"before\":\(name(before))}"
        )
      case .delete(let ids): (base + "/deletes", "{\(mutationID),\"ids\":\(list(ids))}")
      case .sort(let ids): (base + "/order", "{\(mutationID),\"ids\":\(list(ids))}")
      case .emptyTrash: ("/api/trash/empty", "{}")
      }
    }
  }

  private func read(_ library: PhotoLibrary, _ albumID: UUID) async throws -> Model {
    let trash = try await library.records.read { db in
      try UUID.fetchAll(db, sql: "SELECT id FROM photo WHERE trashedDate IS NOT NULL")
    }
    return Model(album: try await library.photos(in: albumID).map(\.id), trash: Set(trash))
  }

  /// Sends a mutation and calls `turn` over and over until there is an answer or an end.
  private func send(
    _ mutationID: Act, _ albumID: UUID, _ host: String, _ port: Int, _ turn: (Int) -> Void
  ) async -> (status: Int?, turns: Int) {
    let (target, body) = mutationID.request(albumID.wireText)
    let isOver = Mutex(false)
    async let answer = {
      defer { isOver.withLock { $0 = true } }
      return try? await LocalRequest(method: .POST, target: target, body: .bytes(Array(body.utf8)))
        .send(host: host, port: port).status
    }()
    var turns = 0
    while !isOver.withLock({ $0 }) {
      turn(turns)
      turns += 1
      await Task.yield()
    }
    return (await answer, turns)
  }

  @Test(arguments: inTurns(Array(41...52) as [UInt64], of: 3))
  func whatWasAnsweredIsThereAndNothingIsHalfDone(_ seed: UInt64) async throws {
    var dice = SeededGenerator(seed: seed)
    let first = try await folder.library()
    let album = try await first.createAlbum("A")
    for number in 0..<12 {
      let path = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
      _ = try await first.importFile(path, to: album.id)
    }
    var model = try await read(first, album.id)
    await first.close()

    let server = try Run(["serve", "--port", "0", "--data", folder.data.path])
    let (host, port) = try await server.url()
    // How long a mutation takes, in turns that this task gives up meanwhile.
    var turns = 0
    for _ in 0..<Int.random(in: 2...12, using: &dice) {
      let mutationID = Act.random(model, &dice)
      let (status, used) = await send(mutationID, album.id, host, port) { _ in }
      #expect(status.map { (200..<300).contains($0) } == true, "seed \(seed)")
      turns = used
      model = mutationID.applied(to: model)
    }
    // The last one is under way when the program dies: somewhere between the first byte and the answer.
    let last = Act.random(model, &dice)
    let patience = Int.random(in: 0...(turns * 3 / 2), using: &dice)
    let (status, _) = await send(last, album.id, host, port) { turn in
      if turn == patience { server.signal(SIGKILL) }
    }
    server.signal(SIGKILL)
    await server.wait()

    let library = try await folder.library()
    let found = try await read(library, album.id)
    let after = last.applied(to: model)
    #expect(found == after || (found == model && status == nil), "seed \(seed): \(last)")
    let report = try await library.check()
    #expect(report.isGood && report.withoutThumbnail.isEmpty, "seed \(seed): \(report)")
    #expect(report.photos == found.album.count + found.trash.count)
    #expect(folder.files(in: "originals").count == report.photos, "seed \(seed)")
    await library.close()
  }
}

import Foundation
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// A part of the memory for answers is out of reach of large ones.
@Suite struct AnswerReserveTests {
  private static let small = AnswerShare.small
  /// For each address, half: two of three parts for large ones.
  private let budget = MemoryBudget(limit: 48 * small, reserve: 16 * small)

  private func fill(_ owner: String) async throws -> [AnswerShare] {
    var shares: [AnswerShare] = []
    for _ in 0..<8 { shares.append(try await budget.share(2 * Self.small, for: owner, isLarge: true)) }
    return shares
  }

  @Test(arguments: ["a", "c"])
  func smallOnesDoNotWaitWhereLargeOnesDo(_ owner: String) async throws {
    let held = [try await fill("a"), try await fill("b")]
    let large = Task { try await budget.share(2 * Self.small, for: owner, isLarge: true) }
    while await budget.waiterCount == 0 { await Task.yield() }
    for _ in 0..<8 { _ = try await budget.share(Self.small, for: owner) }
    #expect(await budget.waitCount == 1)
    _ = consume held
    _ = try await large.value
  }

  @Test func whatTurnsOutLargeFindsRoomThereOrIsRefused() async throws {
    let share = try await budget.share(4 * Self.small, for: "a", isLarge: false)
    try await share.resize(to: 3 * Self.small)
    var held: [AnswerShare] = []
    while held.count < 6 { held.append(try await budget.share(2 * Self.small, for: "a", isLarge: true)) }
    let next = try await budget.share(4 * Self.small, for: "a", isLarge: false)
    #expect(await code { try await next.resize(to: 2 * Self.small) } == .busy)
    try await next.resize(to: 10)
    // What was refused holds no more than before.
    for _ in 0..<7 { _ = try await budget.share(Self.small, for: "a") }
    #expect(await budget.waitCount == 0 && held.count == 6)
  }
}

#if os(Linux)
  /// Readers of large answers, who take them slowly or not at all, hold up nobody who wants a small one.
  @Suite struct SmallAnswerTests {
    @Test func smallAnswersAreServedWhileLargeOnesAreNotRead() async throws {
      let folder = try TestFolder()
      let photo = try await folder.makeLargeOriginal()
      // 4 MB for answers, of which one address gets half.
      let server = try await RunningProgram(folder, "--request-megabytes", "16")
      let album = photo.albumID.wireText
      let lists = Array(repeating: "list=/api/albums/stream", count: 64).joined(separator: "&")
      let large = [
        "/api/albums/\(album)/export", "/originals/\(photo.contentHash)", "/api/streams?\(lists)",
      ]
      // One has begun; whoever finds no room after it waits, and is not waited for.
      let first = try server.begin("GET", large[0])
      #expect(first.receive().hasPrefix("HTTP/1.1 200 "))
      var readers = [first]
      for target in large {
        for source in ["127.0.0.1", "127.0.0.2"] {
          for _ in 0..<16 { readers.append(try server.begin("GET", target, from: source)) }
        }
      }
      let small = [
        "/api/albums", "/albums/\(album)", "/assets/album.js", "/thumbnails/\(photo.contentHash)",
        "/api/albums/\(album)/items?from=0&count=10", "/api/build", "/api/trash",
      ]
      for round in 0..<3 {
        for target in small { #expect(try server.status("GET", target) == 200, "\(round): \(target)") }
      }
      let stream = try server.begin("GET", "/api/albums/\(album)/stream")
      var frames = ""
      while !frames.contains("snapshot") {
        let piece = stream.receive()
        guard !piece.isEmpty else { break }
        frames += piece
      }
      #expect(frames.contains("snapshot"), "\(frames)")
      let several = try server.begin(
        "GET", "/api/streams?list=/api/albums/stream&list=/api/albums/\(album)/stream")
      #expect(several.receive().hasPrefix("HTTP/1.1 200 "))
      #expect(try server.status("POST", "/api/albums", json: #"{"title":"B"}"#) == 201)
      // There were more than there is room for.
      #expect(readers.dropFirst().contains { $0.receive().hasPrefix("HTTP/1.1 503 ") })
      for reader in readers { reader.hangUp() }
      stream.hangUp()
      several.hangUp()
      await server.stop()
    }

    /// Who held a part of what an export takes and waited for the rest kept everybody from theirs.
    @Test func someOfManyExportsThatAreAskedForTogetherAreServed() async throws {
      let folder = try TestFolder()
      let photo = try await folder.makeLargeOriginal()
      let server = try await RunningProgram(folder, "--request-megabytes", "16")
      let readers = try (0..<16).map { _ in
        try server.begin("GET", "/api/albums/\(photo.albumID.wireText)/export")
      }
      #expect(readers.contains { $0.receive().hasPrefix("HTTP/1.1 200 ") })
      for reader in readers { reader.hangUp() }
      await server.stop()
    }
  }
#endif

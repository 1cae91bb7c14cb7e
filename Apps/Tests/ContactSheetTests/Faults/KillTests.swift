import Foundation
import NIOHTTP1
import Testing
import _TestTools

@testable import ContactSheet
@testable import ContactSheetLibrary

/// The program is killed for real, at moments that follow from a seed and from how far it has come.
@Suite struct KillTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// Sees that the database and the folder agree, and that nothing of an import that was cut off is left.
  private func expectWhole(_ library: PhotoLibrary) async throws -> [Photo] {
    var photos: [Photo] = []
    for album in try await library.albums() { photos += try await library.photos(in: album.id) }
    let hashes = Set(photos.map(\.contentHash))
    #expect(folder.files(in: "incoming").isEmpty)
    #expect(Set(folder.files(in: "originals").map { String($0.suffix(64)) }) == hashes)
    #expect(Set(folder.files(in: "thumbnails").map { String($0.suffix(64)) }).isSubset(of: hashes))
    for text in hashes {
      let hash = try #require(ContentHash(text))
      let digest = SHA256.hash(try TestPictures.bytes(library.folder.original(hash)))
      #expect(ContentHash(digest: digest) == hash)
      #expect(try await library.thumbnail(hash) != nil)
    }
    return photos
  }

  @Test(arguments: inTurns([11, 12, 13, 14, 15, 16] as [UInt64], of: 3))
  func everyPhotoThatWasShownIsThereAndNothingElse(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let pictures = try (0..<24).map { number in
      try TestPictures.write(
        to: "\(folder.path)/\(number).jpg", number: Int(seed) * 100 + number, width: 600, height: 400)
    }
    let server = try Run(["serve", "--port", "0", "--data", folder.data.path])
    let url = try await server.url()
    let address = "http://\(url.host):\(url.port)"
    let destination = try await RunningServer.album(titled: "A", at: address)
    // Dies after so many answers, while the next files are under way.
    let last = Int.random(in: 1...20, using: &generator)
    let shown = await withTaskGroup(of: ImportOutcome?.self) { group in
      var rest = pictures[...]
      for path in rest.prefix(4) { group.addTask { try? await destination.importFile(path) } }
      rest = rest.dropFirst(4)
      var shown: [UUID] = []
      while let outcome = await group.next() {
        if let outcome { shown.append(outcome.id) }
        if shown.count == last { server.signal(SIGKILL) }
        if let path = rest.popFirst(), shown.count < last {
          group.addTask { try? await destination.importFile(path) }
        }
      }
      return shown
    }
    await server.wait()
    let library = try await folder.library()
    let photos = try await expectWhole(library)
    let ids = Set(photos.map(\.id))
    #expect(shown.allSatisfy { ids.contains($0) }, "seed \(seed)")
    #expect(photos.count >= shown.count)
    await library.close()
  }

  @Test(arguments: inTurns([21, 22, 23, 24] as [UInt64], of: 4))
  func anImportThatIsKilledCanSimplyBeRunAgain(_ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let pictures = folder.path + "/pictures"
    try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
    for number in 0..<20 {
      try TestPictures.write(to: "\(pictures)/\(number).jpg", number: number, width: 600, height: 400)
    }
    let first = try Run(["import", pictures, "--album", "A", "--data", folder.data.path])
    // Dies once so many originals are in their places.
    let last = Int.random(in: 0...15, using: &generator)
    while first.isRunning, folder.files(in: "originals").count < last { await Task.yield() }
    first.signal(SIGKILL)
    await first.wait()
    let between = try await folder.library()
    _ = try await expectWhole(between)
    await between.close()
    let second = try Run(["import", pictures, "--album", "A", "--data", folder.data.path])
    #expect(await second.wait() == 0)
    let library = try await folder.library()
    #expect(try await expectWhole(library).count == 20, "seed \(seed)")
    await library.close()
  }
}

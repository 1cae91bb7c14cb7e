import Foundation
import Testing

@testable import ContactSheetLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Pictures of a screen's size: which photos have one, when it is made, and how much of the disk all may take.
@Suite struct PreviewTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Imports a picture into the first album, which is made where there is none, and returns its hash.
  private func add(
    _ name: String, to library: PhotoLibrary, number: Int = 0, width: Int = 2400, height: Int = 1600,
    orientation: Int = 1
  ) async throws -> ContentHash {
    let path = try TestPictures.write(
      to: folder.path + "/" + name, number: number, width: width, height: height, orientation: orientation)
    let album = try await library.albumTitled("A")
    let outcome = try await library.importFile(path, to: album.id)
    let photo = try #require(try await library.photos(in: album.id).first { $0.id == outcome.id })
    return try #require(ContentHash(photo.contentHash))
  }

  private func size(_ path: String) throws -> [Int] {
    let header = try ImageProbe.header(
      of: try OpenFile(reading: path), named: path, pixelLimit: 100_000_000)
    return [header.width, header.height]
  }

  @Test(arguments: [true, false])
  func aLargePhotoGetsOneWithItsImport(inProcess: Bool) async throws {
    let decoder: any ImageDecoder = inProcess ? InProcessDecoder() : Program.decoder()
    let library = try await PhotoLibrary.open(folder.data, decoder: decoder, logger: .quiet)
    let hash = try await add("a.jpg", to: library)
    let upright = try await add("b.jpg", to: library, number: 1, orientation: 6)
    #expect(folder.files(in: "previews").count == 2)
    #expect(try size(library.folder.preview(hash)) == [2048, 1365])
    #expect(try size(library.folder.thumbnail(hash)) == [480, 320])
    #expect(try size(library.folder.preview(upright)) == [1365, 2048])
    #expect(try size(library.folder.thumbnail(upright)) == [320, 480])
    #expect(folder.files(in: "incoming").isEmpty)
    await library.close()
  }

  @Test func aSmallPhotoIsItsOwnWhereBrowsersShowIt() async throws {
    let library = try await folder.library()
    let hash = try await add("a.jpg", to: library, width: 900, height: 600)
    #expect(folder.files(in: "previews").isEmpty)
    let file = try #require(try await library.preview(hash))
    #expect(file == StoredFile(path: library.folder.original(hash), contentType: "image/jpeg"))
    let png = try await add("b.png", to: library, number: 1, width: 300, height: 200)
    #expect(try await library.preview(png)?.contentType == "image/png")
    #expect(folder.files(in: "previews").isEmpty)
    // A browser does not show it.
    let heic = try await add("c.heic", to: library, number: 2, width: 300, height: 200)
    #expect(try size(library.folder.preview(heic)) == [300, 200])
    await library.close()
  }

  @Test func aLongFileIsNeverSentInItsPlaceUnlessItMayMove() {
    func isWanted(_ format: ImageFormat, _ width: Int, _ bytes: Int) -> Bool {
      PreviewNeed.isWanted(format, width: width, height: 100, byteCount: bytes, box: 2048)
    }
    #expect(!isWanted(.jpeg, 2048, PreviewNeed.smallFile))
    #expect(isWanted(.jpeg, 2049, 1000))
    #expect(isWanted(.png, 2048, PreviewNeed.smallFile + 1))
    #expect(!isWanted(.gif, 2048, 50_000_000) && !isWanted(.webp, 2048, 50_000_000))
    #expect(isWanted(.gif, 2049, 1000))
    #expect(isWanted(.heic, 10, 10) && isWanted(.tiff, 10, 10))
  }

  /// As in a folder of a version before previews.
  @Test func anOldPhotoGetsOneWhenItIsWanted() async throws {
    let library = try await folder.library()
    let hash = try await add("a.jpg", to: library)
    try Files.remove(library.folder.preview(hash))
    let file = try #require(try await library.preview(hash))
    #expect(file.path == library.folder.preview(hash))
    #expect(try size(file.path) == [2048, 1365])
    await library.close()
  }

  @Test func whatWasNotLookedAtForLongestMakesRoom() async throws {
    var settings = Settings()
    let first = try await folder.library(settings)
    let one = try await add("a.jpg", to: first, number: 1)
    let two = try await add("b.jpg", to: first, number: 2)
    let data = first.folder
    let size = try #require(Files.size(data.preview(one)))
    await first.close()
    // A week ago, and an hour later.
    for (hash, seconds) in [(one, 604_800), (two, 601_200)] {
      let then = timeval(tv_sec: time(nil) - seconds, tv_usec: 0)
      #expect(utimes(data.preview(hash), [then, then]) == 0)
    }
    settings.previewBytes = size * 5 / 2
    let library = try await folder.library(settings)
    _ = try await library.preview(one)
    let three = try await add("c.jpg", to: library, number: 3)
    #expect(Files.size(data.preview(one)) != nil, "it was looked at last")
    #expect(Files.size(data.preview(two)) == nil)
    #expect(Files.size(data.preview(three)) != nil)
    // It is made again when it is wanted, and counts like one of an import.
    #expect(try await library.preview(two) != nil)
    #expect(folder.files(in: "previews").count == 2)
    await library.close()
  }

  @Test func theNewestStaysHoweverSmallTheBudgetIs() async throws {
    var settings = Settings()
    settings.previewBytes = 1
    let library = try await folder.library(settings)
    for number in 0..<3 {
      let hash = try await add("\(number).jpg", to: library, number: number)
      #expect(folder.files(in: "previews") == ["\(hash.prefix)/\(hash.text)"])
    }
    await library.close()
  }

  @Test func aPhotoThatIsRemovedForGoodLeavesNone() async throws {
    let library = try await folder.library()
    _ = try await add("a.jpg", to: library)
    let album = try #require(try await library.albums().first)
    try await library.delete(
      try await library.photos(in: album.id).map(\.id), from: album.id, mutationID: UUID())
    #expect(folder.files(in: "previews").count == 1)
    try await library.emptyTrash()
    #expect(folder.files(in: "previews").isEmpty)
    await library.close()
  }

  @Test func aBackupHasNoneAndACheckMissesNone() async throws {
    let library = try await folder.library()
    let hash = try await add("a.jpg", to: library)
    let target = DataFolder(path: folder.path + "/backup")
    _ = try await library.backUp(to: target)
    #expect(Files.tree(target.path).contains("originals/\(hash.prefix)/\(hash.text)"))
    #expect(!Files.tree(target.path).contains { $0.hasPrefix("previews") })
    try Files.remove(library.folder.preview(hash))
    let report = try await library.check()
    #expect(report.isGood && report.withoutThumbnail.isEmpty)
    await library.close()
  }

  @Test func aTruncatedPhotoIsRefusedAndLeavesNothing() async throws {
    let path = try TestPictures.write(to: folder.path + "/cut.jpg", width: 2400, height: 1600)
    let whole = try TestPictures.bytes(path)
    try TestPictures.put(whole.prefix(whole.count / 2), at: path)
    let library = try await folder.library()
    let album = try await library.albumTitled("A")
    #expect(await code { _ = try await library.importFile(path, to: album.id) } == .truncated)
    #expect(folder.files(in: "previews").isEmpty && folder.files(in: "incoming").isEmpty)
    await library.close()
  }
}

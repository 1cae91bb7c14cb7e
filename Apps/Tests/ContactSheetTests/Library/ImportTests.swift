import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

@Suite struct ImportTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test func storesTheOriginalUnderItsHashAndMakesAThumbnail() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("Iceland")
    let path = try TestPictures.write(to: folder.path + "/Geyser.jpg", captured: "2024:05:06 07:08:09")
    let outcome = try await library.importFile(path, to: album.id)
    #expect(outcome.status == .imported)
    #expect(outcome.title == "Geyser")
    let photo = try #require(try await library.photos(in: album.id).first)
    #expect(photo.id == outcome.id)
    #expect(photo.fileName == "Geyser.jpg")
    #expect(photo.captureDate?.iso8601 == "2024-05-06T07:08:09Z")
    #expect((photo.width, photo.height) == (120, 80))
    let hash = try #require(ContentHash(photo.contentHash))
    #expect(try TestPictures.bytes(library.folder.original(hash)) == TestPictures.bytes(path))
    #expect(WholeJPEG.isAt(library.folder.thumbnail(hash)))
    #expect(folder.files(in: "incoming").isEmpty)
    await library.close()
  }

  @Test func takesTheSameContentOncePerAlbum() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let other = try await library.createAlbum("B")
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let copy = folder.path + "/copy of a.jpg"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let first = try await library.importFile(path, to: album.id)
    let second = try await library.importFile(copy, to: album.id)
    #expect(second == ImportOutcome(id: first.id, title: "a", status: .duplicate))
    #expect(try await library.importFile(copy, to: other.id).status == .imported)
    #expect(folder.files(in: "originals").count == 1)
    #expect(try await library.albums().map(\.photoCount) == [1, 1])
    await library.close()
  }

  @Test func takesTheSameContentOnceFromManyImportsAtATime() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let outcomes = try await withThrowingTaskGroup(of: ImportOutcome.self) { group in
      for _ in 0..<8 { group.addTask { try await library.importFile(path, to: album.id) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0.status == .imported } == 1)
    #expect(Set(outcomes.map(\.id)).count == 1)
    #expect(folder.files(in: "incoming").isEmpty)
    #expect(folder.files(in: "originals").count == 1)
    await library.close()
  }

  @Test func arrivesAtTheEndInTheOrderOfCaptureWhicheverIsReadyFirst() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    _ = try await library.importFile(
      try TestPictures.write(to: folder.path + "/old.jpg", number: 99), to: album.id)
    var generator = SeededGenerator(seed: 42)
    let batch = ImportBatch()
    for day in (1...20).shuffled(using: &generator) {
      let path = try TestPictures.write(
        to: "\(folder.path)/\(day).jpg", number: day,
        captured: "2024:05:\(day < 10 ? "0" : "")\(day) 12:00:00")
      _ = try await library.importFile(path, to: album.id, batch: batch)
    }
    for name in ["IMG_10", "IMG_9"] {
      let path = try TestPictures.write(to: "\(folder.path)/\(name).png", number: name.count)
      _ = try await library.importFile(path, to: album.id, batch: batch)
    }
    let expected = ["old"] + (1...20).map(String.init) + ["IMG_9", "IMG_10"]
    #expect(try await library.photos(in: album.id).map(\.title) == expected)
    await library.close()
  }

  @Test(arguments: [42, 43, 44] as [UInt64])
  func arrivesAtTheEndAlsoWhereTheAlbumHasSomeOfThePhotos(_ seed: UInt64) async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let paths = try (1...9).map { day in
      try TestPictures.write(
        to: "\(folder.path)/\(day).jpg", number: day, captured: "2024:05:0\(day) 12:00:00")
    }
    for day in [8, 2, 5] { _ = try await library.importFile(paths[day - 1], to: album.id) }
    var generator = SeededGenerator(seed: seed)
    let batch = ImportBatch()
    for path in paths.shuffled(using: &generator) {
      let outcome = try await library.importFile(path, to: album.id, batch: batch)
      #expect((outcome.status == .duplicate) == ["2", "5", "8"].contains(outcome.title), "seed \(seed)")
    }
    #expect(
      try await library.photos(in: album.id).map(\.title) == ["8", "2", "5", "1", "3", "4", "6", "7", "9"],
      "seed \(seed)")
    await library.close()
  }

  @Test(arguments: [
    ("empty.jpg", "", "empty"), ("text.jpg", "these are words", "notAnImage"),
    ("drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "unsupported"),
    ("paper.jpg", "%PDF-1.7", "unsupported"),
  ])
  func refusesByNameAndKeepsNothing(_ name: String, _ text: String, _ code: String) async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let path = folder.path + "/" + name
    try TestPictures.put(text.utf8, at: path)
    let failure = await #expect(throws: ContactSheetError.self) {
      try await library.importFile(path, to: album.id)
    }
    #expect(failure?.code.rawValue == code)
    #expect(failure?.message.contains("“\(name)”") == true)
    try await expectNothing(in: library)
  }

  @Test func refusesDamagedAndOversizedFilesAndKeepsNothing() async throws {
    var settings = Settings()
    settings.byteLimit = 60_000
    settings.pixelLimit = 200_000
    let library = try await folder.library(settings)
    let album = try await library.createAlbum("A")
    let whole = try TestPictures.bytes(
      try TestPictures.write(to: folder.path + "/w.jpg", width: 400, height: 300))
    let cut = folder.path + "/cut.jpg"
    try TestPictures.put(whole.prefix(whole.count * 2 / 3), at: cut)
    #expect(await code { try await library.importFile(cut, to: album.id) } == .truncated)
    let bomb = folder.path + "/bomb.png"
    try TestPictures.put(TestPictures.lyingPNG(width: 30_000, height: 30_000), at: bomb)
    #expect(await code { try await library.importFile(bomb, to: album.id) } == .tooManyPixels)
    let large = folder.path + "/large.jpg"
    try TestPictures.put(whole + [UInt8](repeating: 0, count: 60_000), at: large)
    #expect(await code { try await library.importFile(large, to: album.id) } == .tooLarge)
    #expect(
      await code { try await library.importFile(folder.path + "/none.jpg", to: album.id) } == .unreadable)
    try await expectNothing(in: library)
  }

  private func expectNothing(in library: PhotoLibrary) async throws {
    #expect(try await library.albums().map(\.photoCount) == [0])
    for part in ["incoming", "originals", "thumbnails"] {
      #expect(folder.files(in: part).isEmpty, "\(part)")
    }
    await library.close()
  }

  @Test func goesOnWithTheOthersWhenAFileIsBad() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let photos = folder.path + "/photos"
    try FileManager.default.createDirectory(
      atPath: photos + "/inner/.hidden", withIntermediateDirectories: true)
    for number in 0..<6 {
      let folder = number % 2 == 0 ? photos : photos + "/inner"
      try TestPictures.write(to: "\(folder)/\(number).jpg", number: number)
    }
    try TestPictures.put("words".utf8, at: photos + "/words.jpg")
    try TestPictures.put("notes".utf8, at: photos + "/notes.txt")
    try TestPictures.write(to: photos + "/.thumb.jpg", number: 50)
    let importer = FolderImport(to: LibraryDestination(library, album: album))
    var found: (Int, Int)?
    var messages: [String] = []
    let summary = try await importer.run([photos]) { event in
      switch event {
      case .found(let files, let others): found = (files, others)
      case .finished(_, .failure(let error)): messages.append(error.message)
      case .finished, .noted: break
      }
    }
    #expect(found?.0 == 7)
    #expect(found?.1 == 1)
    #expect((summary.imported, summary.failed, summary.duplicates) == (6, 1, 0))
    #expect(messages.count == 1)
    #expect(messages.first?.contains("words.jpg") == true)
    let again = try await importer.run([photos])
    #expect((again.imported, again.failed, again.duplicates) == (0, 1, 6))
    await library.close()
  }

  @Test func refusesAnAlbumThatIsGone() async throws {
    let library = try await folder.library()
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    #expect(await code { try await library.importFile(path, to: UUID()) } == .notFound)
    #expect(folder.files(in: "originals").isEmpty)
    await library.close()
  }

  @Test func makesLostAndDamagedThumbnailsAgain() async throws {
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let path = try TestPictures.write(to: folder.path + "/a.heic")
    _ = try await library.importFile(path, to: album.id)
    let hash = try #require(
      try await library.photos(in: album.id).first.flatMap { ContentHash($0.contentHash) })
    let thumbnail = library.folder.thumbnail(hash)
    for damage in [
      { try TestPictures.put([0xFF, 0xD8, 1, 2, 3, 4], at: thumbnail) }, { try Files.remove(thumbnail) },
    ] {
      try damage()
      #expect(try await library.thumbnail(hash)?.path == thumbnail)
      #expect(WholeJPEG.isAt(thumbnail))
    }
    let preview = try #require(try await library.preview(hash))
    #expect(WholeJPEG.isAt(preview.path))
    await library.close()
  }
}

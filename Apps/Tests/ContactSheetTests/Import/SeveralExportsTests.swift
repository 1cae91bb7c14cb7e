import Foundation
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Several exports in one import, by name or in a folder: each is an album of its own.
@Suite struct SeveralExportsTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private var exports: String { folder.path + "/exports" }
  private var target: DataFolder { folder.data("target") }

  /// Two albums that share a photo, in orders and with titles of their own; the third is empty.
  private func makeExports() async throws -> [String: [String]] {
    let library = try await folder.library()
    for (title, numbers) in [("Iceland", [3, 1, 2]), ("Norway", [5, 1, 4]), ("Empty", [])]
      as [(String, [Int])]
    {
      let album = try await library.createAlbum(title)
      for number in numbers {
        let picture = try TestPictures.write(
          to: "\(folder.path)/p.jpg", number: number, width: 24, height: 16)
        let photo = try await library.importFile(picture, to: album.id)
        try await library.rename(photo: photo.id, in: album.id, to: "\(title) \(number)")
      }
    }
    await library.close()
    try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: false)
    for title in ["Iceland", "Norway", "Empty"] {
      let export = try await folder.run("export", "\(exports)/\(title).zip", "--album", title)
      try #require(export.status == 0, "\(export.text)")
    }
    return try await titles(in: folder.data)
  }

  private func titles(in data: DataFolder) async throws -> [String: [String]] {
    let library = try await PhotoLibrary.visit(data, logger: .quiet)
    var titles: [String: [String]] = [:]
    for album in try await library.albums() {
      titles[album.title] = try await library.photos(in: album.id).map(\.title)
    }
    await library.close()
    return titles
  }

  @Test func eachExportComesIntoAnAlbumOfItsTitle() async throws {
    let before = try await makeExports()
    #expect(before["Iceland"]?.count == 3 && before["Norway"]?.count == 3)
    let run = try await folder.run(
      "import", "\(exports)/Iceland.zip", "\(exports)/Norway.zip", "\(exports)/Empty.zip", data: target)
    #expect(run.status == 0, "\(run.text)")
    #expect(try await titles(in: target) == before)
  }

  @Test func archivesInAFolderAreUnpacked() async throws {
    let before = try await makeExports()
    let run = try await folder.run("import", exports, data: target)
    #expect(run.status == 0 && !run.text.contains("Passing over"), "\(run.text)")
    #expect(try await titles(in: target) == before)
  }

  @Test func whatIsInNoExportGoesWhereItAlwaysWent() async throws {
    var expected = try await makeExports()
    let picture = try TestPictures.write(to: "\(folder.path)/extra.jpg", number: 9, width: 24, height: 16)
    let run = try await folder.run("import", exports, picture, data: target)
    #expect(run.status == 0, "\(run.text)")
    expected["My photos"] = ["extra"]
    #expect(try await titles(in: target) == expected)
  }

  @Test func anAlbumThatIsNamedTakesAll() async throws {
    _ = try await makeExports()
    let run = try await folder.run("import", exports, "--album", "All", data: target)
    // The photo that both have comes in once.
    #expect(run.status == 0 && run.text.contains("1 were there already"), "\(run.text)")
    #expect(try await titles(in: target).mapValues(\.count) == ["All": 5])
  }

  @Test func anArchiveInAFolderThatCannotBeReadIsNamed() async throws {
    var expected = try await makeExports()
    let whole = try TestPictures.bytes("\(exports)/Norway.zip")
    try TestPictures.put(Array(whole.prefix(whole.count / 2)), at: "\(exports)/Norway.zip")
    let run = try await folder.run("import", exports, data: target)
    #expect(
      run.status == 65 && run.text.contains("“Norway.zip” cannot be read as a zip archive"), "\(run.text)")
    expected["Norway"] = nil
    expected["My photos"] = []
    #expect(try await titles(in: target) == expected)
  }
}

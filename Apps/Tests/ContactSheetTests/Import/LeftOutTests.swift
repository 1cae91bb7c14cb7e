import Foundation
import Testing

@testable import ContactSheet

/// No import leaves out what may be a photo without saying so: whoever sees status 0 empties the disk that it came from.
@Suite struct LeftOutTests {
  let folder: TestFolder
  let pictures: String

  init() throws {
    folder = try TestFolder()
    pictures = folder.path + "/pictures"
    try FileManager.default.createDirectory(atPath: pictures + "/Alps", withIntermediateDirectories: true)
    _ = try TestPictures.write(to: pictures + "/Alps/a.jpg", number: 1)
  }

  /// Copies a picture to a name of any bytes.
  private func copy(to name: [UInt8]) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: pictures + "/Alps/a.jpg"))
    var path = Array((pictures + "/").utf8CString.dropLast())
    path += name.map { CChar(bitPattern: $0) } + [0]
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == data.count)
  }

  @Test func namesThatAreNoUTF8AreNamed() async throws {
    try copy(to: Array("Gr".utf8) + [0xFC, 0xDF] + Array("e.png".utf8))
    let result = try await folder.run("import", pictures, "--album", "Alps")
    #expect(
      result.status == 65 && result.text.contains("“Gr��e.png” has a name that is not UTF-8"),
      "\(result.text)")
    #expect(result.text.contains("Imported 1 photo"), "\(result.text)")
  }

  @Test func foldersWhoseNamesAreNoUTF8AreNamed() async throws {
    var path = Array((pictures + "/M").utf8CString.dropLast())
    path += [CChar(bitPattern: 0xE4)] + Array("rz".utf8CString)
    try #require(mkdir(path, 0o700) == 0)
    let result = try await folder.run("import", pictures, "--album", "Alps")
    #expect(
      result.status == 65 && result.text.contains("“M�rz” has a name that is not UTF-8"), "\(result.text)")
  }

  @Test(arguments: ["gone.png", "loop.png", "pipe.png"])
  func linksToNothingAndPipesThatAreCalledPicturesAreNamed(_ name: String) async throws {
    let path = "\(pictures)/\(name)"
    if name == "pipe.png" {
      try #require(mkfifo(path, 0o600) == 0)
    } else {
      try #require(symlink(name == "loop.png" ? name : "nowhere", path) == 0)
    }
    try #require(symlink("nowhere", pictures + "/notes.txt") == 0)
    let result = try await folder.run("import", pictures, "--album", "Alps")
    #expect(result.status == 65 && result.text.contains("“\(name)” cannot be read"), "\(result.text)")
    #expect(result.text.contains("Imported 1 photo into “Alps”, 1 could not be read."), "\(result.text)")
  }

  /// Who is root may read everything.
  @Test(.enabled(if: geteuid() != 0)) func foldersThatMayNotBeReadAreNamed() async throws {
    try #require(mkdir(pictures + "/closed", 0) == 0)
    defer { chmod(pictures + "/closed", 0o700) }
    let result = try await folder.run("import", pictures, "--album", "Alps")
    #expect(result.status == 65 && result.text.contains("“closed” cannot be listed"), "\(result.text)")
  }

  @Test func archivesInAFolderAreNamed() async throws {
    try Data().write(to: URL(fileURLWithPath: pictures + "/more.zip"))
    let result = try await folder.run("import", pictures, "--album", "Alps")
    #expect(
      result.status == 0 && result.text.contains("“more.zip”: archives in a folder are not unpacked"),
      "\(result.text)")
  }

  @Test func severalExportsComeIntoAnAlbumEach() async throws {
    let library = try await folder.library()
    for (title, numbers) in ["Iceland": [1, 2, 3], "Norway": [3, 4]] {
      let album = try await library.createAlbum(title)
      for number in numbers {
        let path = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
        let photo = try await library.importFile(path, to: album.id).id
        try await library.rename(photo: photo, in: album.id, to: "\(title) \(number)")
      }
    }
    await library.close()
    let archives = ["Iceland", "Norway"].map { "\(folder.path)/\($0).zip" }
    for (title, archive) in zip(["Iceland", "Norway"], archives) {
      #expect(try await folder.run("export", archive, "--album", title).status == 0)
    }
    let other = DataFolder(path: folder.path + "/other")
    let result = try await folder.run("import", archives[0], archives[1], data: other)
    #expect(result.status == 0, "\(result.text)")
    let titles = try await folder.use(other) { library in
      var titles: [String: [String]] = [:]
      for album in try await library.albums() {
        titles[album.title] = try await library.photos(in: album.id).map(\.title)
      }
      return titles
    }
    #expect(titles["Iceland"] == ["Iceland 1", "Iceland 2", "Iceland 3"])
    #expect(titles["Norway"] == ["Norway 3", "Norway 4"])
  }
}

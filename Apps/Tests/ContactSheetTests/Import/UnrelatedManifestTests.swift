import Foundation
import Testing

@testable import ContactSheetLibrary

/// Files that are called like a manifest and lie where an export has none, and links in folders.
@Suite struct UnrelatedManifestTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private static let useless = #"{"format":2,"photos":[]}"#

  /// Imports a folder, or what a packer makes of it, and gives the titles.
  private func imported(_ path: String, zipped: Bool) async throws -> (
    text: String, status: Int32, titles: [String]
  ) {
    var source = path
    if zipped {
      source = path + ".zip"
      let script = "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[1])"
      let packing = try Run(["python3", "-c", script, path], program: "/usr/bin/env")
      #expect(await packing.wait() == 0, "\(packing.text)")
    }
    let run = try Run(["import", source, "--album", "A", "--data", folder.data.path])
    let status = await run.wait()
    // What is refused before anything is imported makes no data folder.
    guard status == 0 || status == 65, Files.size(folder.data.database) != nil else {
      return (run.text, status, [])
    }
    let library = try await PhotoLibrary.visit(folder.data, logger: .quiet)
    let album = try await library.albums().first { $0.title == "A" }
    var titles: [String] = []
    if let album { titles = try await library.photos(in: album.id).map(\.title) }
    await library.close()
    return (run.text, status, titles)
  }

  /// A folder with photos at the top and something in a folder below.
  private func makeTree(_ manifest: String, in part: String = "app", photos: [String] = ["a.jpg", "b.jpg"])
    throws -> String
  {
    let path = folder.path + "/tree"
    try Files.makeFolder("\(path)/\(part)", withParents: true)
    for (number, name) in photos.enumerated() {
      try TestPictures.write(to: "\(path)/\(name)", number: number, width: 24, height: 16)
    }
    try TestPictures.put(Array(manifest.utf8), at: "\(path)/\(part)/manifest.json")
    return path
  }

  @Test(
    arguments: [
      "{{{", useless, #"{"format":1,"photos":7}"#, "\u{0}", #"{"name":"An app"}"#,
      #"{"format":1,"album":"X","photos":["# + String(repeating: "{},", count: 5000) + "{}]}",
    ], [true, false])
  func aManifestThatCannotBeReadInAFolderBelowIsNotUsedAndSaid(_ manifest: String, _ zipped: Bool)
    async throws
  {
    let done = try await imported(try makeTree(manifest), zipped: zipped)
    #expect(done.status == 0 && done.titles == ["a", "b"], "\(done.text)")
    #expect(done.text.contains("manifest.json in the folder “app” was not used"), "\(done.text)")
  }

  @Test func severalOfThemAreSaidOnce() async throws {
    let path = try makeTree(Self.useless)
    try Files.makeFolder(path + "/other/deep", withParents: true)
    try TestPictures.put(Array(Self.useless.utf8), at: path + "/other/deep/manifest.json")
    let done = try await imported(path, zipped: true)
    #expect(done.status == 0 && done.titles == ["a", "b"], "\(done.text)")
    #expect(done.text.contains("“app”, and 1 more in other folders, were not used"), "\(done.text)")
  }

  /// The one folder of an archive is its top, whatever systems have left beside it.
  @Test func aManifestThatCannotBeReadAtTheTopIsStillRefused() async throws {
    let path = folder.path + "/tree"
    try Files.makeFolder(path + "/export", withParents: true)
    try Files.makeFolder(path + "/__MACOSX/export", withParents: true)
    try TestPictures.put([1, 2], at: path + "/__MACOSX/export/._a.jpg")
    try TestPictures.put([1], at: path + "/.DS_Store")
    try TestPictures.write(to: path + "/export/a.jpg", width: 24, height: 16)
    try TestPictures.put(Array(Self.useless.utf8), at: path + "/export/manifest.json")
    let done = try await imported(path, zipped: true)
    #expect(done.status == 65 && done.text.contains("cannot be used") && done.titles.isEmpty, "\(done.text)")
  }

  @Test func oneThatCanBeReadBelowCountsAsBefore() async throws {
    let manifest =
      #"{"album":"X","format":1,"photos":[{"file":"z.jpg","title":"First"},{"file":"y.jpg","title":"Second"}]}"#
    let path = try makeTree(manifest, in: "export", photos: ["export/z.jpg", "export/y.jpg", "other.jpg"])
    try Files.makeFolder(path + "/export/app")
    try TestPictures.put(Array(Self.useless.utf8), at: path + "/export/app/manifest.json")
    let done = try await imported(path, zipped: true)
    #expect(done.status == 0 && done.titles == ["First", "Second", "other"], "\(done.text)")
    #expect(done.text.contains("in the folder “app” was not used"), "\(done.text)")
  }

  @Test func linksToFoldersAreNotFollowedAndSaid() async throws {
    let elsewhere = folder.path + "/elsewhere"
    try Files.makeFolder(elsewhere)
    try TestPictures.write(to: elsewhere + "/secret.jpg", number: 9, width: 24, height: 16)
    let path = try makeTree(Self.useless)
    for name in ["link", "another"] {
      try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: elsewhere)
    }
    // Two folders that lead to each other have no end.
    try FileManager.default.createSymbolicLink(atPath: "\(path)/app/up", withDestinationPath: path)
    let done = try await imported(path, zipped: false)
    #expect(done.status == 0 && done.titles == ["a", "b"], "\(done.text)")
    #expect(
      done.text.contains("“another” and 2 more, links to other folders, were not followed"), "\(done.text)")
    // Whoever names a link means what it leads to.
    let named = try await imported(path + "/link", zipped: false)
    #expect(named.titles.contains("secret"), "\(named.text)")
  }

  @Test func anArchiveBehindOtherBytesIsNamed() async throws {
    let path = try makeTree(Self.useless)
    _ = try await imported(path, zipped: true)
    let packed = try TestPictures.bytes(path + ".zip")
    let file = folder.path + "/setup.zip"
    try TestPictures.put(Array("#!/bin/sh\nexit\n".utf8) + packed, at: file)
    let run = try Run(["import", file, "--album", "A", "--data", folder.data.path])
    #expect(await run.wait() == 65)
    #expect(run.text.contains("“setup.zip”") && run.text.contains("other bytes before it"), "\(run.text)")
  }
}

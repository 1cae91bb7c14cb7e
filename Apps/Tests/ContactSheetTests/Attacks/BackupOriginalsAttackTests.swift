import Foundation
import GRDB
import Testing

@testable import ContactSheetLibrary

/// Backups to folders that hold originals of which no row says whose they are.
@Suite struct BackupOriginalsAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func importPhotos(_ numbers: Range<Int>, to data: DataFolder) async throws {
    try await folder.use(data) { library in
      let album = try await library.albumTitled("A")
      for number in numbers {
        let picture = try TestPictures.write(to: "\(folder.path)/\(number).jpg", number: number)
        #expect(try await library.importFile(picture, to: album.id).status == .imported)
      }
    }
  }

  /// Removes the first photo of a library for good.
  private func removePhoto(of data: DataFolder) async throws {
    try await folder.use(data) { library in
      let album = try #require(try await library.albums().first)
      let photo = try #require(try await library.photos(in: album.id).first)
      try await library.delete([photo.id], from: album.id, mutationID: UUID())
      try await library.emptyTrash()
    }
  }

  private func names(_ data: DataFolder) -> Set<String> { Set(OriginalStore(folder: data).names) }

  private func loseDatabase(of data: DataFolder, leavingEmpty: Bool = false) throws {
    for ending in ["", "-wal", "-shm"] { try Files.remove(data.database + ending) }
    if leavingEmpty { try TestPictures.put([], at: data.database) }
  }

  @Test(arguments: ["another library", "its own backup"], [false, true])
  func photosThatLostTheirDatabaseAreKept(_ whose: String, leavingEmpty: Bool) async throws {
    let (source, target) = (folder.data("s"), folder.data("t"))
    try await importPhotos(0..<3, to: source)
    if whose == "its own backup" {
      #expect(try await folder.run("backup", target.path, data: source).status == 0)
    }
    try await importPhotos(3..<6, to: target)
    try loseDatabase(of: target, leavingEmpty: leavingEmpty)
    let before = names(target)
    let refused = try await folder.run("backup", target.path, data: source)
    #expect(refused.status == 75, "\(refused.text)")
    #expect(
      refused.text.contains("3 photos and no database") && refused.text.contains("check --repair")
        && refused.text.contains("--replace"), "\(refused.text)")
    #expect(names(target) == before)
    #expect(target.hasEmptyDatabase)
    // The advice in the refusal helps.
    #expect(try await folder.run("backup", target.path, "--replace", data: source).status == 0)
    #expect(names(target) == before.union(names(source)))
    let repaired = try await folder.run("check", "--repair", data: target)
    #expect(repaired.text.contains("Recovered"), "\(repaired.text)")
    #expect(names(target) == before.union(names(source)))
  }

  /// As where somebody put an earlier database back into the folder.
  @Test func photosThatNoRowNamesAreKept() async throws {
    let (source, target) = (folder.data("s"), folder.data("t"))
    try await importPhotos(0..<3, to: source)
    #expect(try await folder.run("backup", target.path, data: source).status == 0)
    let earlier = try TestPictures.bytes(target.database)
    try await importPhotos(3..<6, to: target)
    try loseDatabase(of: target)
    try TestPictures.put(earlier, at: target.database)
    let before = names(target)
    #expect(before.count == 6)
    let run = try await folder.run("backup", target.path, data: source)
    #expect(run.status == 0, "\(run.text)")
    #expect(names(target) == before)
  }

  @Test func photosThatAreRemovedForGoodLeaveTheBackup() async throws {
    let (source, target) = (folder.data("s"), folder.data("t"))
    try await importPhotos(0..<3, to: source)
    #expect(try await folder.run("backup", target.path, data: source).status == 0)
    try await removePhoto(of: source)
    #expect(try await folder.run("backup", target.path, data: source).status == 0)
    #expect(names(target) == names(source) && names(target).count == 2)
  }

  /// Cut off before the database was there; the one of an earlier release noted nothing.
  @Test(arguments: [false, true])
  func aFirstBackupThatWasCutOffIsCompleted(isNoted: Bool) async throws {
    let (source, target) = (folder.data("s"), folder.data("t"))
    try await importPhotos(0..<3, to: source)
    #expect(try await folder.run("backup", target.path, data: source).status == 0)
    try loseDatabase(of: target)
    if isNoted {
      try TestPictures.put(names(source).joined(separator: "\n").utf8, at: target.unfinishedBackup)
      try await removePhoto(of: source)
    }
    let run = try await folder.run("backup", target.path, data: source)
    #expect(run.status == 0, "\(run.text)")
    #expect(names(target) == names(source) && names(target).count == (isNoted ? 2 : 3))
    #expect(Files.size(target.unfinishedBackup) == nil)
    #expect(try await folder.run("check", data: target).status == 0)
  }
}

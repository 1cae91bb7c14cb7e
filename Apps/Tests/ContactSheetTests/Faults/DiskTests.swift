import Foundation
import Testing

@testable import ContactSheetLibrary

/// A small file system of its own, where the machine lets us mount one.
final class SmallDisk: Sendable {
  let path: String

  /// - Throws: where mounting is not permitted.
  ///
  /// - Parameter files: How many files and folders there may be on it.
  init(megabytes: Int, files: Int? = nil, in folder: TestFolder) throws {
    path = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let limit = files.map { ",nr_inodes=\($0)" } ?? ""
    guard try Self.mount(["-t", "tmpfs", "-o", "size=\(megabytes)m\(limit)", "tmpfs", path]) else {
      throw SystemError.last("mount")
    }
  }

  /// A file system as small disks have it: its blocks are smaller than a page of memory.
  init(smallBlocksIn folder: TestFolder) throws {
    path = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let image = folder.path + "/image"
    try TestPictures.put([], at: image)
    guard truncate(image, 8 << 20) == 0,
      try Self.call("/sbin/mkfs.ext4", ["-q", "-m", "0", "-b", "1024", "-F", image]),
      try Self.mount(["-o", "loop", image, path])
    else { throw SystemError.last("mount") }
  }

  /// Writes until not a byte more finds room.
  ///
  /// - Parameter leaving: How many kilobytes are left all the same.
  func fill(leaving kilobytes: Int = 0) throws {
    // Blocks of files that were removed are free when that is on the disk.
    sync()
    let filler = path + "/filler"
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    #expect(descriptor >= 0)
    defer { close(descriptor) }
    for size in [65_536, 4096, 1] {
      let bytes = [UInt8](repeating: 7, count: size)
      while write(descriptor, bytes, size) > 0 {}
    }
    fsync(descriptor)
    let size = try #require(Files.size(filler))
    ftruncate(descriptor, off_t(size - kilobytes << 10))
    fsync(descriptor)
  }

  deinit { _ = try? Self.call("/bin/umount", ["-l", path]) }

  func makeReadOnly() throws { #expect(try Self.mount(["-o", "remount,ro", path])) }

  private static func mount(_ arguments: [String]) throws -> Bool { try call("/bin/mount", arguments) }

  private static func call(_ program: String, _ arguments: [String]) throws -> Bool {
    guard FileManager.default.isExecutableFile(atPath: program) else { return false }
    return try ChildProcess(program, arguments).waitUntilExit() == 0
  }

  /// Whether the machine lets us mount file systems.
  static let isPermitted: Bool = {
    guard let folder = try? TestFolder() else { return false }
    return (try? SmallDisk(megabytes: 1, in: folder)) != nil
  }()

  /// Whether it lets us mount those with small blocks.
  static let hasSmallBlocks: Bool = {
    guard let folder = try? TestFolder() else { return false }
    return (try? SmallDisk(smallBlocksIn: folder)) != nil
  }()

  /// Said where tests cannot be performed.
  static let skipped = Comment(rawValue: "Mounting is not permitted here, so nothing was tested.")
}

@Suite(.enabled(if: SmallDisk.isPermitted, SmallDisk.skipped)) struct DiskTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test func aFullDiskStopsTheImportAndLeavesWhatIsWhole() async throws {
    let disk = try SmallDisk(megabytes: 6, in: folder)
    let data = DataFolder(path: disk.path + "/data")
    let pictures = folder.path + "/pictures"
    try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
    for number in 0..<12 {
      // Noise does not compress: about 1 MB each.
      var generator = SeededGenerator(seed: UInt64(number))
      let pixels = (0..<(800 * 600 * 3)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      try PictureWriter.write(pixels, width: 800, height: 600, to: "\(pictures)/\(number).png")
    }
    let importing = try Run(["import", pictures, "--album", "A", "--data", data.path])
    #expect(await importing.wait() == 74)
    #expect(importing.text.contains("is full"))
    #expect(importing.text.contains(disk.path))
    let library = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
    let album = try #require(try await library.albums().first)
    let photos = try await library.photos(in: album.id)
    #expect((1...5).contains(photos.count))
    #expect(Files.names(in: data.incoming).isEmpty)
    for photo in photos {
      let hash = try #require(ContentHash(photo.contentHash))
      #expect(Files.size(data.original(hash)) == photo.byteCount)
    }
    await library.close()
    _ = disk
  }

  @Test func aReadOnlyFolderIsNamed() async throws {
    let disk = try SmallDisk(megabytes: 4, in: folder)
    try disk.makeReadOnly()
    for arguments in [["serve", "--port", "0"], ["import", folder.path]] {
      let run = try Run(arguments + ["--data", disk.path + "/data"])
      #expect(await run.wait() == 73)
      #expect(run.text.contains("cannot be written"))
      #expect(run.text.contains(disk.path + "/data"))
    }
  }

  /// SQLite reads a database of which its own files are beside, as after an end and after a kill; beside a backup there are
  /// none, and it would have to make them. Nothing is changed, and a copy opens.
  @Test(arguments: ["closed", "killed", "backup"])
  func aDataFolderThatCannotBeWrittenIsReadOrNamedByEveryCommand(_ state: String) async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = DataFolder(path: disk.path + "/data")
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    _ = try await server.url()
    let picture = try TestPictures.write(to: folder.path + "/p.jpg", width: 24, height: 16)
    let importing = try Run(["import", picture, "--album", "A", "--data", data.path])
    #expect(await importing.wait() == 0, "\(importing.text)")
    if state == "backup" {
      let backup = try Run(["backup", disk.path + "/copy", "--data", data.path])
      #expect(await backup.wait() == 0, "\(backup.text)")
    }
    server.signal(state == "killed" ? SIGKILL : SIGTERM)
    await server.wait()
    let used = state == "backup" ? DataFolder(path: disk.path + "/copy") : data
    try disk.makeReadOnly()
    let reading = [
      ["albums"], ["photos", "--album", "A"], ["export", folder.path + "/a.zip", "--album", "A"], ["check"],
    ]
    let writing = [
      ["serve", "--port", "0"], ["import", picture], ["demo", "--count", "1"],
      ["backup", folder.path + "/other"],
      ["check", "--repair"], ["reorder", "--reversed", "--album", "A"],
    ]
    for arguments in reading + writing {
      let run = try Run(arguments + ["--data", used.path])
      let isRead = state != "backup" && reading.contains(arguments)
      #expect(await run.wait() == (isRead ? 0 : 73), "\(arguments): \(run.text)")
      let isNamed = run.text.contains("cannot be written") && run.text.contains(used.path)
      #expect(isRead != isNamed, "\(arguments): \(run.text)")
      #expect(!run.text.contains("damaged") && !run.text.contains("missing"), "\(arguments): \(run.text)")
    }
    // A copy of it is a data folder like any other.
    let copy = DataFolder(path: folder.path + "/rescued")
    try FileManager.default.copyItem(atPath: used.path, toPath: copy.path)
    let run = try Run(["check", "--data", copy.path])
    #expect(await run.wait() == 0, "\(run.text)")
  }

  @Test func aBackupThatCannotBeWrittenMendsAFolderThatCan() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let library = try await folder.library()
    let album = try await library.createAlbum("A")
    let picture = try TestPictures.write(to: folder.path + "/p.jpg", width: 24, height: 16)
    let photo = try await library.importFile(picture, to: album.id)
    try await library.rename(photo: photo.id, in: album.id, to: "Title")
    _ = try await library.backUp(to: DataFolder(path: disk.path + "/copy"))
    await library.close()
    chmod(disk.path + "/copy/contactsheet.sqlite", 0o400)
    try disk.makeReadOnly()
    for ending in ["", "-wal", "-shm"] { try Files.remove(folder.data.database + ending) }
    let mending = try Run(["check", "--from", disk.path + "/copy", "--data", folder.data.path])
    #expect(await mending.wait() == 0, "\(mending.text)")
    let listed = try Run(["photos", "--album", "A", "--data", folder.data.path])
    #expect(await listed.wait() == 0 && listed.text.contains("Title"), "\(listed.text)")
  }
}

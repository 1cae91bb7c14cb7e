import Foundation
import Testing

@testable import ContactSheet

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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
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

  /// Said where tests cannot be carried out.
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
}

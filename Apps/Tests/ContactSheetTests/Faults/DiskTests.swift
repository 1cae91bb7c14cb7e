import Foundation
import Testing

@testable import ContactSheet

/// A small file system of its own, where the machine lets us mount one.
final class SmallDisk: Sendable {
  let path: String

  /// - Throws: where mounting is not permitted.
  init(megabytes: Int, in folder: TestFolder) throws {
    path = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard try Self.mount(["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path]) else {
      throw SystemError.last("mount")
    }
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

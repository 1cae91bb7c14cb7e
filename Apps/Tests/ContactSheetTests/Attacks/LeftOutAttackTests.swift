import Foundation
import Testing

@testable import ContactSheetLibrary

/// Folders from which an import could leave photos out without a word: names that are not UTF-8, and what cannot be reached.
@Suite struct LeftOutAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private var source: String { folder.path + "/in" }

  private func makeFolder(_ path: String) { _ = PathBytes.with(path) { mkdir($0, 0o700) } }

  /// Writes a picture at a path of any bytes.
  private func put(_ number: Int, at path: String) throws {
    let picture = try TestPictures.bytes(
      TestPictures.write(to: "\(folder.path)/p.jpg", number: number, width: 24, height: 16))
    let descriptor = PathBytes.with(path) { open($0, O_WRONLY | O_CREAT, 0o600) }
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    #expect(picture.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == picture.count)
  }

  private func latin(_ text: String) -> String {
    PathBytes.text(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  @Test func aPathKeepsItsBytesWhateverTheyAre() {
    var generator = SeededGenerator(seed: 11)
    let pieces: [[UInt8]] = [
      [0xFC], [0xDF], [0xED, 0xA0, 0x80], [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x8F, 0xBE],
      [0xC3, 0xA4], Array("a".utf8), [0xF0, 0x9F], [0x80], [0xFF], [0xF4, 0x8F],
    ]
    for length in 0..<400 {
      let bytes = (0..<(length % 8)).flatMap { _ in pieces.randomElement(using: &generator)! }
      let text = PathBytes.text(bytes)
      #expect(PathBytes.bytes(of: text) == bytes)
      #expect(
        PathBytes.with(text) { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }.map(
          UInt8.init(bitPattern:)) == bytes)
      #expect(PathBytes.shown(text).isExactly(String(decoding: bytes, as: UTF8.self)))
    }
    #expect(PathBytes.text(Array("grüße".utf8)).isExactly("grüße"))
  }

  @Test func namesThatAreNotUTF8AreImported() async throws {
    makeFolder(source)
    makeFolder("\(source)/\(latin("März"))")
    try put(1, at: "\(source)/good.jpg")
    try put(2, at: "\(source)/\(latin("Grüße")).jpg")
    try put(3, at: "\(source)/\(latin("März"))/one.jpg")
    let run = try await folder.run("import", source, "--album", "A")
    #expect(run.status == 0 && run.text.contains("Imported 3 photos"), "\(run.text)")
    #expect(Set(try await folder.photos().map(\.title)) == ["good", "Gr\u{FFFD}\u{FFFD}e", "one"])
  }

  @Test func namesThatAreNotUTF8CanBeNamed() async throws {
    makeFolder(source)
    makeFolder("\(source)/\(latin("März"))")
    try put(2, at: "\(source)/\(latin("Grüße")).jpg")
    try put(3, at: "\(source)/\(latin("März"))/one.jpg")
    func run(_ arguments: String) async throws -> CommandResult {
      let run = try Run(
        ["-c", "cd '\(folder.path)' && exec '\(Program.path)' \(arguments)"], program: "/bin/bash")
      return (await run.wait(), run.text)
    }
    let data = "--data '\(folder.data.path)'"
    let named = try await run("import in/$'Gr\\xfc\\xdfe.jpg' in/$'M\\xe4rz' --album A \(data)")
    #expect(named.status == 0 && named.text.contains("Imported 2 photos"), "\(named.text)")
    let missing = try await run("import in/$'M\\xe4r.jpg' --album A \(data)")
    #expect(missing.status == 66 && missing.text.contains("in/M\u{FFFD}r.jpg"), "\(missing.text)")
    let other = try await run("export $'M\\xe4r.zip' --album A \(data)")
    #expect(other.status == 64 && other.text.contains("is not UTF-8"), "\(other.text)")
  }

  @Test func whatCannotBeReachedIsNamed() async throws {
    makeFolder(source)
    try put(1, at: "\(source)/good.jpg")
    for (name, target) in [
      ("dangling.jpg", "gone.jpg"), ("x.jpg", "x.jpg"), ("zero.jpg", "/dev/zero"), ("album", "gone"),
    ] {
      #expect(symlink(target, "\(source)/\(name)") == 0)
    }
    #expect(symlink("gone.txt", "\(source)/notes.txt") == 0)
    #expect(mkfifo("\(source)/pipe.jpg", 0o600) == 0)
    let run = try await folder.run("import", source, "--album", "A")
    #expect(run.status == 65 && run.text.contains("Imported 1 photo into “A”, 5 failed"), "\(run.text)")
    for name in ["dangling.jpg", "x.jpg", "zero.jpg", "album", "pipe.jpg"] {
      #expect(run.text.contains("/in/\(name)” could not be read: "), "\(run.text)")
    }
    #expect(run.text.contains("Passing over 1 file"), "\(run.text)")
  }

  /// The path of the inmost is longer than the system takes; who may read everything cannot read that.
  @Test func aFolderThatCannotBeReadIsNamed() async throws {
    makeFolder(source)
    try put(1, at: "\(source)/good.jpg")
    let name = String(repeating: "d", count: 250)
    var outer = [open(source, O_RDONLY)]
    for _ in 0..<17 {
      #expect(mkdirat(outer[outer.count - 1], name, 0o700) == 0)
      outer.append(openat(outer[outer.count - 1], name, O_RDONLY))
    }
    // Whoever removes the folder of the test by paths would leave it there.
    defer {
      close(outer.removeLast())
      for folder in outer.reversed() {
        #expect(unlinkat(folder, name, AT_REMOVEDIR) == 0)
        close(folder)
      }
    }
    let run = try await folder.run("import", source, "--album", "A")
    #expect(run.status == 65 && run.text.contains("Imported 1 photo into “A”, 1 failed"), "\(run.text)")
    #expect(run.text.contains("could not be read: File name too long."), "\(run.text)")
  }

  #if os(Linux)
    /// Who is root may read everything, so that a run by root imports as somebody else.
    @Test func aFolderThatMayNotBeReadIsNamed() async throws {
      makeFolder(source)
      try put(1, at: "\(source)/good.jpg")
      for (name, mode) in [("locked", 0o000), ("listed", 0o400)] as [(String, mode_t)] {
        makeFolder("\(source)/\(name)")
        try put(2, at: "\(source)/\(name)/one.jpg")
        chmod("\(source)/\(name)", mode)
      }
      defer { for name in ["locked", "listed"] { chmod("\(source)/\(name)", 0o700) } }
      makeFolder("\(folder.path)/home")
      let arguments = ["import", source, "--album", "A", "--data", "\(folder.path)/home/data"]
      if OtherUser.isAvailable {
        OtherUser.open(folder)
        for path in ["home", "in", "in/good.jpg", "in/locked", "in/listed"] {
          #expect(chown("\(folder.path)/\(path)", OtherUser.number, OtherUser.number) == 0)
        }
      }
      let run = try OtherUser.isAvailable ? OtherUser.run(Program.path, arguments) : Run(arguments)
      #expect(await run.wait() == 65)
      #expect(run.text.contains("Imported 1 photo into “A”, 2 failed"), "\(run.text)")
      for name in ["locked", "listed"] {
        #expect(run.text.contains("/in/\(name)” could not be read: Permission denied"), "\(run.text)")
      }
    }
  #endif
}

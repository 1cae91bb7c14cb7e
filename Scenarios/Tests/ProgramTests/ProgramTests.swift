import Foundation
import LiveLists
import Testing

/// The scenarios are programs. They run here as they stand, each in an empty folder.
@Suite("Programs in a few lines", .timeLimit(.minutes(2)))
struct ProgramTests {
  private static func lines(of program: String) throws -> Int {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
    let code = try String(contentsOf: folder.appending(path: "\(program)/main.swift"), encoding: .utf8)
    return code.count { $0 == "\n" }
  }

  @Test("A list in a terminal is 30 lines, with the manifest that the guide has; in a browser it is ten more")
  func lengths() throws {
    let terminal = try Self.lines(of: "Terminal")
    let manifest = try #require(try GuideTests.blocks("swift", of: "StartInFiveMinutes").first)
    #expect(manifest.contains("PackageDescription"))
    #expect(terminal + manifest.count { $0 == "\n" } <= 30)
    #expect(try Self.lines(of: "Browser") <= terminal + 10)
  }

  @Test("A live list in a terminal")
  func terminal() async throws {
    let folder = try Folder()
    let program = try Program("Terminal", in: folder)
    defer { program.stop() }
    #expect(try await program.line() == "Sort the photos")
    let columns = try Program.columns(folder)
    #expect(columns == ["id INTEGER", "title TEXT", "isDone INTEGER"])
  }

  @Test(
    "The same in a browser: a stream that goes on where a reader left, rows of it, and the element's files")
  func browser() async throws {
    let folder = try Folder()
    let program = try Program("Browser", in: folder)
    defer { program.stop() }
    let address = try #require(URLComponents(string: try await program.line()))
    let port = try #require(address.port)
    let list = try Program.answer("/todo?window=0%2C60", at: port) { $0.contains("Sort the photos") }
    #expect(list.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
    #expect(
      list.contains(#""kind":"snapshot""#)
        && list.contains(#"{"id":1,"isDone":false,"title":"Sort the photos"}"#))
    let version = try #require(list.components(separatedBy: "id: ").last?.components(separatedBy: "\n").first)
    // A reader with that version has missed nothing.
    let again = try Program.answer("/todo", header: "Last-Event-ID: \(version)", at: port) {
      $0.contains("alive")
    }
    #expect(!again.contains("snapshot"))
    let rows = try Program.answer("/todo/items?from=0&count=1", at: port) { $0.contains("Sort the photos") }
    #expect(rows.contains(#""kind":"range""#))
    let element = try Program.answer("/live-list.js", at: port) { $0.contains("class List extends") }
    #expect(element.contains("text/javascript"))
  }
}

/// An empty folder, which goes with this object.
final class Folder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "scenario-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// One of the programs of this package, while it runs.
final class Program: Sendable {
  private let process = Process()
  private let lines: FileHandle
  private let keyboard: FileHandle

  init(_ name: String, in folder: Folder) throws {
    let pipe = Pipe()
    lines = pipe.fileHandleForReading
    let typed = Pipe()
    keyboard = typed.fileHandleForWriting
    // The programs lie beside the tests.
    let built = Bundle.main.bundleURL
    let candidates = [
      built, built.deletingLastPathComponent(),
      URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    let program = try #require(
      candidates.map { $0.appending(path: name) }.first {
        FileManager.default.isExecutableFile(atPath: $0.path)
      })
    process.executableURL = URL(filePath: "/usr/bin/env")
    // A program that writes to a pipe keeps its lines back otherwise.
    process.arguments = ["stdbuf", "-oL", program.path]
    process.currentDirectoryURL = folder.url
    process.standardOutput = pipe
    process.standardInput = typed
    try process.run()
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Types a line, and the return key.
  func type(_ line: String) throws { try keyboard.write(contentsOf: Data("\(line)\n".utf8)) }

  /// The next line that the program writes.
  func line() async throws -> String {
    var line: [UInt8] = []
    while let byte = try lines.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// The columns of the table that the program made.
  static func columns(_ folder: Folder) throws -> [String] {
    let queue = try DatabaseQueue(path: folder.url.path + "/todo.sqlite")
    return try queue.read { db in try db.columns(in: "toDo").map { "\($0.name) \($0.type)" } }
  }

  /// The beginning of an answer, up to what is waited for.
  static func answer(
    _ path: String, header: String = "Host: localhost", at port: Int, until isEnough: (String) -> Bool
  ) throws -> String {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(connection) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = UInt16(port).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    let request = Array("GET \(path) HTTP/1.1\r\n\(header)\r\n\r\n".utf8)
    _ = request.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnough(String(decoding: answer, as: UTF8.self)) {
      let count = recv(connection, &buffer, buffer.count, 0)
      try #require(count > 0, "The answer ended: \(String(decoding: answer, as: UTF8.self))")
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }
}

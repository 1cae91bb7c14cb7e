import Foundation
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

#if os(Linux)
  import Glibc

  /// Attacks on the process and its folder.
  @Suite(.timeLimit(.minutes(20))) struct ProcessAttackTests {
    let folder: TestFolder
    init() throws { folder = try TestFolder() }

    private func serve() throws -> Run { try Run(["serve", "--port", "0", "--data", folder.data.path]) }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSlowUploadAndASlowDownloadDoNotKeepTheServerUp(_ signal: Int32) async throws {
      let server = try serve()
      let (_, port) = try await server.url()
      let album = try await Self.firstAlbum(port)
      let upload = try await beginUpload(to: album, port)
      defer { upload.hangUp() }
      let stream = try RawConnection(port: port)
      try stream.send("GET /api/albums/\(album)/stream HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      #expect(stream.receive().contains("200 OK"))
      server.signal(signal)
      #expect(await server.wait() == 0, "\(server.text)")
      #expect(server.text.contains("did not end in time") == false)
    }

    @Test func aDownloadThatNobodyTakesDoesNotKeepTheServerUp() async throws {
      let library = try await folder.library()
      let album = try await library.createAlbum("A")
      _ = try await library.importFile(TestPictures.write(to: folder.path + "/a.jpg"), to: album.id)
      let text = try #require(try await library.photos(in: album.id).first?.contentHash)
      let hash = try #require(ContentHash(text))
      await library.close()
      // More than the buffers of a connection hold. It takes no room on the disk.
      #expect(truncate(folder.data.original(hash), 256 << 20) == 0)
      let server = try serve()
      let (_, port) = try await server.url()
      let download = try RawConnection(port: port)
      try download.send("GET /originals/\(text) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      #expect(download.receive().contains("268435456"))
      server.signal(SIGTERM)
      #expect(await server.wait() == 0, "\(server.text)")
      #expect(server.text.contains("did not end in time") == false)
      download.hangUp()
    }

    /// Begins an upload that never ends, and waits until it is under way: it has its file then.
    private func beginUpload(to album: String, _ port: Int) async throws -> RawConnection {
      let upload = try RawConnection(port: port)
      try upload.send(
        "POST /api/albums/\(album)/photos?name=a.jpg HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
          + "Content-Length: 1000000\r\n\r\n\u{1}")
      while folder.files(in: "incoming").isEmpty { await Task.yield() }
      return upload
    }

    @Test func aSecondSignalEndsItAtOnce() async throws {
      let server = try serve()
      let (_, port) = try await server.url()
      let album = try await Self.firstAlbum(port)
      let upload = try await beginUpload(to: album, port)
      defer { upload.hangUp() }
      // Both wait to be heard, in either order; two of one kind would be one.
      server.signal(SIGTERM)
      server.signal(SIGINT)
      #expect([128 + SIGTERM, 128 + SIGINT].contains(await server.wait()))
    }

    @Test func tooFewOpenFilesGiveAClearMessage() async throws {
      let run = try Run(
        ["-c", "ulimit -n 100; exec '\(Program.path)' serve --port 0 --data '\(folder.data.path)'"],
        program: "/bin/sh")
      #expect(await run.wait() == 69)
      #expect(run.text.contains("ulimit -n 1024"), "\(run.text)")
    }

    /// Without a look at them, all of these hang for ever, or end with a fault of memory.
    @Test(arguments: ["-v 400000", "-v 900000", "-d 50000", "-d 100000"])
    func tooLittleMemoryGivesAClearMessage(_ limit: String) async throws {
      for command in ["serve --port 0", "albums", "import '\(folder.path)'", "password"] {
        let run = try Run(
          ["-c", "ulimit \(limit); exec '\(Program.path)' \(command) --data '\(folder.data.path)'"],
          program: "/bin/sh")
        let guardian = Guardian(run, seconds: 30)
        defer { guardian.dismiss() }
        #expect(await run.wait() == 69)
        #expect(
          run.text.contains("Raise the limit with “ulimit \(limit.prefix(2)) "), "\(command): \(run.text)")
      }
      #expect(!FileManager.default.fileExists(atPath: folder.data.path), "nothing was made")
      let help = try Run(["-c", "ulimit \(limit); exec '\(Program.path)' serve --help"], program: "/bin/sh")
      #expect(await help.wait() == 0 && help.text.contains("--port"), "\(help.text)")
    }

    /// Who may start everything has no limit of processes, so it runs as somebody else where these tests run so.
    @Test func tooFewThreadsGiveAClearMessage() async throws {
      let command = "'\(Program.path)' albums --data '\(folder.data.path)'"
      let other = getuid() == 0 ? "setpriv --reuid=64999 --regid=64999 --clear-groups " : ""
      let run = try Run(["-c", "exec prlimit --nproc=3 \(other)\(command)"], program: "/bin/sh")
      let guardian = Guardian(run, seconds: 30)
      defer { guardian.dismiss() }
      #expect(await run.wait() == 69)
      #expect(run.text.contains("“ulimit -u”"), "\(run.text)")
    }

    /// The system would end whoever makes a file longer than it may be.
    @Test func aLimitOfTheLengthOfFilesIsToldAndEndsNothing() async throws {
      _ = try await folder.makeAlbum(count: 3)
      let target = folder.path + "/e.zip"
      for command in ["export '\(target)' --album Alps", "backup '\(folder.path)/copy'"] {
        let run = try Run(
          ["-c", "ulimit -f 2; exec '\(Program.path)' \(command) --data '\(folder.data.path)' 2>&1 | cat"],
          program: "/bin/sh")
        #expect(await run.wait() == 0)
        #expect(run.text.contains("“ulimit -f unlimited”"), "\(run.text)")
      }
      #expect(Files.size(target) == nil)
    }

    @Test func withFewOpenFilesItRuns() async throws {
      let run = try Run(
        ["-c", "ulimit -n 128; exec '\(Program.path)' serve --port 0 --data '\(folder.data.path)'"],
        program: "/bin/sh")
      let (_, port) = try await run.url()
      // All places are taken, and one more waits; nothing falls over.
      var connections: [RawConnection] = []
      for _ in 0..<200 {
        if let connection = try? RawConnection(port: port) { connections.append(connection) }
      }
      connections.removeAll()
      _ = try await Self.firstAlbum(port)
      run.signal(SIGTERM)
      #expect(await run.wait() == 0, "\(run.text)")
    }

    @Test func malformedRequestsDoNotFillTheLog() async throws {
      let server = try serve()
      let (_, port) = try await server.url()
      let before = server.text.count
      for number in 0..<300 {
        let connection = try RawConnection(port: port)
        let junk = [
          "GARBAGE \u{1}\u{2}\r\n\r\n", "GET / HTTP/1.1\r\nHost: \(number).evil\r\n\r\n",
          "POST /api/albums HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
          "POST /api/albums HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{",
          "GET /\(number) HTTP/9.9\r\n\r\n",
        ]
        try connection.send(junk[number % junk.count])
        connection.hangUp()
      }
      _ = try await Self.firstAlbum(port)
      server.signal(SIGTERM)
      #expect(await server.wait() == 0)
      #expect(server.text.count - before < 2000, "\(server.text)")
    }

    /// Connections from 127.0.0.2 are those of another machine, as far as the server can tell.
    @Test func oneAddressGetsItsShareOfTheConnectionsOfAServer() async throws {
      let server = try Run([
        "serve", "--port", "0", "--data", folder.data.path, "--max-connections", "200",
      ])
      let (_, port) = try await server.url()
      var served: [RawConnection] = []
      var refused = 0
      for _ in 0..<40 {
        let connection = try RawConnection(port: port, from: "127.0.0.2")
        try? connection.send("GET /api/albums HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        if connection.receive().contains(" 200 ") { served.append(connection) } else { refused += 1 }
      }
      #expect(served.count == 25 && refused == 15, "an eighth of 200")
      _ = try await Self.firstAlbum(port)
      served.forEach { $0.hangUp() }
      server.signal(SIGTERM)
      #expect(await server.wait() == 0)
    }

    @Test func malformedRequestsAreAnsweredWithTheReasonAndCounted() async throws {
      let server = try Run(
        ["LOG_LEVEL=info", Program.path, "serve", "--port", "0", "--data", folder.data.path],
        program: "/usr/bin/env")
      let (_, port) = try await server.url()
      let host = "Host: 127.0.0.1:\(port)"
      for (junk, status) in [
        ("GARBAGE \u{1}\u{2}\r\n\r\n", "400"), ("GET /\u{1} HTTP/1.1\r\n\(host)\r\n\r\n", "400"),
        ("POST /api/albums HTTP/1.1\r\n\(host)\r\nContent-Length: x\r\n\r\n", "400"),
        ("POST /api/albums HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\nHost: localhost:evil\r\n\r\n", "403"),
      ] {
        let connection = try RawConnection(port: port)
        try connection.send(junk)
        let answer = connection.receive()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(junk): \(answer.prefix(80))")
      }
      server.signal(SIGTERM)
      #expect(await server.wait() == 0)
      // The first, the second and the fourth are told.
      #expect(server.text.matches(of: /malformed so far/).count == 3, "\(server.text)")
    }

    @Test func theHelpSaysTheBudgets() async throws {
      let run = try Run(["serve", "--help"])
      #expect(await run.wait() == 0)
      let text = run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for option in ["--request-megabytes", "--decoder-megabytes", "--max-connections", "256 MB", "1024"] {
        #expect(text.contains(option), "\(option) in \(run.text)")
      }
    }

    /// Whoever holds the lock keeps the owner's server from starting.
    @Test(.enabled(if: OtherUser.isAvailable, "only root can be somebody else"), arguments: [false, true])
    func nobodyElseCanTakeTheLock(ofAnOlderVersion: Bool) async throws {
      try await folder.library().close()
      OtherUser.open(folder)
      let arguments = ["--nonblock", folder.data.lock, "true"]
      func lockByOther() async throws -> Int32 { await (try OtherUser.run("flock", arguments)).wait() }
      if ofAnOlderVersion {
        chmod(folder.data.path, 0o755)
        try TestPictures.put([], at: folder.data.lock)
        chmod(folder.data.lock, 0o644)
        #expect(try await lockByOther() == 0, "it was open once")
      }
      let server = try serve()
      _ = try await server.url()
      server.signal(SIGTERM)
      await server.wait()
      #expect(try await (Run(["flock"] + arguments, program: "/usr/bin/env")).wait() == 0)
      #expect(try await lockByOther() != 0)
    }

    /// Another user reads nothing of a folder that a server has closed, and no command of that user changes it.
    @Test(.enabled(if: OtherUser.isAvailable, "only root can be somebody else"))
    func nobodyElseReadsOrWritesTheFolder() async throws {
      _ = try await folder.makeAlbum(count: 2)
      try AccessTests.setPassword("correct horse", of: folder.data)
      OtherUser.open(folder)
      let paths = [folder.data.path] + Self.everything(in: folder.data.path)
      for path in paths { chmod(path, 0o777) }
      /// The paths that the other user can do something with.
      func reached(_ test: String) async throws -> Int {
        let script = "for path; do if [ \(test) \"$path\" ]; then echo \"reached $path\"; fi; done"
        let run = try OtherUser.run("/bin/sh", ["-c", script, "sh"] + paths)
        await run.wait()
        return run.text.split(separator: "\n").count { $0.hasPrefix("reached ") }
      }
      #expect(try await reached("-r") == paths.count, "all of it was open once")
      let server = try serve()
      _ = try await server.url()
      for test in ["-r", "-w", "-x"] { #expect(try await reached(test) == 0, "\(test) while it runs") }
      server.signal(SIGTERM)
      await server.wait()
      for test in ["-r", "-w", "-x"] { #expect(try await reached(test) == 0, "\(test)") }
      for arguments in [
        ["serve", "--port", "0"], ["albums"], ["check", "--repair"], ["password", "--remove"],
      ] {
        let run = try OtherUser.run(Program.path, arguments + ["--data", folder.data.path])
        let guardian = Guardian(run, seconds: 60)
        #expect(await run.wait() != 0, "\(arguments): \(run.text)")
        guardian.dismiss()
      }
      #expect(Self.openToOthers(folder.data.path) == [])
      let check = try await folder.run("check")
      #expect(check.status == 0 && check.text.contains("2 photos"), "\(check.text)")
    }

    @Test func severalHostsInOneRequestAreRefused() async throws {
      let server = try serve()
      let (_, port) = try await server.url()
      let connection = try RawConnection(port: port)
      try connection.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n")
      #expect(connection.receive().contains("403"))
      server.signal(SIGTERM)
      await server.wait()
    }

    @Test func theFolderOfAnOlderVersionIsClosedToOthers() async throws {
      let library = try await folder.library()
      let album = try await library.createAlbum("A")
      let picture = try TestPictures.write(to: folder.path + "/a.jpg")
      _ = try await library.importFile(picture, to: album.id)
      await library.close()
      // As older versions left it.
      for path in [folder.data.path]
        + (FileManager.default.subpaths(atPath: folder.data.path) ?? []).map({
          folder.data.path + "/" + $0
        })
      {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        chmod(path, isFolder.boolValue ? 0o755 : 0o644)
      }
      let server = try serve()
      _ = try await server.url()
      #expect(Self.openToOthers(folder.data.path) == [])
      server.signal(SIGTERM)
      await server.wait()
      #expect(Self.openToOthers(folder.data.path) == [])
    }

    @Test func aNewFolderIsItsOwnersAlone() async throws {
      let server = try serve()
      _ = try await server.url()
      let picture = try TestPictures.write(to: folder.path + "/a.jpg")
      let run = try Run(["import", picture, "--data", folder.data.path])
      #expect(await run.wait() == 0, "\(run.text)")
      #expect(Self.openToOthers(folder.data.path) == [])
      server.signal(SIGTERM)
      await server.wait()
      #expect(Self.openToOthers(folder.data.path) == [])
    }

    /// The folder alone is of no use to who moves a database out of it.
    @Test func aDatabaseThatOthersCouldReadIsClosedInAClosedFolder() async throws {
      try await folder.library().close()
      chmod(folder.data.database, 0o644)
      let library = try await folder.library()
      #expect(Self.openToOthers(folder.data.path) == [])
      await library.close()
    }

    @Test func aFileThatHasAnotherNameElsewhereKeepsItsRights() async throws {
      try await folder.library().close()
      let other = folder.path + "/other"
      #expect(FileManager.default.createFile(atPath: other, contents: Data("{}".utf8)))
      for name in [folder.data.credentials, folder.data.path + "/contactsheet.sqlite-old"] {
        chmod(other, 0o644)
        try? FileManager.default.removeItem(atPath: name)
        try FileManager.default.linkItem(atPath: other, toPath: name)
        OwnersAlone.close(folder.data)
        chmod(folder.data.path, 0o755)
        OwnersAlone.close(folder.data)
        let rights = try FileManager.default.attributesOfItem(atPath: other)[.posixPermissions] as? Int
        #expect(rights == 0o644, "\(name)")
      }
    }

    @Test func backupsAndDatabasesMadeAnewAreTheirOwnersAlone() async throws {
      let library = try await folder.library()
      let album = try await library.createAlbum("A")
      _ = try await library.importFile(TestPictures.write(to: folder.path + "/a.jpg"), to: album.id)
      let copy = DataFolder(path: folder.path + "/copy")
      _ = try await library.backUp(to: copy)
      #expect(Self.openToOthers(copy.path) == [])
      await library.close()
      _ = try await PhotoLibrary.rebuildDatabase(of: folder.data, decoder: InProcessDecoder())
      #expect(Self.openToOthers(folder.data.path) == [])
      // SQLite gives what it puts beside a database the rights of the database.
      for data in [copy, folder.data] {
        let opened = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
        _ = try await opened.createAlbum("B")
        #expect(Files.size(data.database + "-wal") != nil && Files.size(data.database + "-shm") != nil)
        #expect(Self.openToOthers(data.path) == [])
        await opened.close()
      }
    }

    @Test func aKilledDemoLeavesNothingBehind() async throws {
      let before = Set(try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()))
      let demo = try Run(["demo", "--data", folder.data.path])
      while folder.files(in: "incoming").isEmpty, demo.isRunning { await Task.yield() }
      demo.signal(SIGKILL)
      await demo.wait()
      let after = Set(try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()))
      #expect(after.subtracting(before).filter { $0.contains("demo") } == [])
      let server = try serve()
      _ = try await server.url()
      #expect(folder.files(in: "incoming") == [])
      server.signal(SIGTERM)
      await server.wait()
    }

    private static func everything(in path: String) -> [String] {
      (FileManager.default.subpaths(atPath: path) ?? []).map { path + "/" + $0 }
    }

    private static func openToOthers(_ path: String) -> [String] {
      ([path] + everything(in: path)).filter {
        ((try? FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions]) as? Int ?? 0) & 0o077 != 0
      }
    }

    private static func firstAlbum(_ port: Int) async throws -> String {
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/api/albums"))
      let connection = try RawConnection(port: port)
      try connection.send("GET \(url.path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
      let text = connection.receive()
      let id = try #require(text.firstMatch(of: /[0-9a-f]{8}-[0-9a-f-]{27}/))
      return String(id.output)
    }
  }

  /// A connection on which anything can be sent.
  final class RawConnection {
    private let descriptor: CInt

    init(port: Int, from source: String? = nil) throws {
      descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      func address(_ text: String, _ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return address
      }
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      if let source {
        var own = address(source, 0)
        _ = withUnsafePointer(to: &own) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
      }
      var server = address("127.0.0.1", port)
      let result = withUnsafePointer(to: &server) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
      }
      guard result == 0 else {
        let failure = SystemError.last("connect")
        close(descriptor)
        throw failure
      }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(bytes: text.utf8) }

    func send(bytes: some Sequence<UInt8>) throws {
      guard SocketLines.send(Array(bytes), through: descriptor) else { throw SystemError.last("send") }
    }

    /// Returns the next bytes as text; empty where the other side has closed.
    func receive() -> String {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// All that comes until the other side closes.
    func receiveAll() -> String {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &piece, piece.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += piece[..<count]
      }
    }

    func hangUp() { shutdown(descriptor, CInt(SHUT_RDWR)) }
  }
#endif

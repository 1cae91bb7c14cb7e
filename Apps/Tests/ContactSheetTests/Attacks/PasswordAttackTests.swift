import Foundation
import NIOHTTP1
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Ways to a server that has a password, without it.
@Suite struct PasswordAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func status(_ arguments: [String]) async throws -> (status: Int, said: String) {
    let server = try Run(["serve", "--port", "0", "--data", folder.data.path] + arguments)
    let (host, port) = try await server.url()
    let answer = try await LocalRequest(method: .GET, target: "/api/albums").send(host: host, port: port)
    server.signal(SIGTERM)
    #expect(await server.wait() == 0)
    return (answer.status, server.text)
  }

  @Test func aPasswordThatIsSetIsAskedForAtEveryAddress() async throws {
    try AccessTests.setPassword("correct horse", of: folder.data)
    for arguments in [[], ["--behind-https", "--allow-host", "photos.example"], ["--host", "0.0.0.0"]] {
      let (status, said) = try await status(arguments)
      #expect(status == 401, "\(arguments): \(said)")
    }
    let (open, said) = try await status(["--without-password"])
    #expect(open == 200 && said.contains("Warning: no password is asked for"))
  }

  @Test func behindHTTPSAPasswordHasToBeSet() async throws {
    let refused = try Run(["serve", "--port", "0", "--behind-https", "--data", folder.data.path])
    #expect(await refused.wait() == 64)
    #expect(refused.text.contains("contact-sheet password") && refused.text.contains("--without-password"))
    let (open, said) = try await status(["--behind-https", "--without-password"])
    #expect(open == 200 && said.contains("Warning"))
    // Alone on this machine, none is needed.
    let (alone, quiet) = try await status([])
    #expect(alone == 200 && !quiet.contains("Warning"))
  }

  /// Whatever has the name of the password's file is no missing password.
  @Test(arguments: ["dangling", "loop", "folder", "pipe", "device", "socket", "huge", "empty"])
  func aPasswordThatIsNoFileLetsNobodyIn(_ what: String) async throws {
    try AccessTests.setPassword("correct horse", of: folder.data)
    let path = folder.data.credentials
    let password = try TestPictures.bytes(path)
    try Files.remove(path)
    let files = FileManager.default
    var socketDescriptor: Int32 = -1
    switch what {
    case "dangling": try files.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/none")
    case "loop": try files.createSymbolicLink(atPath: path, withDestinationPath: path)
    case "folder": try Files.makeFolder(path)
    case "pipe": #expect(mkfifo(path, 0o600) == 0)
    case "device": try files.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case "socket":
      // The name of a socket is short; from the folder it is.
      let short = "/tmp/contact-sheet-\(UUID().uuidString).socket"
      socketDescriptor = try Self.bound(short)
      try files.moveItem(atPath: short, toPath: path)
    case "huge": try TestPictures.put(password + Array(repeating: 0x20, count: 65_536), at: path)
    default: try TestPictures.put([], at: path)
    }
    defer { if socketDescriptor >= 0 { close(socketDescriptor) } }
    for arguments in [[], ["--with-password"], ["--behind-https", "--allow-host", "photos.example"]] {
      let refused = try Run(["serve", "--port", "0", "--data", folder.data.path] + arguments)
      let guardian = Guardian(refused, seconds: 30)
      #expect(await refused.wait() == 74, "\(arguments): \(refused.text)")
      guardian.dismiss()
      #expect(refused.text.contains("\(path)” is damaged"), "\(arguments): \(refused.text)")
    }
    // A link to the password's file goes on to be followed.
    try files.removeItem(atPath: path)
    try TestPictures.put(password, at: folder.path + "/elsewhere.json")
    try files.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere.json")
    #expect(try await status([]).status == 401)
  }

  private static func bound(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
    return descriptor
  }

  @Test func aDamagedPasswordLetsNobodyIn() async throws {
    try folder.data.prepare()
    try TestPictures.put("{}".utf8, at: folder.data.credentials)
    let refused = try Run(["serve", "--port", "0", "--data", folder.data.path])
    #expect(await refused.wait() == 74)
    #expect(refused.text.contains("is damaged"))
  }
}

import Foundation
import NIOHTTP1
import Testing

@testable import ContactSheet

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

  @Test func aDamagedPasswordLetsNobodyIn() async throws {
    try folder.data.prepare()
    try TestPictures.put("{}".utf8, at: folder.data.credentials)
    let refused = try Run(["serve", "--port", "0", "--data", folder.data.path])
    #expect(await refused.wait() == 74)
    #expect(refused.text.contains("is damaged"))
  }
}

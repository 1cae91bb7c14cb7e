import Foundation
import NIOHTTP1
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct CommandTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func run(_ arguments: String...) throws -> Run {
    try Run(arguments + ["--data", folder.data.path])
  }

  @Test func importsWithoutAServer() async throws {
    let photos = folder.path + "/photos"
    try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
    for number in 0..<3 { try TestPictures.write(to: "\(photos)/\(number).jpg", number: number) }
    try TestPictures.put("words".utf8, at: photos + "/words.jpg")
    try TestPictures.put("words".utf8, at: photos + "/words.txt")
    let first = try run("import", photos, "--album", "Iceland")
    #expect(await first.wait() == 65)
    #expect(first.text.contains("“words.jpg” is not a picture"))
    #expect(first.text.contains("Passing over 1 file that is no picture."))
    #expect(first.text.contains("Imported 3 photos into “Iceland”, 1 failed."))
    #expect(!first.text.contains("\u{1B}"), "no bar where nobody reads along")
    let second = try run("import", photos + "/1.jpg", "--album", "Iceland")
    #expect(await second.wait() == 0)
    #expect(second.text.contains("1 were there already"))
  }

  @Test func importsThroughTheServerThatRuns() async throws {
    let server = try run("serve", "--port", "0")
    let (host, port) = try await server.url()
    #expect(FolderLock.holder(of: folder.data)?.url == "http://\(host):\(port)")
    let path = try TestPictures.write(to: folder.path + "/Ä b&c=d.jpg")
    let importing = try run("import", path, "--album", "Über & Unter")
    #expect(await importing.wait() == 0)
    let albums = try await LocalRequest(method: .GET, target: "/api/albums").send(host: host, port: port)
    let text = String(decoding: albums.body, as: UTF8.self)
    #expect(text.contains(#""count":1"#) && text.contains("Über & Unter"), "\(text)")
    server.signal(SIGINT)
    #expect(await server.wait() == 0)
    #expect(FolderLock.holder(of: folder.data) == nil)
  }

  @Test func refusesASecondServerOnTheFolderAndATakenPort() async throws {
    let server = try run("serve", "--port", "0")
    let (_, port) = try await server.url()
    let second = try run("serve", "--port", "0")
    #expect(await second.wait() == 75)
    #expect(second.text.contains("already in use"))
    #expect(second.text.contains("\(server.pid)"))
    let other = try Run(["serve", "--port", "\(port)", "--data", folder.path + "/other"])
    #expect(await other.wait() == 69)
    #expect(other.text.contains("Port \(port) is in use"))
    #expect(other.text.contains("--port"))
    server.signal(SIGTERM)
    #expect(await server.wait() == 0)
  }

  @Test func saysWhichFolderDoesNotExist() async throws {
    let importing = try run("import", folder.path + "/nowhere")
    #expect(await importing.wait() == 66)
    #expect(importing.text.contains("nowhere"))
  }

  @Test func aTrustedProxyIsAnAddress() async throws {
    let server = try run("serve", "--port", "0", "--trusted-proxy", "x")
    #expect(await server.wait() == 64)
    #expect(server.text.contains("“x” is none"), "\(server.text)")
  }

  @Test func theDemoIsRefusedWhereThereAreNotSoManyPictures() async throws {
    let demo = try run("demo", "--count", "61")
    #expect(await demo.wait() == 64)
    #expect(demo.text.contains("--count is a number from 1 to 60"), "\(demo.text)")
  }

  @Test func theDemoIsImportedOnce() async throws {
    for words in ["Imported 3 photos into “Demo”", "3 were there already"] {
      let demo = try run("demo", "--count", "3")
      #expect(await demo.wait() == 0, "\(demo.text)")
      #expect(demo.text.contains(words), "\(demo.text)")
    }
    #expect(folder.files(in: "incoming") == [])
  }

  @Test func paintsTheSamePicturesEveryTime() async throws {
    let one = try await DemoPictures.write(to: folder.path + "/one", count: 4, longSide: 90)
    let two = try await DemoPictures.write(to: folder.path + "/two", count: 4, longSide: 90)
    for (a, b) in zip(one, two) { #expect(try TestPictures.bytes(a) == TestPictures.bytes(b)) }
    let titles = Set((0..<DemoPictures.count).map { DemoPicture(number: $0).title })
    #expect(titles.count == 60)
  }
}

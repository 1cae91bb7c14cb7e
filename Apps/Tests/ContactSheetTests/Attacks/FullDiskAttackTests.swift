import Foundation
import GRDB
import NIOHTTP1
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// A disk that others have filled.
@Suite(.enabled(if: SmallDisk.isPermitted, SmallDisk.skipped)) struct FullDiskAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func fill(_ disk: SmallDisk) throws { try disk.fill() }

  /// An album on a small disk with photos in the trash; closed.
  private func makeAlbum(_ disk: SmallDisk, trashed: Int = 4) async throws -> DataFolder {
    let data = DataFolder(path: disk.path + "/data")
    let library = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
    let album = try await library.createAlbum("A")
    for number in 0..<8 {
      let path = try TestPictures.write(
        to: "\(folder.path)/\(number).jpg", number: number, width: 200, height: 150)
      _ = try await library.importFile(path, to: album.id)
    }
    let photos = try await library.photos(in: album.id)
    try await library.delete(photos.prefix(trashed).map(\.id), from: album.id, mutationID: UUID())
    await library.close()
    return data
  }

  @Test(arguments: [true, false])
  func aGoodPhotoIsNotCalledDamagedForWantOfRoom(inProcess: Bool) async throws {
    let disk = try SmallDisk(megabytes: 1, in: folder)
    try fill(disk)
    let picture = try TestPictures.write(to: folder.path + "/a.jpg", width: 900, height: 700)
    let decoder: any ImageDecoder = inProcess ? InProcessDecoder() : Program.decoder()
    let request = DecodeRequest(
      source: picture, target: disk.path + "/small.jpg", name: "a.jpg", box: 480, pixelLimit: 1 << 30)
    let failure = await #expect(throws: ContactSheetError.self) { try await decoder.decode(request) }
    #expect(failure?.code == .diskFull, "\(String(describing: failure))")
    #expect(failure?.message.contains("damaged") == false)
    await decoder.stop()
  }

  @Test func theTrashIsEmptiedWhereNothingElseFindsRoom() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = try await makeAlbum(disk)
    let library = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
    let album = try #require(try await library.albums().first)
    try fill(disk)
    try await library.emptyTrash()
    #expect(try await library.trash().count == 0)
    #expect(OriginalStore(folder: data).names.count == 4)
    #expect(try await library.photos(in: album.id).count == 4)
    let check = try await library.check()
    #expect(check.isGood, "\(check)")
    await library.close()
  }

  @Test func theServerStartsSaysWhatIsTheMatterAndMakesRoom() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = try await makeAlbum(disk)
    try fill(disk)
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    let (host, port) = try await server.url()
    func send(_ method: HTTPMethod, _ path: String, _ json: String = "") async throws -> LocalRequest.Answer {
      var request = LocalRequest(method: method, target: path)
      if !json.isEmpty {
        (request.body, request.contentType) = (.bytes(Array(json.utf8)), "application/json")
      }
      return try await request.send(host: host, port: port)
    }
    #expect(server.text.contains("is full"), "\(server.text)")
    #expect(try await send(.GET, "/api/albums").status == 200)
    let refused = try await send(.POST, "/api/albums", #"{"title":"B"}"#)
    #expect(refused.status == 507)
    #expect(String(decoding: refused.body, as: UTF8.self).contains("the trash can be emptied"))
    #expect(try await send(.POST, "/api/trash/empty").status == 204)
    #expect(OriginalStore(folder: data).names.count == 4)
    // Once there is room, everything goes on by itself.
    try Files.remove(disk.path + "/filler")
    #expect(try await send(.POST, "/api/albums", #"{"title":"B"}"#).status == 201)
    server.signal(SIGTERM)
    #expect(await server.wait() == 0, "\(server.text)")
  }

  /// There is room in the old journal for what a start writes, and none on the disk: nothing fails, and the reserve stays.
  @Test func aStartThatFindsRoomInItsJournalAloneSaysThatTheDiskIsFull() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = DataFolder(path: disk.path + "/data")
    let first = try Run(["serve", "--port", "0", "--data", data.path])
    let address = try await first.url()
    #expect(try await Self.creation.send(host: address.host, port: address.port).status == 201)
    // A kill leaves the journal where it is.
    first.signal(SIGKILL)
    await first.wait()
    #expect(Files.size(data.database + "-wal") ?? 0 > 0)
    try fill(disk)
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    let guardian = Guardian(server)
    let (host, port) = try await server.url()
    let albums = try await LocalRequest(method: .GET, target: "/api/albums").send(host: host, port: port)
    #expect(albums.status == 200)
    #expect(Files.size(data.reserve) == Reserve.size, "nothing was given up, since nothing failed")
    server.signal(SIGTERM)
    #expect(await server.wait() == 0, "\(server.text)")
    #expect(server.text.contains("is full"), "\(server.text)")
    guardian.dismiss()
  }

  /// A first start was done and its album is not there: it is not made on a full disk.
  @Test func aStartOnAFullDiskMakesNoAlbum() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = DataFolder(path: disk.path + "/data")
    let library = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
    await library.close()
    try fill(disk)
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    let guardian = Guardian(server)
    _ = try await server.url()
    server.signal(SIGTERM)
    #expect(await server.wait() == 0, "\(server.text)")
    try Files.remove(disk.path + "/filler")
    let again = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
    #expect(try await again.albums().isEmpty)
    await again.close()
    guardian.dismiss()
  }

  /// As a version before the reserve left it: previews are given up, since they can be made again.
  @Test func aFolderWithoutAReserveStartsWhereItHasPreviews() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = try await makeAlbum(disk)
    try Files.remove(data.reserve)
    try Files.makeFolder(data.previews + "/ab")
    try TestPictures.put([UInt8](repeating: 1, count: 300_000), at: data.previews + "/ab/preview")
    try fill(disk)
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    let (host, port) = try await server.url()
    #expect(
      try await LocalRequest(method: .GET, target: "/api/albums").send(host: host, port: port).status == 200)
    server.signal(SIGTERM)
    #expect(await server.wait() == 0, "\(server.text)")
  }

  /// Nothing is left that could be made again; SQLite has its files still.
  @Test(arguments: [true, false])
  func aFolderThatHasNothingToGiveUpStartsAndChangesNothing(killed: Bool) async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = try await makeAlbum(disk)
    let create = Self.creation
    let before = try Run(["serve", "--port", "0", "--data", data.path])
    let first = try await before.url()
    #expect(try await create.send(host: first.host, port: first.port).status == 201)
    before.signal(killed ? SIGKILL : SIGTERM)
    await before.wait()
    try giveUpEverything(data)
    try fill(disk)
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    let guardian = Guardian(server)
    let (host, port) = try await server.url()
    #expect(server.text.contains("is full"), "\(server.text)")
    let albums = try await LocalRequest(method: .GET, target: "/api/albums").send(host: host, port: port)
    #expect(albums.status == 200 && String(decoding: albums.body, as: UTF8.self).contains(#""B""#))
    #expect(try await create.send(host: host, port: port).status == 507)
    server.signal(SIGTERM)
    #expect(await server.wait() == 0, "\(server.text)")
    guardian.dismiss()
  }

  /// A database without SQLite's files beside it, as a backup has it: there is no room for them.
  @Test func aFolderWithoutRoomForItsDatabaseSaysThatTheDiskIsFull() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = try await makeAlbum(disk)
    try giveUpEverything(data)
    let queue = try DatabaseQueue(path: data.database)
    _ = try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
    try fill(disk)
    for arguments in [["serve", "--port", "0"], ["check"]] {
      let run = try Run(arguments + ["--data", data.path])
      let guardian = Guardian(run)
      #expect(await run.wait() == 74, "\(run.text)")
      #expect(run.text.contains("is full. Make room and try again."), "\(run.text)")
      guardian.dismiss()
    }
    try Files.remove(disk.path + "/filler")
    let library = try await PhotoLibrary.open(data, decoder: InProcessDecoder(), logger: .quiet)
    #expect(try await library.check().isGood)
    await library.close()
  }

  private static var creation: LocalRequest {
    var request = LocalRequest(method: .POST, target: "/api/albums")
    (request.body, request.contentType) = (.bytes(Array(#"{"title":"B"}"#.utf8)), "application/json")
    return request
  }

  private func giveUpEverything(_ data: DataFolder) throws {
    try Files.remove(data.reserve)
    for part in [data.previews, data.thumbnails] {
      for name in Files.tree(part) { try Files.remove("\(part)/\(name)") }
    }
  }

  /// As the version before the reserve and the previews left it: thumbnails are given up, since they can be made again.
  @Test func anOldFolderStartsAndChangesNothingUntilThereIsRoom() async throws {
    let disk = try SmallDisk(megabytes: 8, in: folder)
    let data = try await makeAlbum(disk)
    for path in [data.reserve, data.previews, data.incoming, data.lock] {
      try? FileManager.default.removeItem(atPath: path)
    }
    try fill(disk)
    let server = try Run(["serve", "--port", "0", "--data", data.path])
    let (host, port) = try await server.url()
    func status(_ method: HTTPMethod, _ path: String, _ json: String = "") async throws -> Int {
      var request = LocalRequest(method: method, target: path)
      if !json.isEmpty {
        (request.body, request.contentType) = (.bytes(Array(json.utf8)), "application/json")
      }
      return try await request.send(host: host, port: port).status
    }
    #expect(server.text.contains("is full"), "\(server.text)")
    #expect(try await status(.GET, "/api/albums") == 200)
    let hash = try #require(OriginalStore(folder: data).names.first)
    #expect(try await status(.GET, "/originals/\(hash)") == 200)
    // Whoever fills the disk has what was given up, too.
    try fill(disk)
    #expect(try await status(.POST, "/api/albums", #"{"title":"B"}"#) == 507)
    try Files.remove(disk.path + "/filler")
    #expect(try await status(.POST, "/api/albums", #"{"title":"B"}"#) == 201)
    #expect(try await status(.GET, "/thumbnails/\(hash)") == 200)
    server.signal(SIGTERM)
    #expect(await server.wait() == 0, "\(server.text)")
  }
}

/// Ends a program that goes on when it should not, so that a test fails and does not hang.
final class Guardian: Sendable {
  private let waiting: Task<Void, Never>

  init(_ run: Run, seconds: Int = 1200) {
    waiting = Task {
      guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      run.signal(SIGKILL)
    }
  }

  func dismiss() { waiting.cancel() }
}

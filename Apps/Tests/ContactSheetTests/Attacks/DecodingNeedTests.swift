import HTTPTypes
import Testing

@testable import ContactSheetLibrary

#if os(Linux)
  /// Pictures that need more memory than decoders may have: the answer says so, with the option that is enough.
  @Suite struct DecodingNeedTests {
    let folder: TestFolder
    init() throws { folder = try TestFolder() }

    /// Small files of so many pixels that a gigabyte is too little, each whole.
    enum Large: String, CaseIterable, CustomTestStringConvertible {
      case jpeg = "large.jpg"
      case webp = "large.webp"
      var testDescription: String { rawValue }

      var size: (width: Int, height: Int) { self == .jpeg ? (19_000, 19_000) : (16_383, 16_383) }

      func bytes(width: Int, height: Int) -> [UInt8] {
        switch self {
        case .jpeg: SparsePictures.progressiveJPEG(width: width, height: height)
        case .webp: SparsePictures.losslessWebP(width: width, height: height)
        }
      }
    }

    @Test(arguments: Large.allCases)
    func anImportGivesTheTrueReasonAndTheCure(_ kind: Large) async throws {
      let (width, height) = kind.size
      let path = "\(folder.path)/\(kind.rawValue)"
      try TestPictures.put(kind.bytes(width: width, height: height), at: path)
      let run = try await folder.run("import", path)
      #expect(run.status == 65)
      #expect(run.text.contains("“\(kind.rawValue)” has \(width) × \(height) pixels."), "\(run.text)")
      #expect(run.text.contains("more memory than decoders may have (1024 MB)"), "\(run.text)")
      #expect(
        run.text.contains(#/--decoder-megabytes [0-9]{4}, /#) && !run.text.contains("damaged"), "\(run.text)")
    }

    @Test(arguments: Large.allCases)
    func anUploadGetsACodeOfItsOwn(_ kind: Large) async throws {
      let (width, height) = kind.size
      let server = try await TestServer(decoder: Program.decoder())
      let album = try await server.library.createAlbum("A")
      try await server.run { client in
        let answer = try await client.send(
          .post, "/api/albums/\(album.id.wireText)/photos?name=\(kind.rawValue)",
          body: kind.bytes(width: width, height: height))
        #expect(answer.status == .unprocessableContent)
        #expect(try answer.errorCode() == "tooMuchMemory")
        #expect(answer.text.contains("--decoder-megabytes"), "\(answer.text)")
      }
    }

    /// In small, so that no test takes gigabytes: 256 MB are too little, and what the message names is enough.
    @Test(arguments: Large.allCases, [1, 64])
    func whatTheMessageNamesIsEnough(_ kind: Large, processors: Int) async throws {
      let path = "\(folder.path)/\(kind.rawValue)"
      try TestPictures.put(kind.bytes(width: 8000, height: 8000), at: path)
      let request = DecodeRequest(
        source: path, target: folder.path + "/t", name: kind.rawValue, box: 60, pixelLimit: 100_000_000,
        preview: .init(path: folder.path + "/p", box: 2048))
      let small = WorkerDecoder(
        .init(executable: Program.path, workers: processors, memory: 256 << 20), logger: .quiet)
      let failure = await #expect(throws: ContactSheetError.self) { try await small.decode(request) }
      await small.stop()
      #expect(failure?.code == .tooMuchMemory)
      let named = failure?.message.firstMatch(of: #/--decoder-megabytes ([0-9]+)/#)?.output.1
      let megabytes = try #require(named.flatMap { Int($0) })
      let enough = WorkerDecoder(
        .init(executable: Program.path, workers: processors, memory: megabytes << 20), logger: .quiet)
      #expect(try await enough.decode(request).header.width == 8000)
      await enough.stop()
    }

    /// Its library ends the process where it gets no memory.
    @Test func theEndOfTheDecoderIsExplained() async throws {
      let path = folder.path + "/large.gif"
      try TestPictures.write(to: path, width: 4000, height: 4000)
      let decoder = WorkerDecoder(
        .init(executable: Program.path, workers: 1, memory: 40 << 20), logger: .quiet)
      let request = DecodeRequest(
        source: path, target: folder.path + "/t", name: "large.gif", box: 60, pixelLimit: 100_000_000)
      let failure = await #expect(throws: ContactSheetError.self) { try await decoder.decode(request) }
      #expect(failure?.code == .tooMuchMemory, "\(String(describing: failure))")
      await decoder.stop()
    }

    @Test(arguments: [1, 2, 6, 64], [100 << 20, 1 << 30, 3 << 30, 9 << 30])
    func theMegabytesAreTheLeastThatAreEnough(processors: Int, bytes: Int) throws {
      let header = ImageHeader(
        format: .jpeg, width: 1, height: 1, orientation: 1, hasProfile: false, decodingBytes: bytes)
      let options = WorkerDecoder.Options(workers: processors)
      let need = DecodingNeed(header, bytes: bytes, options)
      func memory(_ megabytes: Int) -> Int {
        WorkerDecoder.Options(workers: processors, memory: megabytes << 20).memoryForPictures
      }
      #expect(memory(need.megabytes) >= bytes)
      #expect(memory(need.megabytes - 1) < bytes)
    }

    @Test(arguments: [(ImageFormat.jpeg, false), (.png, false), (.webp, true), (.heic, true)])
    func whatIsDamagedIsCalledDamagedWhereItsLibraryTellsThemApart(_ format: ImageFormat, _ isExplained: Bool)
    {
      let header = ImageHeader(
        format: format, width: 1, height: 1, orientation: 1, hasProfile: false, decodingBytes: 1)
      let need = DecodingNeed(header, bytes: 1, .init())
      #expect(need.explains(ContactSheetError(.damaged, "")) == isExplained)
      #expect(need.explains(ContactSheetError(.tooMuchMemory, "")))
      #expect(!need.explains(ContactSheetError(.truncated, "")))
    }
  }
#endif

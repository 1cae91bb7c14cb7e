import Foundation
import Testing

@testable import ContactSheetLibrary

@Suite struct WorkerDecoderTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private func request(_ path: String, name: String = "a.jpg") -> DecodeRequest {
    DecodeRequest(source: path, target: folder.path + "/t", name: name, box: 60, pixelLimit: 1_000_000)
  }

  @Test func decodesInAnotherProcess() async throws {
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let decoder = Program.decoder()
    let image = try await decoder.decode(request(path))
    #expect(image.header.format == .jpeg)
    #expect((image.thumbnailWidth, image.thumbnailHeight) == (60, 40))
    #expect(WholeJPEG.isAt(folder.path + "/t"))
    await decoder.stop()
  }

  @Test func passesRefusalsOnInTheirOwnWords() async throws {
    let path = folder.path + "/a.jpg"
    try TestPictures.put("text".utf8, at: path)
    let decoder = Program.decoder()
    let failure = await #expect(throws: ContactSheetError.self) { try await decoder.decode(request(path)) }
    #expect(failure?.code == .notAnImage)
    #expect(failure?.message.contains("“a.jpg”") == true)
    await decoder.stop()
  }

  @Test func endsAWorkerThatHangs() async throws {
    let path = folder.path + "/empty"
    try TestPictures.put([], at: path)
    let decoder = WorkerDecoder(
      .init(
        executable: "/bin/sh",
        arguments: ["-c", "\(try WorkerAnswer.ready(unconfined: nil).saidByShell); exec sleep 1000"],
        workers: 1,
        secondsPerPicture: 3),
      logger: .quiet)
    #expect(await code { try await decoder.decode(request(path)) } == .timedOut)
    await decoder.stop()
  }

  @Test func outlivesAWorkerThatCrashes() async throws {
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    // The first picture ends the worker, as a decoder that crashes would; the next gets a new worker.
    let marker = folder.path + "/crashed"
    let crashes =
      "\(try WorkerAnswer.ready(unconfined: nil).saidByShell); read -r question <&0; kill -SEGV $$"
    let script =
      "if [ -e '\(marker)' ]; then exec '\(Program.path)' decode; else : > '\(marker)'; \(crashes); fi"
    let decoder = WorkerDecoder(
      .init(executable: "/bin/sh", arguments: ["-c", script], workers: 1), logger: .quiet)
    #expect(await code { try await decoder.decode(request(path)) } == .decoderFailed)
    #expect(await code { try await decoder.decode(request(path)) } == nil)
    await decoder.stop()
  }

  @Test func saysSoWhereNoWorkerCanBeStarted() async throws {
    let path = folder.path + "/empty"
    try TestPictures.put([], at: path)
    let decoder = WorkerDecoder(.init(executable: folder.path + "/nothing", workers: 1), logger: .quiet)
    #expect(await code { try await decoder.decode(request(path)) } == .decoderFailed)
    await decoder.stop()
  }

  @Test func decodesManyAtOnce() async throws {
    let decoder = Program.decoder()
    let folder = folder
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        let suffix = ImageFormat.allCases[number % 6].fileExtension
        let path = try TestPictures.write(to: "\(folder.path)/\(number).\(suffix)", number: number)
        group.addTask {
          let image = try await decoder.decode(
            DecodeRequest(
              source: path, target: "\(folder.path)/t\(number)", name: "a", box: 60, pixelLimit: 1_000_000))
          #expect(image.header.width == 120)
        }
      }
      try await group.waitForAll()
    }
    await decoder.stop()
  }
}

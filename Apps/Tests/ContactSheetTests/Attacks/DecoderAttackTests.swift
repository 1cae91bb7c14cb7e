import CProcessShim
import Foundation
import Logging
import Synchronization
import Testing

@testable import ContactSheetLibrary

#if os(Linux)
  import Glibc

  /// Attacks by a picture that has taken over the process which decodes it, or that asks for too much.
  @Suite struct DecoderAttackTests {
    let folder: TestFolder
    init() throws { folder = try TestFolder() }

    @Test func aConfinedProcessOpensNoFileAndNoSocketAndStartsNoProgram() async {
      await #expect(processExitsWith: .success) {
        precondition(cs_confine() == nil)
        precondition(open("/etc/passwd", O_RDONLY) == -1 && errno == EACCES)
        precondition(open("/tmp/left-behind", O_WRONLY | O_CREAT, 0o600) == -1 && errno == EACCES)
        precondition(unlink("/tmp/left-behind") == -1 && errno == EACCES)
        precondition(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) == -1 && errno == EACCES)
        precondition(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0) == -1 && errno == EACCES)
        var pid: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        precondition(posix_spawn(&pid, "/bin/true", nil, nil, &arguments, nil) != 0)
        precondition(kill(getppid(), 0) == -1 && errno == EACCES)
        precondition(opendir("/") == nil)
      }
    }

    @Test func aConfinedProcessStillHasMemoryAndThreads() async {
      await #expect(processExitsWith: .success) {
        precondition(cs_confine() == nil)
        let bytes = [UInt8](repeating: 1, count: 64 << 20)
        precondition(bytes.last == 1)
        await withCheckedContinuation { continuation in
          Thread.detachNewThread { continuation.resume() }
        }
      }
    }

    @Test func aWorkerIsConfinedAndKnowsNothingOfTheEnvironment() async throws {
      setenv("CONTACT_SHEET_TEST_SECRET", "hunter2", 1)
      let decoder = Program.decoder()
      let path = try TestPictures.write(to: folder.path + "/a.jpg")
      _ = try await decoder.decode(request(path))
      let worker = try #require(await decoder.idleProcesses.first)
      let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
      #expect(status.contains("Seccomp:\t2"))
      #expect(status.contains("NoNewPrivs:\t1"))
      let environment = try TestPictures.bytes("/proc/\(worker)/environ")
      #expect(!String(decoding: environment, as: UTF8.self).contains("hunter2"))
      // Standard streams, the socket, and what limits memory: nothing of the server's.
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/fd/\($0)")
      }
      #expect(!open.contains { $0.contains(folder.path) }, "\(open)")
      let limits = try String(contentsOfFile: "/proc/\(worker)/limits", encoding: .utf8)
      for name in ["Max address space", "Max file size", "Max open files", "Max core file size"] {
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
        #expect(!line.contains("unlimited"), "\(line)")
      }
      await decoder.stop()
    }

    /// As on a kernel without seccomp: pictures are decoded all the same, and the log says once how.
    @Test func thatDecodersAreNotConfinedIsSaidOnce() async throws {
      let log = SaidLog()
      let decoder = WorkerDecoder(
        .init(
          executable: "/bin/sh",
          arguments: ["-c", try WorkerAnswer.ready(unconfined: "no seccomp").saidByShell], workers: 1),
        logger: Logger(label: "test") { _ in log })
      let path = try TestPictures.write(to: folder.path + "/a.jpg")
      for _ in 0..<2 { #expect(await code { try await decoder.decode(request(path)) } == .decoderFailed) }
      #expect(log.lines.filter { $0.contains("without confinement") && $0.contains("no seccomp") }.count == 1)
      await decoder.stop()
    }

    /// As with a libvips that ends who loads it, or hangs: no photo is to blame.
    @Test(arguments: [("exit 1", 60, "ends"), ("kill -9 $$", 60, "ends"), ("exec sleep 100", 0.2, "hangs")])
    func whoEndsBeforeItReadsIsNoFaultOfThePhoto(script: String, seconds: Double, what: String) async throws {
      let decoder = WorkerDecoder(
        .init(executable: "/bin/sh", arguments: ["-c", script], workers: 1, secondsPerPicture: seconds),
        logger: .quiet)
      let path = try TestPictures.write(to: folder.path + "/a.jpg")
      let failure = await #expect(throws: ContactSheetError.self) { try await decoder.decode(request(path)) }
      #expect(failure?.code == .noImageLibrary && failure?.stopsImports == true)
      #expect(failure?.message.contains(what) == true)
      #expect(await code { try await decoder.checkImageLibrary() } == .noImageLibrary)
      await decoder.stop()
    }

    @Test func aWorkerThatIsEndedWhileItStartsIsStartedOnceMore() async throws {
      let mark = folder.path + "/started"
      let script =
        "if mkdir '\(mark)' 2>/dev/null; then kill -9 $$; fi; exec '\(Program.path)' decode --seconds 60 --megabytes 1024"
      let decoder = WorkerDecoder(
        .init(executable: "/bin/sh", arguments: ["-c", script], workers: 1), logger: .quiet)
      let path = try TestPictures.write(to: folder.path + "/a.jpg")
      #expect(try await decoder.decode(request(path)).header.width == 120)
      #expect(FileManager.default.fileExists(atPath: mark))
      await decoder.stop()
    }

    @Test func aTargetThatCannotBeWrittenCostsItsPhotoAndNotTheWorker() async throws {
      let decoder = Program.decoder()
      let path = try TestPictures.write(to: folder.path + "/a.jpg")
      _ = try await decoder.decode(request(path))
      let workers = await decoder.idleProcesses
      #expect(workers.count == 1)
      let impossible = DecodeRequest(
        source: path, target: folder.path + "/nowhere/t", name: "a", box: 60, pixelLimit: 1 << 30)
      let failure = await #expect(throws: ContactSheetError.self) { try await decoder.decode(impossible) }
      #expect(failure?.code != .decoderFailed && failure?.message.contains("nowhere") == true)
      #expect(await decoder.idleProcesses == workers)
      #expect(try await decoder.decode(request(path)).header.width == 120)
      #expect(await decoder.idleProcesses == workers)
      await decoder.stop()
    }

    @Test func everyFormatIsReadWhileConfined() async throws {
      let decoder = Program.decoder()
      for format in ImageFormat.allCases {
        let path = try TestPictures.write(to: "\(folder.path)/a.\(format.fileExtension)")
        let image = try await decoder.decode(request(path))
        #expect(image.header.format == format)
      }
      await decoder.stop()
    }

    @Test func largePicturesOfEveryFormatAreGrantedEnough() async throws {
      let decoder = Program.decoder()
      for format in ImageFormat.allCases {
        let path = try TestPictures.write(
          to: "\(folder.path)/large.\(format.fileExtension)", width: 4000, height: 3000, quality: 50)
        let image = try await decoder.decode(
          DecodeRequest(
            source: path, target: folder.path + "/t", name: "a", box: 60, pixelLimit: 100_000_000,
            preview: .init(path: folder.path + "/p", box: 2048))
        )
        #expect(image.header.width == 4000)
      }
      await decoder.stop()
    }

    @Test func manyProcessorsLeaveMemoryForLargePictures() async throws {
      // Writing it takes seconds, so it is written once for all.
      let path = try TestPictures.write(
        to: folder.path + "/large.heic", width: 4000, height: 3000, quality: 50)
      for processors in [16, 22, 64] { try await expectMemory(for: path, with: processors) }
    }

    private func expectMemory(for path: String, with processors: Int) async throws {
      let decoder = WorkerDecoder(.init(executable: Program.path, workers: processors), logger: .quiet)
      let image = try await decoder.decode(
        DecodeRequest(source: path, target: folder.path + "/t", name: "a", box: 60, pixelLimit: 100_000_000))
      #expect(image.header.width == 4000)
      let small = try TestPictures.write(to: folder.path + "/a.jpg")
      let folder = folder
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<24 {
          group.addTask {
            _ = try await decoder.decode(
              DecodeRequest(
                source: small, target: "\(folder.path)/t\(number)", name: "a", box: 60, pixelLimit: 1_000_000)
            )
          }
        }
        try await group.waitForAll()
      }
      // A quarter of a gigabyte for all that are idle.
      #expect(await (1...5).contains(decoder.idleProcesses.count), "\(processors) processors")
      await decoder.stop()
    }

    @Test func aWorkerThatDiedIdleCostsTheNextPhotoNothing() async throws {
      let decoder = WorkerDecoder(.init(executable: Program.path, workers: 1), logger: .quiet)
      let path = try TestPictures.write(to: folder.path + "/a.jpg")
      _ = try await decoder.decode(request(path))
      let worker = try #require(await decoder.idleProcesses.first)
      kill(worker, SIGKILL)
      let image = try await decoder.decode(request(path))
      #expect(image.header.format == .jpeg)
      await decoder.stop()
    }

    @Test func aSmallFileThatAnnouncesAGigabyteGetsNoGigabyte() async throws {
      let decoder = WorkerDecoder(
        .init(executable: Program.path, workers: 2, memory: 256 << 20), logger: .quiet)
      let bomb = folder.path + "/bomb.jpg"
      try TestPictures.put(SparsePictures.progressiveJPEG(width: 19_000, height: 19_000), at: bomb)
      let folder = folder
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            let request = DecodeRequest(
              source: bomb, target: "\(folder.path)/t\(number)", name: "bomb.jpg", box: 60,
              pixelLimit: 400_000_000)
            #expect(await code { try await decoder.decode(request) } != nil)
          }
        }
      }
      let good = try TestPictures.write(to: folder.path + "/a.jpg")
      _ = try await decoder.decode(request(good))
      let most = await decoder.peaks.reduce(0, +)
      #expect(most < 320 << 20, "\(most >> 20) MB")
      await decoder.stop()
    }

    private func request(_ path: String) -> DecodeRequest {
      DecodeRequest(source: path, target: folder.path + "/t", name: "a", box: 60, pixelLimit: 1_000_000)
    }
  }

  /// A log that can be read.
  private final class SaidLog: LogHandler {
    private let said = Mutex<[String]>([])
    var lines: [String] { said.withLock { $0 } }

    var logLevel: Logger.Level {
      get { .trace }
      set {}
    }
    var metadata: Logger.Metadata {
      get { [:] }
      set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { nil }
      set {}
    }

    func log(event: LogEvent) {
      said.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
  }

  extension WorkerDecoder {
    /// The most memory that each worker has had that is idle now, in bytes.
    fileprivate var peaks: [Int] {
      idleProcesses.map { pid in
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first).flatMap { Int($0) }.map { $0 << 10 } ?? 0
      }
    }
  }
#endif

import CProcessShim
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The child's side of `WorkerDecoder`: reads questions from standard input, which is a socket, and answers on it.
///
/// Before the first question it gives up all that a decoder does not need: it can open no file, no socket and no
/// program any more, and has the files of its pictures through the socket. The process ends when its parent closes the
/// socket, however the parent ended, or when a picture takes longer than the time limit.
package enum DecodeWorker {
  /// The address space that a worker may have beyond the memory of pictures, in bytes: programs, stacks, mapped files.
  static let addressSpaceBeyondPictures: UInt64 = 5 << 30
  /// The largest file that a worker may write, in bytes: a small picture, whatever its source is.
  static let fileSizeLimit: UInt64 = 256 << 20
  /// The number of files that a worker may have open.
  static let openFileLimit: UInt64 = 64

  /// Serves questions until the parent hangs up.
  ///
  /// - Parameters:
  ///   - secondsPerPicture: After this long with one picture the process ends itself.
  ///   - megabytes: The memory that all workers may take together, which is granted for each picture.
  package static func run(secondsPerPicture: UInt32, megabytes: UInt32) {
    closeInherited()
    limitResources(memory: UInt64(megabytes) << 20)
    cs_prepare_memory_limit()
    // Libraries are loaded before the confinement, which would forbid it.
    do throws(ContactSheetError) {
      try Vips.start()
    } catch {
      _ = send(.refused(error))
      return
    }
    let unconfined = cs_confine().map { String(cString: $0) }
    guard send(.ready(unconfined: unconfined)) else { return }

    var lines = LineReader(socket: 0)
    var picture = Picture()
    while let (line, file) = lines.next() {
      guard let question = try? JSONDecoder().decode(WorkerQuestion.self, from: Data(line)), let file else {
        return
      }
      // The alarm's default action ends the process: a decoder that hangs cannot outlive a lost parent.
      _ = alarm(secondsPerPicture)
      let answer: WorkerAnswer
      do throws(ContactSheetError) {
        answer = try picture.answer(question, file)
      } catch {
        answer = .refused(error)
      }
      _ = alarm(0)
      guard send(answer) else { return }
    }
  }

  /// The picture under way.
  private struct Picture {
    var name = ""
    var source: OpenFile?
    var header: ImageHeader?
    var preview: Thumbnailer.Target?

    mutating func answer(_ question: WorkerQuestion, _ file: OpenFile) throws(ContactSheetError)
      -> WorkerAnswer
    {
      switch question {
      case .header(let name, let pixelLimit):
        self.name = name
        (source, header, preview) = (file, nil, nil)
        _ = cs_limit_memory(UInt64(DecodingMemory.header(of: file.bytes(at: 0, count: 16))))
        let header = try ImageProbe.header(of: file, named: name, pixelLimit: pixelLimit)
        self.header = header
        return .header(header)
      case .preview(let box):
        preview = Thumbnailer.Target(file: file, box: box)
        return .taken
      case .decode(let box, let memory):
        guard let source, let header else {
          throw ContactSheetError(.internal, "The header was not read before the picture.")
        }
        _ = cs_limit_memory(UInt64(max(0, memory)))
        defer {
          (self.source, self.header, preview) = (nil, nil, nil)
          cs_release_memory()
        }
        let small = Thumbnailer.Target(file: file, box: box)
        return .image(try header.decoded(from: source, to: small, preview: preview, named: name))
      }
    }
  }

  private static func send(_ answer: WorkerAnswer) -> Bool {
    guard var bytes = try? JSONEncoder().encode(answer) else { return false }
    bytes.append(UInt8(ascii: "\n"))
    return SocketLines.send(Array(bytes), through: 0)
  }

  /// Closes what the parent had open without saying that it ends with it.
  private static func closeInherited() {
    for name in Files.names(in: "/dev/fd") {
      if let descriptor = CInt(name), descriptor > 2 { close(descriptor) }
    }
  }

  private static func limitResources(memory: UInt64) {
    #if os(Linux)
      func limit(_ resource: __rlimit_resource, _ most: UInt64) {
        var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
        _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
      }
      limit(RLIMIT_AS, addressSpaceBeyondPictures + memory)
      limit(RLIMIT_FSIZE, fileSizeLimit)
      limit(RLIMIT_NOFILE, openFileLimit)
      limit(RLIMIT_CORE, 0)
    #endif
  }
}

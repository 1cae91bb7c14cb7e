import Foundation
import Synchronization

@testable import ContactSheetLibrary

/// A run of the program as a process of its own.
final class Run: Sendable {
  private let process: ChildProcess
  private let said = Mutex<[UInt8]>([])
  private let pieces: AsyncStream<Void>

  init(_ arguments: [String], program: String = Program.path) throws {
    let pipe = Pipe()
    process = try ChildProcess(program, arguments, output: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    pieces = stream
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    Thread.detachNewThread { [self, pipe] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { break }
        said.withLock { $0 += bytes[..<count] }
        continuation.yield()
      }
      _ = pipe
      continuation.finish()
    }
  }

  var isRunning: Bool { process.isRunning }
  var pid: Int32 { process.pid }

  /// The output of the program so far.
  /// A letter may come in pieces, so that nothing is decoded before.
  var text: String { String(decoding: said.withLock { $0 }, as: UTF8.self) }

  func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the end, and for all that the program said, and gives the exit status.
  @discardableResult
  func wait() async -> Int32 {
    for await _ in pieces {}
    return await process.wait()
  }

  /// Waits until the server has told its address.
  func url() async throws -> (host: String, port: Int) {
    repeat {
      if let line = text.split(separator: "\n").first(where: { $0.contains("is at http://") }),
        let url = line.split(separator: " ").last.flatMap({ URLComponents(string: String($0)) }),
        let host = url.host, let port = url.port
      {
        return (host, port)
      }
    } while await pieces.first { _ in true } != nil
    throw ContactSheetError(.unreachable, "The server did not start: \(text)")
  }
}

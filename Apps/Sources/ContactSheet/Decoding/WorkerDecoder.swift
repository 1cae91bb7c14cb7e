import Foundation
public import Logging
import NIOPosix

/// Reads pictures in worker processes, so that a decoder that crashes, hangs or eats memory costs one
/// picture and not the server.
///
/// Workers are started when they are first needed and kept. HEIC pictures are large and slow to decode, so
/// they go one at a time.
public actor WorkerDecoder: ImageDecoder {
  /// How workers are run.
  public struct Options: Sendable {
    /// The program to run: this one.
    public var executable: String
    /// The arguments that make it a worker.
    public var arguments: [String]
    /// How many workers run at the same time.
    public var workers: Int
    /// How long one picture may take, in seconds.
    public var secondsPerPicture: Double

    /// Creates options.
    ///
    /// - Parameters:
    ///   - executable: The program to run; by default the one that runs.
    ///   - arguments: The arguments that make it a worker.
    ///   - workers: How many run at the same time; by default one for each processor.
    ///   - secondsPerPicture: How long one picture may take.
    public init(
      executable: String = Options.thisExecutable, arguments: [String]? = nil,
      workers: Int? = nil, secondsPerPicture: Double = 60
    ) {
      self.executable = executable
      self.arguments =
        arguments ?? ["decode", "--seconds", String(Int(secondsPerPicture.rounded(.up)) + 1)]
      self.workers = max(1, workers ?? ProcessInfo.processInfo.activeProcessorCount)
      self.secondsPerPicture = secondsPerPicture
    }

    /// The running program. On Linux this finds it even where its file has been replaced since.
    public static var thisExecutable: String {
      #if os(Linux)
        "/proc/self/exe"
      #else
        Bundle.main.executablePath ?? CommandLine.arguments[0]
      #endif
    }
  }

  private let options: Options
  private let logger: Logger
  private let pool: NIOThreadPool
  private let seats: Gate
  private let largePictures = Gate(limit: 1)
  private var idle: [WorkerProcess] = []
  private var stopped = false

  /// Creates a decoder; no worker is started yet.
  public init(_ options: Options = Options(), logger: Logger) {
    self.options = options
    self.logger = logger
    pool = NIOThreadPool(numberOfThreads: options.workers)
    pool.start()
    seats = Gate(limit: options.workers)
  }

  /// Has a worker read the picture, once one is free.
  public nonisolated func decode(_ request: DecodeRequest) async throws -> DecodedImage {
    let head = try await blocking { FileHead.read(request.source) }
    guard ImageFormat.claimed(by: head) == .heic else {
      return try await seats.pass { try await self.decodeInWorker(request) }
    }
    return try await largePictures.pass {
      try await self.seats.pass { try await self.decodeInWorker(request) }
    }
  }

  private func decodeInWorker(_ request: DecodeRequest) async throws -> DecodedImage {
    let (options, pool) = (options, pool)
    let kept = idle.popLast()
    let worker: WorkerProcess
    do {
      worker = try await blocking(on: pool) {
        try kept ?? WorkerProcess.start(executable: options.executable, arguments: options.arguments)
      }
    } catch let error as SystemError {
      throw ContactSheetError(
        .decoderFailed, "“\(request.name)” could not be read: the decoder did not start.",
        cause: "\(error.call): \(error.reason)")
    }
    let answer: DecodeAnswer
    do {
      answer = try await blocking(on: pool) {
        do {
          return try worker.exchange(request, seconds: options.secondsPerPicture)
        } catch {
          worker.end()
          throw error
        }
      }
    } catch {
      throw Self.explain(error, request, seconds: options.secondsPerPicture, logger: logger)
    }
    await keep(worker)
    switch answer {
    case .image(let image): return image
    case .refused(let code, let message, let cause):
      throw ContactSheetError(ContactSheetError.Code(rawValue: code), message, cause: cause)
    }
  }

  private func keep(_ worker: WorkerProcess) async {
    if stopped {
      try? await blocking { worker.end() }
    } else {
      idle.append(worker)
    }
  }

  private static func explain(
    _ error: any Error, _ request: DecodeRequest, seconds: Double, logger: Logger
  ) -> any Error {
    if case WorkerProcess.Failure.slow = error {
      logger.warning("A decoder was ended for taking too long", metadata: ["photo": "\(request.name)"])
      return ContactSheetError(
        .timedOut,
        "“\(request.name)” took longer than \(Int(seconds)) seconds to read and was left out.")
    }
    logger.warning(
      "A decoder ended unexpectedly", metadata: ["photo": "\(request.name)", "error": "\(error)"])
    return ContactSheetError(
      .decoderFailed, "“\(request.name)” made the image library fail and was left out. It may be damaged.",
      cause: "\(error)")
  }

  /// Ends the workers.
  public func stop() async {
    stopped = true
    let workers = idle
    idle = []
    try? await blocking { workers.forEach { $0.end() } }
    try? await pool.shutdownGracefully()
  }
}

/// The first bytes of a file.
enum FileHead {
  static func read(_ path: String, count: Int = 16) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: count)).map { Array($0) } ?? []
  }
}

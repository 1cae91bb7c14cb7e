import Foundation
package import Logging
import NIOPosix

/// Reads pictures in worker processes, so that a decoder that crashes, hangs or eats memory costs one
/// picture and not the server.
///
/// Workers are started when they are first needed and kept. They have a budget of memory in common: a picture waits
/// until there is room for what its header announces.
package actor WorkerDecoder: ImageDecoder {
  /// How workers are run.
  package struct Options: Sendable {
    /// The program to run: this one.
    package var executable: String
    /// The arguments that make it a worker.
    package var arguments: [String]
    /// How many workers run at the same time; fewer where idle ones alone would take more than a quarter of the memory.
    package var workers: Int
    /// How long one picture may take, in seconds.
    package var secondsPerPicture: Double
    /// The memory that all workers may take together, in bytes.
    package var memory: Int

    /// Creates options.
    ///
    /// - Parameters:
    ///   - executable: The program to run; by default the one that runs.
    ///   - arguments: The arguments that make it a worker.
    ///   - workers: How many run at the same time; by default one for each processor.
    ///   - secondsPerPicture: How long one picture may take.
    ///   - memory: The memory that all workers may take together, in bytes.
    package init(
      executable: String = Options.thisExecutable, arguments: [String]? = nil,
      workers: Int? = nil, secondsPerPicture: Double = 60, memory: Int = 1 << 30
    ) {
      self.executable = executable
      self.arguments =
        arguments ?? [
          "decode", "--seconds", String(Int(secondsPerPicture.rounded(.up)) + 1), "--megabytes",
          String(memory >> 20),
        ]
      self.workers = max(1, workers ?? ProcessInfo.processInfo.activeProcessorCount)
      self.secondsPerPicture = secondsPerPicture
      self.memory = memory
    }

    /// The memory of a worker that has nothing to do, in bytes: its program and its libraries.
    static let idleMemory = 48 << 20

    /// The number of workers that are started: idle ones take at most a quarter of the memory, however many processors
    /// there are, so that the rest is enough for large pictures.
    var affordableWorkers: Int { max(1, min(workers, memory / (4 * Options.idleMemory))) }

    /// The memory that is left for pictures, in bytes.
    var memoryForPictures: Int { memory - affordableWorkers * Options.idleMemory }

    /// The running program. On Linux this finds it even where its file has been replaced since.
    package static var thisExecutable: String {
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
  /// The memory of all workers together, beyond what they take while they have nothing to do.
  let memory: WeightedGate
  private var idle: [WorkerProcess] = []
  private var stopped = false
  private var hasSaidUnconfined = false

  /// Creates a decoder; no worker is started yet.
  package init(_ options: Options = Options(), logger: Logger) {
    self.options = options
    self.logger = logger
    let workers = options.affordableWorkers
    pool = NIOThreadPool(numberOfThreads: workers)
    pool.start()
    seats = Gate(limit: workers)
    memory = WeightedGate(limit: options.memoryForPictures)
  }

  /// Has a worker read the picture, once one is free.
  package nonisolated func decode(_ request: DecodeRequest) async throws -> DecodedImage {
    try await seats.pass {
      try await self.inWorker(request) { try await self.answer(to: request, $0, of: $1) }
    }
  }

  /// Has a worker read the header, once one is free.
  package nonisolated func header(_ request: DecodeRequest) async throws -> ImageHeader {
    try await seats.pass {
      try await self.inWorker(request) { try await self.header(of: request, $0, in: $1) }
    }
  }

  /// Checks in a worker that the image library can be loaded. A damaged one can end or hold up the process that loads it: here that is
  /// the worker.
  ///
  /// - Throws: `ContactSheetError.Code.noImageLibrary` where it is missing or damaged.
  package func checkImageLibrary() async throws { await keep(try await start(for: nil)) }

  private typealias Work<Result> = @Sendable (OpenFile, WorkerProcess) async throws -> Result

  private func inWorker<Result: Sendable>(
    _ request: DecodeRequest, _ work: Work<Result>
  ) async throws -> Result {
    let source = try await blocking { try request.openSource() }
    if let kept = idle.popLast() {
      do {
        return try await run(work, source, in: kept)
      } catch WorkerProcess.Failure.gone {
        // It may have died while it had nothing to do, which is not this picture's fault.
      } catch {
        throw explain(error, request)
      }
    }
    do {
      return try await run(work, source, in: try await start(for: request.name))
    } catch {
      throw explain(error, request)
    }
  }

  /// Starts a worker. One that ends before it is ready is started once more, as it may have been ended from outside; a second one is no
  /// accident, and no fault of the picture's: the image library is damaged.
  private func start(for name: String?) async throws -> WorkerProcess {
    do {
      do {
        return try await startOnce(for: name)
      } catch WorkerProcess.Failure.gone {
        return try await startOnce(for: name)
      }
    } catch let failure as WorkerProcess.Failure {
      throw ContactSheetError(
        .noImageLibrary,
        "Pictures cannot be read here: the program that reads them \(failure == .gone ? "ends" : "hangs") before it begins. libvips, or a"
          + " library that it needs, may be damaged. Install it anew, then try again.")
    }
  }

  private func startOnce(for name: String?) async throws -> WorkerProcess {
    let (options, pool) = (options, pool)
    do {
      let (worker, answer) = try await blocking(on: pool) {
        let worker = try WorkerProcess.start(executable: options.executable, arguments: options.arguments)
        let answer = try Self.ending(worker) {
          let answer = try worker.answer(seconds: options.secondsPerPicture)
          // A worker that finds no image library is not kept: somebody may install it before the next picture.
          if let refusal = answer.refusal { throw refusal }
          return answer
        }
        return (worker, answer)
      }
      if case .ready(let reason?) = answer, !hasSaidUnconfined {
        hasSaidUnconfined = true
        logger.warning("Decoders run without confinement on this system", metadata: ["reason": "\(reason)"])
      }
      return worker
    } catch let error as SystemError {
      throw ContactSheetError(
        .decoderFailed,
        "\(name.map { "“\($0)”" } ?? "Pictures") could not be read: the decoder did not start.",
        cause: "\(error.call): \(error.reason)")
    }
  }

  /// Has a worker do something, and keeps the worker for the next.
  private func run<Result: Sendable>(
    _ work: Work<Result>, _ source: OpenFile, in worker: WorkerProcess
  ) async throws -> Result {
    do {
      return try await work(source, worker)
    } catch is CancellationError {
      // It was asked nothing that it has not answered: a cancelled task waits for its turn or its memory.
      await keep(worker)
      throw CancellationError()
    }
  }

  private func answer(
    to request: DecodeRequest, _ source: OpenFile, of worker: WorkerProcess
  ) async throws -> DecodedImage {
    let (seconds, pool) = (options.secondsPerPicture, pool)
    let first = try await askHeader(of: request, source, worker)
    guard case .header(let header) = first else { return try await image(first, of: worker) }
    let (target, preview): (OpenFile, OpenFile?)
    do {
      (target, preview) = try await blocking {
        (try request.openTarget(), try request.openPreview(of: header, source))
      }
    } catch let error where !(error is CancellationError) {
      // The worker stays of use: it forgets this picture with the next header.
      await keep(worker)
      throw error
    }
    let box = preview == nil ? nil : request.preview?.box
    let needed = box.map { DecodingMemory.withPreview(header.decodingBytes, box: $0) } ?? header.decodingBytes
    let need = DecodingNeed(header, bytes: needed, options)
    let answer: WorkerAnswer
    do {
      answer = try await memory.pass(needed) { granted in
        try await blocking(on: pool) {
          try Self.ending(worker) {
            if let preview, let box {
              _ = try worker.ask(.preview(box: box), about: preview, seconds: seconds)
            }
            return try worker.ask(.decode(box: request.box, memory: granted), about: target, seconds: seconds)
          }
        }
      }
    } catch WorkerProcess.Failure.gone where needed > memory.limit {
      // Some libraries end the process where they get no memory.
      throw need.error(name: request.name, cause: "the decoder ended")
    }
    do {
      return try await image(answer, of: worker)
    } catch let refusal as ContactSheetError where needed > memory.limit && need.explains(refusal) {
      throw need.error(name: request.name, cause: refusal.cause)
    }
  }

  private func askHeader(
    of request: DecodeRequest, _ source: OpenFile, _ worker: WorkerProcess
  ) async throws -> WorkerAnswer {
    let (seconds, pool) = (options.secondsPerPicture, pool)
    return try await blocking(on: pool) {
      try Self.ending(worker) {
        try worker.ask(
          .header(name: request.name, pixelLimit: request.pixelLimit), about: source, seconds: seconds)
      }
    }
  }

  private func header(
    of request: DecodeRequest, _ source: OpenFile, in worker: WorkerProcess
  ) async throws -> ImageHeader {
    let answer = try await askHeader(of: request, source, worker)
    guard case .header(let header) = answer else {
      _ = try await image(answer, of: worker)
      throw ContactSheetError(.internal, "The decoder gave an answer to another question.")
    }
    await keep(worker)
    return header
  }

  /// Keeps the worker, and returns the image of its last answer or throws its refusal.
  private func image(_ answer: WorkerAnswer, of worker: WorkerProcess) async throws -> DecodedImage {
    await keep(worker)
    switch answer {
    case .image(let image): return image
    case .refused, .ready, .header, .taken:
      throw answer.refusal
        ?? ContactSheetError(.internal, "The decoder gave an answer to another question.")
    }
  }

  /// Ends a worker with which something failed.
  private static func ending<Result>(_ worker: WorkerProcess, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      worker.end()
      throw error
    }
  }

  private func keep(_ worker: WorkerProcess) async {
    if stopped {
      try? await blocking { worker.end() }
    } else {
      idle.append(worker)
    }
  }

  private func explain(_ error: any Error, _ request: DecodeRequest) -> any Error {
    if error is ContactSheetError || error is CancellationError { return error }
    if case WorkerProcess.Failure.slow = error {
      logger.warning("A decoder was ended for taking too long", metadata: ["photo": "\(request.name)"])
      return ContactSheetError(
        .timedOut,
        "“\(request.name)” took longer than \(Int(options.secondsPerPicture)) seconds to read and was left out."
      )
    }
    logger.warning(
      "A decoder ended unexpectedly", metadata: ["photo": "\(request.name)", "error": "\(error)"])
    return ContactSheetError(
      .decoderFailed,
      "“\(request.name)” made the image library fail and was left out. It may be damaged."
        + " Try another copy of it.",
      cause: "\(error)")
  }

  /// The workers that have nothing to do.
  var idleProcesses: [pid_t] { idle.map(\.pid) }

  /// Ends the workers.
  package func stop() async {
    stopped = true
    let workers = idle
    idle = []
    try? await blocking { workers.forEach { $0.end() } }
    try? await pool.shutdownGracefully()
  }
}

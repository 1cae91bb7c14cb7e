import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Attacks by somebody who asks for much and hangs up: who is gone keeps no place in a queue.
@Suite(.timeLimit(.minutes(20))) struct QueueAttackTests {
  /// Something that is held until it is let go.
  private struct Hold: Sendable {
    private let held = AsyncStream<Void>.makeStream()
    private let letGo = AsyncStream<Void>.makeStream()

    /// Waits for the end; called inside a gate.
    func wait() async {
      held.continuation.finish()
      for await _ in letGo.stream {}
    }

    /// Waits until somebody holds it.
    func begin() async { for await _ in held.stream {} }

    func end() { letGo.continuation.finish() }
  }

  private func wait(until condition: () async -> Bool) async {
    while await !condition() { await Task.yield() }
  }

  @Test func whoIsCancelledLeavesTheQueueAndLetsThoseBehindThrough() async throws {
    let gate = WeightedGate(limit: 2)
    let hold = Hold()
    async let holding: Void = gate.pass(1) { _ in await hold.wait() }
    await hold.begin()
    let heavy = Task { try await gate.pass(2) { _ in Issue.record("it was cancelled") } }
    await wait { await gate.waiterCount == 1 }
    let light = Task { try await gate.pass(1) { $0 } }
    await wait { await gate.waiterCount == 2 }
    heavy.cancel()
    // There was room for the light one all the time; only the order kept it.
    #expect(try await light.value == 1)
    await #expect(throws: CancellationError.self) { try await heavy.value }
    #expect(await gate.waiterCount == 0)
    hold.end()
    try await holding
    #expect(try await gate.pass(2) { $0 } == 2, "all of it came back")
  }

  @Test func whoIsCancelledBeforeComesNotIn() async {
    let gate = WeightedGate(limit: 2)
    let keyed = KeyedGate<Int>()
    let task = Task {
      await wait { Task.isCancelled }
      await #expect(throws: CancellationError.self) { try await gate.pass(1) { _ in } }
      await #expect(throws: CancellationError.self) { try await keyed.pass(1) {} }
    }
    task.cancel()
    await task.value
  }

  /// Some of many leave, wherever they are; the others pass in the order in which they came.
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func theOthersKeepTheirOrder(_ seed: UInt64) async throws {
    var dice = SeededGenerator(seed: seed)
    let gate = Gate(limit: 1)
    let keyed = KeyedGate<String>()
    for isKeyed in [false, true] {
      let passed = Passed()
      let hold = Hold()
      @Sendable func pass(_ body: @Sendable () async throws -> Void) async throws {
        if isKeyed { try await keyed.pass("a", body) } else { try await gate.pass(body) }
      }
      @Sendable func count() async -> Int { isKeyed ? await keyed.waiterCount : await gate.waiterCount }
      async let holding: Void = pass { await hold.wait() }
      await hold.begin()
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<40 {
        tasks.append(Task { try await pass { passed.append(number) } })
        await wait { await count() == number + 1 }
      }
      let leaving = Set((0..<40).shuffled(using: &dice).prefix(Int.random(in: 1...39, using: &dice)))
      for number in leaving { tasks[number].cancel() }
      await wait { await count() == 40 - leaving.count }
      hold.end()
      try await holding
      for (number, task) in tasks.enumerated() {
        let result = await task.result
        #expect(((try? result.get()) == nil) == leaving.contains(number), "seed \(seed), \(number)")
      }
      #expect(passed.numbers == (0..<40).filter { !leaving.contains($0) }, "seed \(seed)")
      #expect(await count() == 0)
    }
  }

  @Test func aDecoderIsKeptThatWaitedForMemoryInVain() async throws {
    let folder = try TestFolder()
    let decoder = WorkerDecoder(.init(executable: Program.path, workers: 1), logger: .quiet)
    let path = try TestPictures.write(to: folder.path + "/a.jpg")
    let request = DecodeRequest(
      source: path, target: folder.path + "/t", name: "a", box: 60, pixelLimit: 1_000_000)
    _ = try await decoder.decode(request)
    let workers = await decoder.idleProcesses
    let hold = Hold()
    async let holding: Void = decoder.memory.pass(.max) { _ in await hold.wait() }
    await hold.begin()
    let waiting = Task { try await decoder.decode(request) }
    await wait { await decoder.memory.waiterCount == 1 }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(await decoder.idleProcesses == workers && workers.count == 1)
    hold.end()
    try await holding
    #expect(try await decoder.decode(request).header.width == 120)
    await decoder.stop()
  }

  @Test(arguments: ["closed", "removed", "evicted"])
  func whatRunsForAConnectionEndsWithIt(_ end: String) async throws {
    var limits = WebLimits()
    limits.connections = 1
    let connections = Connections(limits, knowsPeople: true)
    let channel = try Self.channel()
    #expect(connections.admit(channel, from: "10.0.0.1"))
    #expect(try await connections.run(for: channel) { 7 } == 7)
    let hold = Hold()
    let running = Task {
      try await connections.run(for: channel) {
        await hold.wait()
        try Task.checkCancellation()
      }
    }
    await hold.begin()
    switch end {
    case "closed": connections.close(channel)
    case "removed": connections.remove(channel)
    default: #expect(connections.admit(try Self.channel(), from: "10.0.0.2"))
    }
    await #expect(throws: CancellationError.self) { try await running.value }
    guard end == "closed" else { return }
    // Tasks that begin after the end are cancelled as well.
    await #expect(throws: CancellationError.self) {
      try await connections.run(for: channel) { try Task.checkCancellation() }
    }
  }

  private static func channel() throws -> any Channel {
    let channel = EmbeddedChannel()
    try channel.connect(to: .init(ipAddress: "10.0.0.1", port: 1)).wait()
    return channel
  }

  /// Previews are made when they are asked for, by as many decoders as there are.
  @Test func whoeverHungUpTakesNoDecoderFromOthers() async throws {
    let folder = try TestFolder()
    let decoder = QueueingDecoder()
    let library = try await PhotoLibrary.open(folder.data, decoder: decoder, logger: .quiet)
    let album = try await library.createAlbum("A")
    let picture = try TestPictures.write(to: folder.path + "/a.jpg", width: 2400, height: 1600)
    _ = try await library.importFile(picture, to: album.id)
    let hash = try #require(try await library.photos(in: album.id).first?.contentHash)
    try Files.remove(folder.data.preview(try #require(ContentHash(hash))))
    var options = WebServer.Options()
    options.port = 0
    let server = WebServer(library: library, options: options, logger: .quiet)
    let url = AsyncStream<String>.makeStream()
    let serving = Task { try await server.run { url.continuation.yield($0) } }
    var urls = url.stream.makeAsyncIterator()
    let port = try #require(await urls.next()?.split(separator: ":").last.flatMap { Int($0) })

    let hold = Hold()
    async let holding: Void = decoder.gate.pass { await hold.wait() }
    await hold.begin()
    let asking = Task {
      try await LocalRequest(method: .GET, target: "/previews/\(hash)").send(host: "127.0.0.1", port: port)
    }
    await wait { await decoder.gate.waiterCount == 1 }
    asking.cancel()
    _ = await asking.result
    await wait { await decoder.gate.waiterCount == 0 }
    hold.end()
    try await holding
    #expect(folder.files(in: "previews").isEmpty && folder.files(in: "incoming").isEmpty)
    let answer = try await LocalRequest(method: .GET, target: "/previews/\(hash)").send(
      host: "127.0.0.1", port: port)
    #expect(answer.status == 200)
    serving.cancel()
    _ = await serving.result
    await library.close()
  }
}

/// The numbers of the tasks that have passed, in order.
private final class Passed: Sendable {
  private let state = Mutex<[Int]>([])
  var numbers: [Int] { state.withLock { $0 } }

  func append(_ number: Int) { state.withLock { $0.append(number) } }
}

/// A decoder for one picture at a time.
private struct QueueingDecoder: ImageDecoder {
  let gate = Gate(limit: 1)

  func decode(_ request: DecodeRequest) async throws -> DecodedImage {
    try await gate.pass { try await InProcessDecoder().decode(request) }
  }

  func header(_ request: DecodeRequest) async throws -> ImageHeader {
    try await gate.pass { try await InProcessDecoder().header(request) }
  }

  func stop() async {}
}

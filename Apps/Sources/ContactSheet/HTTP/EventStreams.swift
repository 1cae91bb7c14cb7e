import AsyncAlgorithms
import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird
import LiveLists
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Answers with server-sent events: of one list, or of several in one stream, each event named by its list.
///
/// The events of a list are the same bytes for all readers, encoded and compressed once. In a stream of several, a line
/// goes before each that says which list it is of.
///
/// The first event of a list may be the whole of it, and another one for each reader. So a stream's lists begin one after the
/// other, each when the first event of the one before has been taken, and within a budget.
struct EventStreams: Sendable {
  /// The most lists that may come in one stream.
  static let maximumLists = 64
  /// The memory that following a list takes, events aside.
  static let memoryPerList = 8 << 10
  /// The longest silence of a stream, also while a list is being read.
  static let heartbeat: Duration = .seconds(5)

  let library: PhotoLibrary
  let lists: SharedLists
  private let budget: MemoryBudget
  private let parts = EventParts()

  /// - Parameter budget: The memory that events take together until they have been taken.
  init(library: PhotoLibrary, lists: SharedLists, budget: MemoryBudget = MemoryBudget(limit: 32 << 20)) {
    self.library = library
    self.lists = lists
    self.budget = budget
  }

  /// Something to be written: an event of a list, or a sign of life.
  struct Event: Sendable {
    var bytes: [UInt8]
    /// The position of its list among those of the stream.
    var index: Int?
    /// Its resources until it has been written.
    var hold: EventHold?
  }

  /// Follows one list, in the format of a list's own stream.
  func answer(_ list: StreamedList, to request: Request, from context: WebContext) -> Response {
    answer([list], named: false, request, context)
  }

  /// Follows several lists; events are named by the position of their list.
  ///
  /// - Parameter share: Memory that is held until the stream ends.
  func answer(
    _ lists: [StreamedList], to request: Request, from context: WebContext, holding share: AnswerShare
  ) -> Response {
    answer(lists, named: true, request, context, share)
  }

  private func answer(
    _ wanted: [StreamedList], named: Bool, _ request: Request, _ context: WebContext,
    _ share: AnswerShare? = nil
  ) -> Response {
    let isCompressed = request.takesGzip
    var headers: HTTPFields = [
      .contentType: "text/event-stream", .cacheControl: "no-store", .vary: "Accept-Encoding",
      .xAccelBuffering: "no",
    ]
    if isCompressed { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        var writer = EventWriter(PacedWriter(writer, to: context.channel), parts: isCompressed ? parts : nil)
        try await pass(wanted, named: named, on: &writer, request, context.address)
        try await writer.finish()
        withExtendedLifetime(share) {}
      })
  }

  /// Writes events as fast as the reader takes them, until it hangs up, the server stops, or all lists have ended.
  private func pass(
    _ wanted: [StreamedList], named: Bool, on writer: inout EventWriter, _ request: Request, _ address: String
  ) async throws {
    let beginning = EventTurns(budget: budget, owner: address)
    let channel = AsyncChannel<Event>()
    let sending = Task {
      await withTaskGroup(of: Void.self) { group in
        let beating = Task { await beat(to: channel) }
        for (index, list) in wanted.enumerated() {
          group.addTask { await follow(list, index, named: named, to: channel, beginning) }
        }
        await group.waitForAll()
        beating.cancel()
      }
      channel.finish()
    }
    defer { sending.cancel() }
    let end: @Sendable () -> Void = {
      sending.cancel()
      channel.finish()
    }
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await request.body.consumeWithInboundCloseHandler { _ in
          var answered: Set<Int> = []
          for await event in channel {
            guard let index = event.index else {
              try await writer.write(event.bytes)
              continue
            }
            defer { withExtendedLifetime(event.hold) {} }
            let isBeat = event.bytes.starts(with: Self.beatStart)
            let isFirst = answered.insert(index).inserted
            // That nothing was missed is said once; from then on the stream has a beat of its own.
            if isBeat, !isFirst { continue }
            let name = named ? Array("event: \(index)\n".utf8) : []
            try await writer.write(isBeat && named ? Self.nothingMissed : event.bytes, after: name)
          }
        } onInboundClosed: {
          end()
        }
      } onGracefulShutdown: {
        end()
      }
    } onCancel: {
      end()
    }
  }

  private func beat(to channel: AsyncChannel<Event>) async {
    let alive = ListStreamFrame.alive(every: Self.heartbeat)
    while (try? await Task.sleep(for: Self.heartbeat)) != nil { await channel.send(Event(bytes: alive)) }
  }

  /// Sends the events of one list. A list that comes with others says so where it cannot be had or has ended; otherwise
  /// the end of its stream does.
  func follow(
    _ wanted: StreamedList, _ index: Int, named: Bool, to channel: AsyncChannel<Event>, _ turns: EventTurns
  ) async {
    var failure = ContactSheetError(.busy, "The list has ended. Ask for it again.")
    do {
      guard let key = wanted.key else { throw ContactSheetError(.notFound, "There is no such list.") }
      if named, let albumID = key.albumID, try await library.album(albumID) == nil {
        throw ContactSheetError(.notFound, "There is no such album. It may have been deleted.")
      }
      // To read an album of a million takes a while. A page that has nothing sees its first photos meanwhile.
      async let entering = lists.enter(key)
      if wanted.version == nil, let window = wanted.window, await !lists.isReady(key),
        let hold = try? await turns.next(), let opening = try? await library.opening(key, window)
      {
        if (try? await hold.resize(to: opening.serverSentEvent.count)) != nil {
          await channel.send(Event(bytes: opening.serverSentEvent, index: index, hold: hold))
        }
      }
      let list = try await entering
      do {
        try await send(list, wanted, index, to: channel, turns)
      } catch {
        await lists.leave(key)
        throw error
      }
      await lists.leave(key)
    } catch let error as ContactSheetError {
      failure = error
    } catch  where Task.isCancelled || error is CancellationError {
      // The reader has hung up: no fault of the server's.
      library.logger.debug("A reader left before its list was read")
    } catch {
      library.logger.error("A list cannot be read", metadata: ["error": "\(error)"])
    }
    guard named, !Task.isCancelled else { return }
    await channel.send(Event(bytes: Self.event(failure), index: index))
  }

  /// Sends the events of a list that has been read, until its reader has gone.
  ///
  /// - Throws: `ContactSheetError.Code.busy` where there is no room for the first.
  private func send(
    _ list: any LiveListing, _ wanted: StreamedList, _ index: Int, to channel: AsyncChannel<Event>,
    _ turns: EventTurns
  ) async throws {
    let first = FirstEvent(try await turns.next())
    let refusal = Mutex<(any Error)?>(nil)
    // A task of its own, which ends where the list is refused.
    let sending = Task {
      await list.send(since: wanted.version, window: wanted.window) { bytes in
        do {
          let hold = try await first.take(bytes.count, turns)
          await channel.send(Event(bytes: bytes, index: index, hold: hold))
        } catch {
          refusal.withLock { $0 = error }
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
    }
    await withTaskCancellationHandler {
      await sending.value
    } onCancel: {
      sending.cancel()
    }
    if let error = refusal.withLock({ $0 }) { throw error }
  }

  private static let beatStart = Array("event: alive".utf8)
  private static let nothingMissed = Array("data: 1\n\n".utf8)

  private static func event(_ error: ContactSheetError) -> [UInt8] {
    let details = ["error": ["code": error.code.rawValue, "message": error.message]]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = (try? encoder.encode(details)).map { Array($0) } ?? Array("{\"error\":{}}".utf8)
    return Array("data: ".utf8) + json + Array("\n\n".utf8)
  }
}

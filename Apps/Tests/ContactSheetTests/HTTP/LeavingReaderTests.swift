import AsyncAlgorithms
import Foundation
import Logging
import Synchronization
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Readers who hang up while their list is read.
@Suite struct LeavingReaderTests {
  private final class Lines: Sendable {
    let lines = Mutex<[(level: Logger.Level, text: String)]>([])
  }

  private struct Recorder: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      let text = "\(event.message) \(event.metadata ?? [:])"
      lines.lines.withLock { $0.append((event.level, text)) }
    }
  }

  @Test func aReaderWhoHasLeftPutsNoErrorIntoTheLog() async throws {
    let (folder, lines) = (try TestFolder(), Lines())
    let library = try await PhotoLibrary.open(
      folder.data, decoder: InProcessDecoder(), logger: Logger(label: "test") { _ in Recorder(lines: lines) })
    let album = try await library.createAlbum("A")
    let streams = EventStreams(library: library, lists: SharedLists(library))
    let address = "/api/albums/\(album.id.wireText)/stream"
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await streams.follow(
        StreamedList(address: address), 0, named: true, to: AsyncChannel(),
        EventTurns(budget: MemoryBudget(limit: 1 << 20), owner: "a"))
    }.value
    let errors = lines.lines.withLock { lines in lines.filter { $0.level >= .warning }.map(\.text) }
    #expect(errors.isEmpty)
    await library.close()
  }
}

import AsyncAlgorithms
import LiveLists

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Reads frames of a list until one fulfils a condition.
final class FrameReader: Sendable {
  private let channel = AsyncChannel<[UInt8]>()
  private let sending: Task<Void, Never>

  init(_ list: any LiveListing, since version: String? = nil, window: ListStreamWindow? = nil) {
    sending = Task { [channel] in
      await list.send(since: version, window: window) { await channel.send($0) }
      channel.finish()
    }
  }

  deinit { sending.cancel() }

  func frame(where condition: (String) -> Bool) async -> String? {
    for await bytes in channel {
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("data:"), condition(text) { return text }
    }
    return nil
  }
}

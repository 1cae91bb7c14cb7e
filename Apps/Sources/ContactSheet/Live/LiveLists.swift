import Foundation
import Logging

/// The lists that browsers follow at this time: made for the first reader, shared by all, let go some time
/// after the last, so that a reader who was cut off finds where it was. Albums are kept longer than searches: a long one
/// takes a while to read.
actor LiveLists {
  /// What tells lists apart.
  enum Key: Hashable, Sendable {
    /// An album in its own order.
    case album(UUID)
    /// An album by months of capture.
    case months(UUID)
    /// The photos of an album that have all these words.
    case search(UUID, [String])
    /// The albums.
    case albums

    /// The album that the list shows photos of.
    var albumID: UUID? {
      switch self {
      case .album(let id), .months(let id), .search(let id, _): id
      case .albums: nil
      }
    }
  }

  private struct Entry {
    var list: Task<any LiveListing, any Error>
    var readers = 0
    /// Counts how often the list has been taken up, so that an old farewell finds it taken up again.
    var visits = 0
  }

  private let library: PhotoLibrary
  private let linger: Duration
  private let albumLinger: Duration
  private var entries: [Key: Entry] = [:]

  /// - Parameters:
  ///   - linger: How long a list without readers is kept.
  ///   - albumLinger: How long an album in its own order is kept.
  init(_ library: PhotoLibrary, linger: Duration = .seconds(30), albumLinger: Duration = .seconds(600)) {
    self.library = library
    self.linger = linger
    self.albumLinger = albumLinger
  }

  /// How many lists are live.
  var count: Int { entries.count }

  /// Takes a list up. `leave` gives it back.
  func enter(_ key: Key) async throws -> any LiveListing {
    if entries[key] == nil {
      let library = library
      entries[key] = Entry(list: Task { try await library.makeList(key) })
    }
    entries[key]?.readers += 1
    entries[key]?.visits += 1
    guard let entry = entries[key] else { throw CancellationError() }
    do {
      return try await entry.list.value
    } catch {
      entries[key] = nil
      throw error
    }
  }

  /// Gives a list back.
  func leave(_ key: Key) {
    guard let readers = entries[key]?.readers else { return }
    entries[key]?.readers = readers - 1
    guard readers == 1, let visits = entries[key]?.visits else { return }
    let time = if case .album = key { albumLinger } else { linger }
    Task {
      try? await Task.sleep(for: time)
      await self.release(key, visits: visits)
    }
  }

  private func release(_ key: Key, visits: Int) async {
    guard let entry = entries[key], entry.readers == 0, entry.visits == visits else { return }
    entries[key] = nil
    try? await entry.list.value.finish()
  }

  /// Tells the readers of an album, or of the list of albums, of an act that changed nothing.
  func acknowledge(_ act: UUID, in albumID: UUID?) async {
    for (key, entry) in entries where key.albumID == albumID {
      try? await entry.list.value.acknowledge(act.wireText)
    }
  }
}

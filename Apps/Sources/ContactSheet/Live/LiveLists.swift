import Foundation
import ListStream
import Logging
import Snapshots

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
    /// The photos of an album that have all these words, in the album's order or by months.
    case search(UUID, [String], byMonth: Bool = false)
    /// The albums.
    case albums

    /// The album that the list shows photos of.
    var albumID: UUID? {
      switch self {
      case .album(let id), .months(let id), .search(let id, _, _): id
      case .albums: nil
      }
    }
  }

  private struct Entry {
    var list: Task<any LiveListing, any Error>
    /// Whether it has been read.
    var isReady = false
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
      let list = try await entry.list.value
      entries[key]?.isReady = true
      return list
    } catch {
      entries[key] = nil
      throw error
    }
  }

  /// Whether a list has been read and is there at once.
  func isReady(_ key: Key) -> Bool { entries[key]?.isReady == true }

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

  /// Sees to it that the readers of an album's lists, or of the list of albums, are told of an act that was carried
  /// out, whether it changed what they see or not.
  func settle(_ act: UUID, in albumID: UUID?) async {
    for (key, entry) in entries where key.albumID == albumID {
      try? await entry.list.value.settle(act.wireText)
    }
  }

  /// The photos that one of an album's lists had at a version; `nil` where no list can tell.
  func photos(at version: ListStreamVersion, in albumID: UUID) async -> DiffableSnapshot<String, UUID>? {
    for (key, entry) in entries where key.albumID == albumID {
      if let photos = try? await entry.list.value.items(at: version) { return photos }
    }
    return nil
  }
}

import ContactSheetLibrary
import Foundation
import LiveLists
import Logging

/// The lists that browsers follow at this time: made for the first reader, shared by all, let go some time
/// after the last, so that a reader who was cut off finds where it was. Albums are kept longer than searches: a long one
/// takes a while to read.
actor SharedLists {
  /// The key of a list.
  enum Key: Hashable, Sendable {
    /// An album in its own order.
    case album(UUID)
    /// An album by months of capture.
    case months(UUID, MonthOrder = .newestLast)
    /// The photos of an album that have all these words, in the album's order or by months.
    case search(UUID, [String], byMonth: MonthOrder? = nil)
    /// The photos of all albums that have all these words, the newest first.
    case found([String])
    /// The albums.
    case albums
    /// The photos in the trash, of all albums, those that were deleted last first.
    case trash

    /// The album that the list shows photos of; `nil` for the lists of the whole library, whose mutations are in no album.
    var albumID: UUID? {
      switch self {
      case .album(let id), .months(let id, _), .search(let id, _, _): id
      case .found, .albums, .trash: nil
      }
    }
  }

  /// The order of months, and of the photos in each.
  enum MonthOrder: String, Hashable, Sendable, CaseIterable {
    case newestLast = "month"
    case newestFirst = "month-newest"
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
  private let capacity: Int
  private var entries: [Key: Entry] = [:]

  /// - Parameters:
  ///   - linger: How long a list without readers is kept.
  ///   - albumLinger: How long an album in its own order is kept.
  ///   - capacity: How many lists there may be: each takes memory for every photo in it, and searches are as many as somebody likes.
  init(
    _ library: PhotoLibrary, linger: Duration = .seconds(30), albumLinger: Duration = .seconds(600),
    capacity: Int = 256
  ) {
    self.capacity = capacity
    self.library = library
    self.linger = linger
    self.albumLinger = albumLinger
  }

  /// How many lists are live.
  var count: Int { entries.count }

  /// Takes a list up. `leave` gives it back.
  ///
  /// - Throws: `ContactSheetError.Code.busy` where as many lists as there may be have readers.
  func enter(_ key: Key) async throws -> any LiveListing {
    if entries[key] == nil {
      try makeRoom()
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

  /// Lets go of a list without readers where there are as many lists as there may be.
  private func makeRoom() throws {
    guard entries.count >= capacity else { return }
    guard let unread = entries.first(where: { $0.value.readers == 0 }) else {
      throw ContactSheetError(
        .busy, "As many lists are shown at the moment as ContactSheet has memory for. Try again in a minute.")
    }
    entries[unread.key] = nil
    Task { try? await unread.value.list.value.finish() }
  }

  private func release(_ key: Key, visits: Int) async {
    guard let entry = entries[key], entry.readers == 0, entry.visits == visits else { return }
    entries[key] = nil
    try? await entry.list.value.finish()
  }

  /// Sees to it that the readers of an album's lists, or of the library's, receive a mutation that was carried
  /// out, whether it changed what they see or not.
  func acknowledge(_ mutationID: UUID, in albumID: UUID?) async {
    for (key, entry) in entries where key.albumID == albumID {
      try? await entry.list.value.acknowledge(mutationID.wireText)
    }
  }

  /// The photos that one of an album's lists, or of the library's, had at a version; `nil` where no list knows it.
  func photos(at version: ListStreamVersion, in albumID: UUID?) async -> DiffableSnapshot<
    FetchSectionID, UUID
  >? {
    for (key, entry) in entries where key.albumID == albumID {
      if let photos = try? await entry.list.value.items(at: version) { return photos }
    }
    return nil
  }
}

import ContactSheetLibrary
import Foundation
import LiveLists

extension PhotoLibrary {
  /// Makes the live list of a key, which names the newest mutations that it has with its first snapshot.
  func makeList(_ key: SharedLists.Key) async throws -> any LiveListing {
    // Read before the list is, so that it has what they changed. Readers may wait for them: their answers came while nobody
    // followed the list, or from the process before.
    let mutationIDs = try await recentMutationIDs(in: key.albumID)
    switch key {
    case .album(let albumID):
      return try await livePhotos(shown(in: albumID).ordered(by: .ascending(\.rank)), mutationIDs)
    case .months(let albumID, let order):
      return try await livePhotos(byMonth(shown(in: albumID), order), mutationIDs)
    case .search(let albumID, let words, byMonth: nil):
      return try await livePhotos(found(words, in: albumID).ordered(by: .ascending(\.rank)), mutationIDs)
    case .search(let albumID, let words, byMonth: let order?):
      return try await livePhotos(byMonth(found(words, in: albumID), order), mutationIDs)
    case .found(let words):
      return try await ServedList(
        with(words, FetchDescriptor<Photo>().filter(#Predicate { $0.trashedDate == nil }))
          .ordered(by: .descending(\.captureDate, nulls: .last), .ascending(\.rank)),
        in: records.store, recentMutationIDs: mutationIDs, logger: logger
      ) { FoundContent($0) }
    case .trash:
      let (days, since) = (settings.trashDays, try await records.read { try TrashRule.since($0) })
      return try await ServedList(
        FetchDescriptor<Photo>().filter(#Predicate { $0.trashedDate != nil })
          .ordered(by: .descending(\.trashedDate)),
        in: records.store, recentMutationIDs: mutationIDs, logger: logger
      ) { TrashContent($0, since: since, days: days) }
    case .albums:
      return try await ServedList(
        FetchDescriptor<Album>().filter(#Predicate { $0.deletedDate == nil }).ordered(by: .ascending(\.rank)),
        in: records.store, recentMutationIDs: mutationIDs, logger: logger
      ) { AlbumContent($0) }
    }
  }

  /// Returns the frame that shows a window of a long album before its list has been read.
  ///
  /// - Returns: `nil` for lists that are read quickly, and for those of which some rows are no faster to be had than all.
  func opening(_ key: SharedLists.Key, _ window: ListStreamWindow) async throws -> ListStreamFrame? {
    let options = ListStreamOptions()
    guard case .album(let id) = key, let album = try await album(id),
      album.photoCount > options.maximumWholeList
    else { return nil }
    let from = min(window.from, album.photoCount)
    let photos = try await photos(in: id, from: from, count: min(window.count, options.maximumRange))
    return try .opening(
      count: album.photoCount, from: from, items: photos.map { ($0.id.wireText, PhotoContent($0)) })
  }

  private func livePhotos(_ request: FetchDescriptor<Photo>, _ mutationIDs: [UUID]) async throws
    -> any LiveListing
  {
    try await ServedList(request, in: records.store, recentMutationIDs: mutationIDs, logger: logger) {
      PhotoContent($0)
    }
  }

  private func byMonth(
    _ request: FetchDescriptor<Photo>, _ order: SharedLists.MonthOrder
  ) -> FetchDescriptor<Photo> {
    let months = request.sectioned(by: .month(\.captureDate))
    return switch order {
    case .newestLast: months.ordered(by: .ascending(\.captureDate, nulls: .last), .ascending(\.rank))
    case .newestFirst: months.ordered(by: .descending(\.captureDate, nulls: .last), .ascending(\.rank))
    }
  }

  private func shown(in albumID: UUID) -> FetchDescriptor<Photo> {
    FetchDescriptor<Photo>().filter(#Predicate { $0.albumID == albumID && $0.trashedDate == nil })
  }

  private func found(_ words: [String], in albumID: UUID) -> FetchDescriptor<Photo> {
    with(words, shown(in: albumID))
  }

  /// Photos that have every word somewhere in their title, file name or date, case and accents aside.
  private func with(_ words: [String], _ request: FetchDescriptor<Photo>) -> FetchDescriptor<Photo> {
    words.reduce(request) { request, word in
      request.filter(
        #Predicate {
          $0.title.localizedStandardContains(word) || $0.fileName.localizedStandardContains(word)
            || $0.dateText.localizedStandardContains(word)
        })
    }
  }
}

import Foundation
import LiveFetch

extension PhotoLibrary {
  /// Makes the live list of a key.
  func makeList(_ key: LiveLists.Key) async throws -> any LiveListing {
    switch key {
    case .album(let albumID):
      try await livePhotos(shown(in: albumID).ordered(by: .ascending(\.rank)))
    case .months(let albumID):
      try await livePhotos(
        shown(in: albumID).sectioned(by: .month(\.captureDate))
          .ordered(by: .ascending(\.captureDate, nulls: .last), .ascending(\.rank)))
    case .search(let albumID, let words):
      try await livePhotos(found(words, in: albumID).ordered(by: .ascending(\.rank)))
    case .albums:
      try await LiveList(
        FetchDescriptor<Album>().filter(#Predicate { $0.deletedDate == nil }).ordered(by: .ascending(\.rank)),
        in: records.store, logger: logger
      ) { AlbumContent($0) }
    }
  }

  private func livePhotos(_ request: FetchDescriptor<Photo>) async throws -> any LiveListing {
    try await LiveList(request, in: records.store, logger: logger) { PhotoContent($0) }
  }

  private func shown(in albumID: UUID) -> FetchDescriptor<Photo> {
    FetchDescriptor<Photo>().filter(#Predicate { $0.albumID == albumID && $0.trashedDate == nil })
  }

  /// Photos that have every word somewhere in their title, file name or date, case and accents aside.
  private func found(_ words: [String], in albumID: UUID) -> FetchDescriptor<Photo> {
    words.reduce(shown(in: albumID)) { request, word in
      request.filter(
        #Predicate {
          $0.title.localizedStandardContains(word) || $0.fileName.localizedStandardContains(word)
            || $0.dateText.localizedStandardContains(word)
        })
    }
  }
}

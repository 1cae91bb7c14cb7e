import Foundation
import LiveFetch

extension PhotoLibrary {
  /// The photos of an album in its order, live.
  func livePhotos(of albumID: UUID) async throws -> any LiveListing {
    let request = FetchDescriptor<Photo>()
      .filter(#Predicate { $0.albumID == albumID })
      .ordered(by: .ascending(\.rank))
    return try await LiveList(request, in: records.store, logger: logger) { PhotoContent($0) }
  }
}

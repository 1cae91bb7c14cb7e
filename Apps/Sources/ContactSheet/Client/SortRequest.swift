import ContactSheetLibrary
import Foundation

/// An order for a whole album, as pages and commands send it: by a key, or as the photos are named.
struct SortRequest: Codable {
  var mutationID: UUID
  var by: String?
  var ids: [UUID]?
  var hashes: [String]?
  var reversed: Bool?

  private enum CodingKeys: String, CodingKey {
    case mutationID = "act"
    case by, ids, hashes, reversed
  }

  init(_ order: PhotoOrder, reversed: Bool) {
    mutationID = UUID()
    self.reversed = reversed
    switch order {
    case .by(let key): by = key.rawValue
    case .reversed: by = "reversed"
    case .ids(let ids): self.ids = ids
    case .hashes(let hashes): self.hashes = hashes
    }
  }

  /// The order that is meant.
  var order: PhotoOrder {
    get throws {
      switch (by, ids, hashes) {
      case ("reversed"?, nil, nil): return .reversed
      case (let by?, nil, nil):
        guard let key = PhotoOrder.Key(rawValue: by) else {
          let keys = PhotoOrder.Key.allCases.map(\.rawValue).joined(separator: ", ")
          throw ContactSheetError(
            .badRequest, "Photos cannot be ordered by “\(by)”, but by \(keys) and reversed.")
        }
        return .by(key)
      case (nil, let ids?, nil): return .ids(ids)
      case (nil, nil, let hashes?): return .hashes(hashes)
      default: throw ContactSheetError(.badRequest, "An order has one of “by”, “ids” and “hashes”.")
      }
    }
  }
}

/// The answer to the request.
struct SortAnswer: Codable {
  /// How many photos moved.
  var moved: Int
}

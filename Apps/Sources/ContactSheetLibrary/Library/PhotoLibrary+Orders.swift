package import Foundation
import LiveLists

/// An order that a whole album can be brought into.
package enum PhotoOrder: Sendable, Hashable {
  /// A property by which photos can be ordered.
  package enum Key: String, Sendable, Hashable, Codable, CaseIterable {
    /// When they were taken; those without a date follow.
    case date
    /// By title, numbers by their value, case and accents aside.
    case title
    /// By the file's name, in the same way.
    case name
    /// When they came in.
    case imported
  }

  /// By a key; photos that are alike stay as they are.
  case by(Key)
  /// The present order from its end.
  case reversed
  /// These photos first, in this order; those that are not named follow as they are.
  case ids([UUID])
  /// The photos with these contents first, by their SHA-256.
  case hashes([String])
}

extension PhotoLibrary {
  /// Brings an album into an order, in one transaction that can be undone. As few photos as can be are written:
  /// those that are in order among themselves already keep their ranks.
  ///
  /// - Parameters:
  ///   - albumID: The album.
  ///   - order: The order.
  ///   - reversed: Whether the order is turned around.
  ///   - mutationID: The identifier of the mutation; one that was performed already does nothing.
  /// - Returns: How many photos moved.
  /// - Complexity: O(n log n) time; n − (longest run of photos that stay) rows written.
  @discardableResult
  package func sort(
    _ albumID: Album.ID, by order: PhotoOrder, reversed: Bool = false, mutationID: UUID
  ) async throws -> Int {
    try await records.write(origin: mutationID.wireText) { db in
      guard try Self.album(albumID, db) != nil else { throw Self.noSuchAlbum }
      if try Mutations.begin(mutationID, in: albumID, db) != nil {
        return try Mutations.before(mutationID, db)?.count ?? 0
      }
      let photos = try Self.photos(in: albumID, db)
      var wanted = order.indexes(of: photos)
      if reversed { wanted.reverse() }
      let moves = FewestMoves.moves(ranks: photos.map(\.rank), wanted: wanted)
      try PhotoSelection.ids(moves.map { photos[$0.index].id }).remember(of: mutationID, in: albumID, db)
      let update = try db.makeStatement(sql: "UPDATE photo SET rank = ? WHERE id = ?")
      for move in moves { try update.execute(arguments: [move.rank, photos[move.index].id]) }
      return moves.count
    }
  }
}

extension PhotoOrder {
  /// The indexes of photos in the present order, in the order that is wanted.
  func indexes(of photos: [Photo]) -> [Int] {
    switch self {
    case .reversed: return photos.indices.reversed()
    case .by(.date): return Self.sorted(photos) { $0.captureDate?.microseconds ?? .max }
    case .by(.imported): return Self.sorted(photos) { $0.importedDate.microseconds }
    case .by(.title): return Self.sortedNaturally(photos.map(\.title))
    case .by(.name): return Self.sortedNaturally(photos.map(\.fileName))
    case .ids(let ids): return Self.first(ids, of: photos.map(\.id))
    case .hashes(let hashes): return Self.first(hashes, of: photos.map(\.contentHash))
    }
  }

  /// Stable: what is alike stays as it is.
  private static func sorted(_ photos: [Photo], by key: (Photo) -> Int64) -> [Int] {
    photos.indices.sorted { (key(photos[$0]), $0) < (key(photos[$1]), $1) }
  }

  private static func sortedNaturally(_ texts: [String]) -> [Int] {
    let keys = texts.map { text in
      NaturalOrder.Key(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
    }
    return texts.indices.sorted { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
  }

  private static func first<Name: Hashable>(_ names: [Name], of all: [Name]) -> [Int] {
    let indexes = Dictionary(zip(all, all.indices), uniquingKeysWith: { first, _ in first })
    let named = names.uniqued().compactMap { indexes[$0] }
    let isNamed = Set(named)
    return named + all.indices.filter { !isNamed.contains($0) }
  }
}

/// The fewest new ranks that bring a list into an order.
enum FewestMoves {
  /// A photo that gets another rank.
  struct Move: Equatable {
    /// Its index in the present order.
    var index: Int
    var rank: Rank
  }

  /// The photos that have to move, with their ranks.
  ///
  /// The longest run of photos that are in the wanted order already stays; between each two of them the others
  /// get ranks. Where there is no room between two ranks, as between equal ones, the whole list is ranked anew.
  ///
  /// - Parameters:
  ///   - ranks: The present ranks, in the present order.
  ///   - wanted: The indexes in the present order, in the order that is wanted; each once.
  static func moves(ranks: [Rank], wanted: [Int]) -> [Move] {
    let stays = increasingSubsequence(wanted)
    guard stays.count < wanted.count else { return [] }
    if let moves = try? moves(ranks, wanted, staying: stays) { return moves }
    guard let fresh = try? Rank.between(nil, nil, count: wanted.count) else { return [] }
    return zip(wanted, fresh).filter { ranks[$0] != $1 }.map { Move(index: $0, rank: $1) }
  }

  private static func moves(_ ranks: [Rank], _ wanted: [Int], staying stays: [Int]) throws -> [Move] {
    var moves: [Move] = []
    var lower: Rank?
    var at = 0
    for stay in stays + [wanted.count] {
      let upper = stay < wanted.count ? ranks[wanted[stay]] : nil
      let gap = wanted[at..<stay]
      let placed = try Rank.between(lower, upper, count: gap.count)
      guard placed.allSatisfy({ $0.bytes.count <= Rank.maximumLength }) else { throw RankError.crowded }
      moves += zip(gap, placed).map { Move(index: $0, rank: $1) }
      lower = upper
      at = stay + 1
    }
    return moves
  }

  /// Where the longest rising run of numbers stands, not necessarily side by side.
  ///
  /// - Complexity: O(n log n).
  static func increasingSubsequence(_ numbers: [Int]) -> [Int] {
    var ends: [Int] = []  // ends[k]: where the run of k + 1 numbers with the smallest end ends
    var previous = [Int](repeating: -1, count: numbers.count)
    for (at, number) in numbers.enumerated() {
      let low = ends.indices.partitionPoint { numbers[ends[$0]] < number }
      previous[at] = low > 0 ? ends[low - 1] : -1
      if low == ends.count { ends.append(at) } else { ends[low] = at }
    }
    var run: [Int] = []
    var at = ends.last ?? -1
    while at >= 0 {
      run.append(at)
      at = previous[at]
    }
    return run.reversed()
  }
}

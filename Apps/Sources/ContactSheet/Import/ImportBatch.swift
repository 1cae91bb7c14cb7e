public import Foundation
import Synchronization

/// The photos that came in together, in the order of their capture dates: they arrive at the end of the album,
/// and among themselves in that order, whichever is ready first.
public final class ImportBatch: Sendable {
  /// What a photo of the batch is ordered by.
  struct Key: Sendable, Comparable {
    /// Photos without a date follow those with one.
    var captureDate: Int64
    var fileName: String
    var id: UUID

    static func < (lhs: Key, rhs: Key) -> Bool {
      if lhs.captureDate != rhs.captureDate { return lhs.captureDate < rhs.captureDate }
      if lhs.fileName != rhs.fileName { return NaturalOrder.precedes(lhs.fileName, rhs.fileName) }
      return lhs.id.uuidString < rhs.id.uuidString
    }
  }

  private let keys = Mutex<[Key]>([])

  /// Creates an empty batch.
  public init() {}

  /// The photos of the batch nearest to a key: those before it, nearest first, and those after it.
  func neighbors(of key: Key) -> (before: ReversedCollection<ArraySlice<Key>>, after: ArraySlice<Key>) {
    let keys = keys.withLock { $0 }
    let place = Self.place(of: key, in: keys)
    return (keys[..<place].reversed(), keys[place...])
  }

  /// Adds a photo that has been stored.
  func insert(_ key: Key) {
    keys.withLock { keys in keys.insert(key, at: Self.place(of: key, in: keys)) }
  }

  private static func place(of key: Key, in keys: [Key]) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The order in which people expect numbered files: `IMG_9` before `IMG_10`.
enum NaturalOrder {
  static func precedes(_ lhs: String, _ rhs: String) -> Bool {
    let (a, b) = (parts(lhs), parts(rhs))
    for (x, y) in zip(a, b) where x != y {
      switch (x, y) {
      case (.number(let p), .number(let q)):
        if p.count != q.count { return p.count < q.count }
        if p != q { return p < q }
      case (.number, .text): return true
      case (.text, .number): return false
      case (.text(let p), .text(let q)): return p < q
      }
    }
    if a.count != b.count { return a.count < b.count }
    return Array(lhs.utf8).lexicographicallyPrecedes(Array(rhs.utf8))
  }

  private enum Part: Equatable {
    /// Digits without leading zeros, of any length.
    case number(String)
    case text(String)
  }

  private static func parts(_ text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text.lowercased()[...]
    while let first = rest.first {
      let isNumber = first.isASCII && first.isNumber
      let run = rest.prefix { ($0.isASCII && $0.isNumber) == isNumber }
      rest = rest[run.endIndex...]
      parts.append(isNumber ? .number(String(run.drop { $0 == "0" })) : .text(String(run)))
    }
    return parts
  }
}

import Synchronization

/// The conditions of stored originals, each read at most once. They hold for as long as nobody else writes to the folder.
final class OriginalConditions: Sendable {
  private struct State {
    var known: [ContentHash: OriginalStore.Condition] = [:]
    var measures: [ContentHash: OriginalStore.Measures] = [:]
    var readCount = 0
  }

  private let folder: DataFolder
  private let state = Mutex(State())

  init(_ folder: DataFolder) { self.folder = folder }

  /// The number of originals that were read.
  var readCount: Int { state.withLock { $0.readCount } }

  /// Returns whether the file of an original is there and has its content.
  ///
  /// - Complexity: reads the file, at the first time.
  func condition(of hash: ContentHash) async throws -> OriginalStore.Condition {
    if let known = state.withLock({ $0.known[hash] }) { return known }
    let path = folder.original(hash)
    let (found, measures): (OriginalStore.Condition, OriginalStore.Measures?) = try await blocking {
      if let obstacle = OriginalStore.obstacle(path) { return (obstacle, nil) }
      let measures = try? OriginalStore.measure(path)
      return measures?.hash == hash ? (.whole, measures) : (.damaged, nil)
    }
    state.withLock { state in
      state.known[hash] = found
      state.measures[hash] = measures
      state.readCount += found == .missing || found == .unreadable ? 0 : 1
    }
    return found
  }

  /// The size and checksum of an original that was read and is whole.
  func measures(of hash: ContentHash) -> OriginalStore.Measures? { state.withLock { $0.measures[hash] } }

  /// Remembers that a file with this content was stored.
  func noteStored(_ hash: ContentHash) { state.withLock { $0.known[hash] = .whole } }
}

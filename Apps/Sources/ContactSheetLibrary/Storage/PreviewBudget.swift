import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps the previews of a data folder within a part of the disk. What was not looked at for longest is removed first, and made
/// again when it is wanted.
///
/// When a preview was last used is the time of its file, so that it is known after a restart, and needs no database.
final class PreviewBudget: Sendable {
  /// How much of a disk is left to photos: where there is less, no previews are kept ahead, in bytes.
  static let spared = 256 << 20
  /// How old a note of use may become before it is made again, in seconds.
  private static let noteAge: Int64 = 60

  private let folder: DataFolder
  private let bytes: Int
  /// The bytes of all previews, as far as is known; `nil` before they were counted.
  private let taken = Mutex<Int?>(nil)

  /// - Parameters:
  ///   - folder: The data folder.
  ///   - bytes: What its previews may take together.
  init(_ folder: DataFolder, bytes: Int) {
    self.folder = folder
    self.bytes = bytes
  }

  /// A Boolean value that indicates whether the disk has room for previews that nobody has asked for yet. Asks the system.
  var hasRoom: Bool { Files.hasRoom(folder.previews, bytes: Self.spared, files: 64) }

  /// Notes that a preview is being used, so that it is not the next to go. Blocks.
  func use(_ path: String) {
    guard let stamp = Files.stamp(path), Int64(time(nil)) - stamp.seconds > Self.noteAge else { return }
    _ = utimes(path, nil)
  }

  /// Counts a preview that has been made, and makes room where all together are too large. Blocks.
  ///
  /// - Complexity: O(1) as a rule; O(*n* log *n*) in the previews, once for a tenth of the budget that was added.
  func add(_ path: String) {
    let size = Files.size(path) ?? 0
    taken.withLock { taken in
      let sum = taken.map { $0 + size }
      // The sum does not know what other processes removed; where it is beyond the budget, the files are counted anew.
      taken = sum.map { $0 <= bytes } == true ? sum : prune(sparing: path)
    }
  }

  /// Removes previews until nine tenths of the budget are left, where there are more than it allows.
  ///
  /// - Returns: The bytes of those that are left.
  private func prune(sparing spared: String) -> Int {
    let previews = Files.tree(folder.previews).compactMap { name in
      let path = "\(folder.previews)/\(name)"
      return Files.stamp(path).map { (path: path, stamp: $0) }
    }
    var left = previews.reduce(0) { $0 + Int($1.stamp.size) }
    guard left > bytes else { return left }
    let byUse = previews.sorted {
      ($0.stamp.seconds, $0.stamp.nanoseconds) < ($1.stamp.seconds, $1.stamp.nanoseconds)
    }
    for preview in byUse where left > bytes / 10 * 9 && !preview.path.isExactly(spared) {
      if (try? Files.remove(preview.path)) != nil { left -= Int(preview.stamp.size) }
    }
    return left
  }
}

internal import HashTreeCollections

/// The labels of sections by their numbers. Not inlinable, so that the dictionary is compiled once, and not in each module that edits
/// snapshots.
@usableFromInline
struct SectionLabels: Sendable {
  private var labels: TreeDictionary<UInt32, UInt64> = [:]

  @usableFromInline
  init() {}

  /// Creates the table of sections, each with a number of its own.
  @usableFromInline
  init(_ labels: [(UInt32, UInt64)]) { self.labels = TreeDictionary(uniqueKeysWithValues: labels) }

  @usableFromInline var count: Int { labels.count }

  @usableFromInline
  subscript(number: UInt32) -> UInt64? {
    get { labels[number] }
    set { labels[number] = newValue }
  }
}

internal import Foundation

extension ListStreamFrame {
  /// Returns a snapshot for a reader that is to see something of a long list before the list has been read: the number of
  /// items, and some of them.
  ///
  /// Send it ahead of the frames of a ``ListStreamTarget``, to a reader that asked for a window and has no version. It is
  /// of an epoch of its own that nothing leads on from; the target's first frame is a snapshot, which replaces it.
  ///
  /// - Parameters:
  ///   - section: The name of the list's one section.
  ///   - count: How many items there are.
  ///   - from: The position of the first of those that are named.
  ///   - items: Their names and contents, in order.
  /// - Throws: What encoding a content throws.
  public static func opening<Content: Encodable>(
    section: String = "", count: Int, from: Int, items: [(name: String, content: Content)]
  ) throws -> ListStreamFrame {
    let contentEncoder = JSONEncoder()
    contentEncoder.dateEncodingStrategy = .iso8601
    contentEncoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var contents: [String: [UInt8]] = [:]
    for item in items { contents[item.name] = Array(try contentEncoder.encode(item.content)) }
    let encoder = FrameEncoder<String, String>(
      epoch: ListStreamVersion.makeEpoch(), sectionName: { $0 }, itemName: { $0 })
    let rows = WindowRows<String, String>(
      section: section, count: max(count, from + items.count), from: from, items: items.map(\.name))
    return encoder.countedFrame(.snapshot, rows, sequence: 0, mutationIDs: [], contents: contents)
  }
}

import Synchronization

/// Events as parts of a gzip stream, made once for all readers who are sent the same ones.
///
/// A compressor for each reader would do the same work a thousand times, and hold a quarter of a megabyte for each. So
/// every event is compressed by itself, refers to none before it, and readers get the same parts one after the other.
final class EventParts: Sendable {
  private struct Entry {
    let event: [UInt8]
    let part: [UInt8]
  }

  /// Events that are no longer go out as they are: a change of a few items is smaller than a packet anyway.
  static let shortest = 1024
  /// How many parts are kept: as many as there may be lists whose readers are all sent something at the same time.
  private static let kept = 8

  /// The parts that were compressed last, the newest at the end.
  private let recent = Mutex<(entries: [Entry], made: Int)>(([], 0))

  /// How many events have been compressed.
  var made: Int { recent.withLock { $0.made } }

  /// The part of a gzip stream that stands for an event.
  func part(of event: [UInt8]) -> [UInt8] {
    guard event.count > Self.shortest else { return Self.stored(event) }
    // Made under the lock: who comes for the same event meanwhile would do the same work.
    return recent.withLock { state in
      if let entry = state.entries.last(where: { Self.areSame($0.event, event) }) { return entry.part }
      guard let part = Compression.deflatePart(event) else { return Self.stored(event) }
      state.made += 1
      if state.entries.count == Self.kept { state.entries.removeFirst() }
      state.entries.append(Entry(event: event, part: part))
      return part
    }
  }

  /// Whether these are the very same bytes in memory. What is kept is not freed, so no others can be there.
  private static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        one.baseAddress == other.baseAddress && one.count == other.count
      }
    }
  }

  /// The bytes in blocks that are not compressed, each of at most 65,535.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var part: [UInt8] = []
    part.reserveCapacity(bytes.count + 5 * (bytes.count / 0xFFFF + 1))
    var rest = bytes[...]
    while !rest.isEmpty {
      let block = rest.prefix(0xFFFF)
      let count = UInt16(block.count)
      part.append(0)
      for number in [count, ~count] { part += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
      part += block
      rest = rest.dropFirst(block.count)
    }
    return part
  }
}

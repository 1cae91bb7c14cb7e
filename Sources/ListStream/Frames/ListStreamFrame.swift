/// One frame of a list stream, encoded once for all who read it.
///
/// Frames are specified in `Documentation/Frames.md`.
public struct ListStreamFrame: Sendable, Hashable {
  /// The kind of a frame.
  public enum Kind: String, Sendable, Hashable {
    /// The whole list.
    case snapshot
    /// The changes from one state to the next.
    case change
    /// Trouble of the list's source, or its end.
    case failure
    /// Some rows of a long list, as the answer to a reader that asked for them. It is never part of a stream.
    case range
  }

  /// The kind of the frame.
  public let kind: Kind
  /// The version that the reader has after it took the frame; `nil` for a failure before the first snapshot.
  public let version: ListStreamVersion?
  /// The frame as a server-sent event, to be written as it is.
  public let serverSentEvent: [UInt8]
  private let jsonRange: Range<Int>

  init(kind: Kind, version: ListStreamVersion?, json: [UInt8]) {
    self.kind = kind
    self.version = version
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count + 96)
    // A failure leads to no version of its own.
    if let version, kind != .failure {
      bytes += "id: \(version)\n".utf8
    }
    bytes += "data: ".utf8
    let start = bytes.count
    bytes += json
    jsonRange = start..<bytes.count
    bytes += "\n\n".utf8
    serverSentEvent = bytes
  }

  /// The frame as JSON in UTF-8.
  ///
  /// - Complexity: O(1).
  public var json: ArraySlice<UInt8> { serverSentEvent[jsonRange] }

  /// The heartbeat of a stream that has nothing to say, as a server-sent event. It does not say when the next one comes.
  public static let alive: [UInt8] = Array("event: alive\ndata: 1\n\n".utf8)

  /// The heartbeat of a stream that is never silent for longer than `interval`, as a server-sent event.
  ///
  /// Readers open a stream anew after 2.4 intervals of silence, and after 40 seconds where they know no interval.
  ///
  /// - Parameter interval: The longest silence; it is rounded up to whole seconds, and to 2 seconds at least.
  /// - Returns: The event's bytes.
  public static func alive(every interval: Duration) -> [UInt8] {
    let (seconds, attoseconds) = interval.components
    // 1 is the data of `alive`, which names no interval.
    return Array("event: alive\ndata: \(max(2, seconds + (attoseconds > 0 ? 1 : 0)))\n\n".utf8)
  }
}

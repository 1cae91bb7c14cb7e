internal import Foundation
public import Snapshots

/// A remote list as a reader has it: give it the frames in the order of their arrival.
///
/// It is the reference of what `Documentation/Frames.md` asks of a reader, and good for programs that show a list from
/// elsewhere: ``snapshot`` goes to a data source of theirs.
public struct ListStreamReplica: Sendable {
  /// What became of a frame.
  public enum Outcome: Sendable, Hashable {
    /// It was carried out. `acts` are the user's acts that are done by it.
    case applied(acts: [String])
    /// The reader had it already, or does not know its kind.
    case ignored
    /// It does not fit what the reader has: open the stream anew, without a version. The list is as it was.
    case resync
    /// It is of another format. The program has to be updated.
    case unsupported
  }

  /// The list.
  public private(set) var snapshot = DiffableSnapshot<String, String>()
  /// The contents of its items.
  public private(set) var contents: [String: JSONValue] = [:]
  /// The version, or `nil` before the first snapshot.
  public private(set) var version: ListStreamVersion?
  /// The trouble that the list's source has, in words for people.
  public private(set) var failureMessage: String?

  /// Creates a reader that has nothing.
  public init() {}

  /// Creates a reader that has a list already, for example from before the program was closed.
  public init(
    snapshot: DiffableSnapshot<String, String>, contents: [String: JSONValue], version: ListStreamVersion
  ) {
    self.snapshot = snapshot
    self.contents = contents
    self.version = version
  }

  /// Takes a frame.
  ///
  /// - Parameter json: The frame in UTF-8. What is not JSON or not a frame asks for a new stream.
  /// - Returns: What became of it.
  public mutating func receive(_ json: some Sequence<UInt8>) -> Outcome {
    guard let frame = try? JSONDecoder().decode(JSONValue.self, from: Data(json)) else { return .resync }
    return receive(frame)
  }

  /// Takes a frame.
  public mutating func receive(_ frame: JSONValue) -> Outcome {
    guard frame["format"]?.integer == 1 else { return .unsupported }
    guard let epoch = frame["epoch"]?.string, let sequence = frame["seq"]?.integer,
      let next = ListStreamVersion(epoch: epoch, sequence: sequence)
    else { return .resync }
    switch frame["kind"]?.string {
    case "snapshot": return takeSnapshot(frame, next)
    case "change":
      guard let version, version.epoch == next.epoch else { return .resync }
      if next.sequence <= version.sequence { return .ignored }
      guard frame["from"]?.integer == version.sequence else { return .resync }
      return takeChange(frame, next)
    case "failure":
      failureMessage = frame["message"]?.string
      return .applied(acts: [])
    default: return .ignored
    }
  }

  private mutating func takeSnapshot(_ frame: JSONValue, _ next: ListStreamVersion) -> Outcome {
    var sections: [(String, [String])] = []
    for section in frame["sections"]?.array ?? [] {
      guard let id = section["id"]?.string else { return .resync }
      sections.append((id, (section["items"]?.array ?? []).compactMap(\.string)))
    }
    guard let list = try? DiffableSnapshot(sections: sections) else { return .resync }
    snapshot = list
    contents = [:]
    takeContents(frame)
    version = next
    failureMessage = nil
    return .applied(acts: acts(frame))
  }

  private mutating func takeChange(_ frame: JSONValue, _ next: ListStreamVersion) -> Outcome {
    guard let change = FrameChange(frame), let list = change.applied(to: snapshot) else { return .resync }
    for item in change.departures(from: snapshot, to: list) { contents[item] = nil }
    snapshot = list
    takeContents(frame)
    version = next
    failureMessage = nil
    return .applied(acts: acts(frame))
  }

  private mutating func takeContents(_ frame: JSONValue) {
    guard case .object(let members) = frame["content"] else { return }
    for (item, content) in members where snapshot.indexPath(ofItem: item) != nil { contents[item] = content }
  }

  private func acts(_ frame: JSONValue) -> [String] {
    (frame["acts"]?.array ?? []).compactMap(\.string)
  }
}

internal import Foundation
public import Snapshots

/// A remote list as a reader has it: give it the frames in the order of their arrival.
///
/// Of a long list it may know only some items; ``receive(range:)-(JSONValue)`` takes in others that it asked for.
///
/// It is the reference of what `Documentation/Frames.md` asks of a reader, and good for programs that show a list from
/// elsewhere: ``snapshot`` goes to a data source of theirs.
public struct ListStreamReplica: Sendable {
  /// The effect of a frame.
  public enum Outcome: Sendable, Hashable {
    /// It was applied. `mutationIDs` are those of the mutations that it contains.
    case applied(mutationIDs: [String])
    /// The reader had it already, or does not know its kind.
    case ignored
    /// It does not fit what the reader has: open the stream anew, without a version. The list is as it was.
    case resync
    /// It is of another format. The program has to be updated.
    case unsupported
  }

  /// The effect of rows that were requested.
  public enum RangeOutcome: Sendable, Hashable {
    /// They were taken in.
    case applied
    /// They are of a state that the reader has not reached yet: give them again after the frames that lead there.
    case later
    /// They are of a state that the reader can't lead them on from: ask again.
    case again
  }

  /// The sections with the ids of their items, as far as they are known.
  public private(set) var sections: [ListStreamSection] = []
  /// The contents of the items that are known.
  public private(set) var contents: [String: JSONValue] = [:]
  /// The version, or `nil` before the first snapshot.
  public private(set) var version: ListStreamVersion?
  /// The trouble that the list's source has, in words for people.
  public private(set) var failureMessage: String?
  /// Recent changes, which lead the answers to questions on.
  private var recent: [Step] = []

  private struct Step: Sendable {
    var from: Int
    var to: Int
    var change: FrameChange
    var contents: [String: JSONValue]
  }

  /// How many changes are kept for answers that are late.
  private static let recentCapacity = 64

  /// Creates a reader that has nothing.
  public init() {}

  /// Creates a reader that has a list already, for example from before the program was closed.
  public init(
    snapshot: DiffableSnapshot<String, String>, contents: [String: JSONValue], version: ListStreamVersion
  ) {
    sections = snapshot.sections.map { ListStreamSection(id: $0.id, items: Array($0.items)) }
    self.contents = contents
    self.version = version
  }

  /// The list; of a long one, the items that are known.
  ///
  /// - Complexity: O(*n*).
  public var snapshot: DiffableSnapshot<String, String> {
    // No id is there twice, so this does not throw.
    (try? DiffableSnapshot(sections: sections.map { ($0.id, $0.items.compactMap(\.self)) })) ?? .init()
  }

  /// Whether all items are known.
  ///
  /// - Complexity: O(*n*).
  public var isWhole: Bool { sections.allSatisfy(\.isWhole) }

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
    guard let format = frame["format"]?.integer else { return .resync }
    guard format == 1 else { return .unsupported }
    guard FrameShape.of(frame).matches(frame) else { return .resync }
    // A kind that is not known may have another version, or none.
    guard let epoch = frame["epoch"]?.string, let sequence = frame["seq"]?.integer,
      let next = ListStreamVersion(epoch: epoch, sequence: sequence)
    else { return .ignored }
    switch frame["kind"]?.string {
    case "snapshot": return takeSnapshot(frame, next)
    case "change":
      guard let version, version.epoch == next.epoch else { return .resync }
      if next.sequence <= version.sequence { return .ignored }
      guard frame["from"]?.integer == version.sequence else { return .resync }
      return takeChange(frame, next)
    case "failure":
      failureMessage = frame["message"]?.string
      return .applied(mutationIDs: [])
    default: return .ignored
    }
  }

  /// Takes the answer to a question for rows.
  ///
  /// - Parameter json: The answer in UTF-8.
  /// - Returns: What became of it. What is not an answer, or does not fit, is to be asked for again.
  public mutating func receive(range json: some Sequence<UInt8>) -> RangeOutcome {
    guard let frame = try? JSONDecoder().decode(JSONValue.self, from: Data(json)) else { return .again }
    return receive(range: frame)
  }

  /// Takes the answer to a question for rows.
  public mutating func receive(range frame: JSONValue) -> RangeOutcome {
    guard frame["format"]?.integer == 1, frame["kind"]?.string == "range", let version,
      FrameShape.of(frame).matches(frame),
      frame["epoch"]?.string == version.epoch, let sequence = frame["seq"]?.integer,
      var rows = ListStreamSection.sections(of: frame)
    else { return .again }
    if sequence > version.sequence { return .later }
    // The rows are a list of their own, which the changes since lead to the present.
    var newContents = Self.contents(of: frame)
    var at = sequence
    for step in recent where step.from >= sequence {
      guard step.from == at, let next = step.change.applied(to: rows) else { return .again }
      rows = next
      newContents.merge(step.contents) { $1 }
      at = step.to
    }
    guard at == version.sequence, let merged = merged(rows) else { return .again }
    sections = merged
    let named = rows.knownItems()
    for (item, content) in newContents where named.contains(item) { contents[item] = content }
    return .applied
  }

  /// Returns the known rows merged with other rows of the same state, or `nil` if they contradict each other.
  private func merged(_ rows: [ListStreamSection]) -> [ListStreamSection]? {
    guard sections.count == rows.count else { return nil }
    var merged = sections
    for (index, section) in rows.enumerated() {
      guard merged[index].id == section.id, merged[index].items.count == section.items.count else {
        return nil
      }
      for (position, item) in section.items.enumerated() {
        guard let item else { continue }
        let own = merged[index].items[position]
        guard own == nil || own == item else { return nil }
        merged[index].items[position] = item
      }
    }
    return ListStreamSection.isList(merged) ? merged : nil
  }

  private mutating func takeSnapshot(_ frame: JSONValue, _ next: ListStreamVersion) -> Outcome {
    guard let sections = ListStreamSection.sections(of: frame) else { return .resync }
    self.sections = sections
    let items = sections.knownItems()
    contents = Self.contents(of: frame).filter { items.contains($0.key) }
    recent = []
    version = next
    failureMessage = nil
    return .applied(mutationIDs: mutationIDs(frame))
  }

  private mutating func takeChange(_ frame: JSONValue, _ next: ListStreamVersion) -> Outcome {
    guard let version, let change = FrameChange(frame), let list = change.applied(to: sections) else {
      return .resync
    }
    sections = list
    let newContents = Self.contents(of: frame)
    let items = list.knownItems()
    contents = contents.merging(newContents) { $1 }.filter { items.contains($0.key) }
    recent.append(Step(from: version.sequence, to: next.sequence, change: change, contents: newContents))
    if recent.count > Self.recentCapacity { recent.removeFirst() }
    self.version = next
    failureMessage = nil
    return .applied(mutationIDs: mutationIDs(frame))
  }

  private static func contents(of frame: JSONValue) -> [String: JSONValue] {
    guard case .object(let members) = frame["content"] else { return [:] }
    return members
  }

  private func mutationIDs(_ frame: JSONValue) -> [String] {
    (frame["acts"]?.array ?? []).compactMap(\.string)
  }
}

/// The form that a value has in a frame, as `Documentation/Frames.md` describes it.
///
/// A frame is compared with its shape before anything of it is applied, so that what reads it later may pass over nothing.
indirect enum FrameShape: Sendable {
  /// A text.
  case text
  /// A text or `null`.
  case textOrNull
  /// A number of a position, a count or a state: from 0 to 2⁵³ − 1.
  case index
  /// A text that names an epoch.
  case epoch
  /// An object with any members.
  case object
  /// A list of values of one shape.
  case list(FrameShape)
  /// A list of just these values.
  case entry([FrameShape])
  /// An object with these members, of which only the `required` ones have to be there. Others are passed over.
  case members([String: FrameShape], required: Set<String> = [])

  /// Whether a value has this shape.
  ///
  /// - Complexity: O(*n*) for *n* values in it.
  func matches(_ value: JSONValue) -> Bool {
    switch self {
    case .text: value.string != nil
    case .textOrNull: value == .null || value.string != nil
    case .index: value.integer.map { (0...ListStreamVersion.maximumSequence).contains($0) } ?? false
    case .epoch: value.string.map(ListStreamVersion.isEpoch) ?? false
    case .object: if case .object = value { true } else { false }
    case .list(let shape): value.array?.allSatisfy(shape.matches) ?? false
    case .entry(let shapes):
      value.array.map { $0.count == shapes.count && zip(shapes, $0).allSatisfy { $0.matches($1) } } ?? false
    case .members(let shapes, let required):
      if case .object(let members) = value {
        shapes.allSatisfy { name, shape in members[name].map(shape.matches) ?? !required.contains(name) }
      } else {
        false
      }
    }
  }
}

extension FrameShape {
  /// The shape of a frame, or of an answer of rows; of a kind that is not known there is only the kind.
  static func of(_ frame: JSONValue) -> FrameShape {
    frame["kind"]?.string.flatMap { kinds[$0] } ?? .members(["kind": .text], required: ["kind"])
  }

  private static let kinds: [String: FrameShape] = [
    "snapshot": .members(rows, required: version),
    "range": .members(rows, required: version),
    "change": .members(
      common.merging([
        "from": .index, "reloaded": ids, "reconfigured": ids,
        "sections": edits(positions: 1), "items": edits(positions: 2),
      ]) { $1 }, required: version.union(["from"])),
    "failure": .members(["epoch": .epoch, "seq": .index, "message": .textOrNull], required: version),
  ]

  private static let ids = FrameShape.list(.text)
  private static let version: Set<String> = ["epoch", "seq"]
  private static let common: [String: FrameShape] = [
    "epoch": .epoch, "seq": .index, "acts": ids, "content": .object,
  ]
  private static let rows = common.merging([
    "sections": .list(
      .members(
        ["id": .text, "items": ids, "count": .index, "windows": .list(.entry([.index, ids]))],
        required: ["id"]))
  ]) { $1 }

  /// The edits of a change, whose positions are so many numbers each.
  private static func edits(positions: Int) -> FrameShape {
    let one = FrameShape.list(.entry([.text] + Array(repeating: .index, count: positions)))
    let two = FrameShape.list(.entry([.text] + Array(repeating: .index, count: 2 * positions)))
    return .members(["deleted": one, "inserted": one, "moved": two])
  }
}

public import Foundation
public import LiveFetch

/// The rows with which the conformance suite tries sections by values of every kind.
///
/// The store under test needs a table `sample` with the columns `id` (whole number, primary key), and, each with values or NULL,
/// `number`, `flag`, `mood` and `time` (whole numbers), `real` (floating-point), `text` (text), `bytes` (bytes) and `tag` (a UUID, or its 16 bytes).
public struct ConformanceSample: FetchModel, Hashable {
  /// An enumeration that is stored as a number.
  public enum Mood: Int, FetchColumnValue, CaseIterable {
    /// Not well.
    case low = -1
    /// Neither well nor not.
    case middling
    /// Well.
    case high
  }

  /// The primary key.
  public var id: Int
  /// A whole number, which may be negative.
  public var number: Int?
  /// A truth value.
  public var flag: Bool?
  /// A value of an enumeration.
  public var mood: Mood?
  /// A moment, in microseconds since 1970.
  public var time: Date?
  /// A floating-point number.
  public var real: Double?
  /// Text, not empty.
  public var text: String?
  /// Bytes, at least one.
  public var bytes: Data?
  /// A UUID of 16 bytes.
  public var tag: UUID?

  /// Creates a row without values.
  public init(id: Int) { self.id = id }

  /// The table.
  public static let fetchTable = FetchTable<ConformanceSample>(
    "sample", id: .column("id", \.id),
    columns: [
      .column("number", \.number), .column("flag", \.flag), .column("mood", \.mood), .column("time", \.time),
      .column("real", \.real), .column("text", \.text), .column("bytes", \.bytes), .column("tag", \.tag),
    ])

  /// Creates a row from what the store read.
  public init(fetchRow row: FetchRow) throws {
    id = try row["id"]
    number = try row["number"]
    flag = try row["flag"]
    mood = try row["mood"]
    time = try row["time"]
    real = try row["real"]
    text = try row["text"]
    bytes = try row["bytes"]
    tag = try row["tag"]
  }

  /// The moment as it is stored.
  public var microseconds: Int64? {
    if case .integer(let number) = values["time"] { number } else { nil }
  }

  /// The row's values by column.
  public var values: [String: FetchValue] {
    func stored(_ value: some FetchColumnValue) -> FetchValue {
      value.fetchValue(as: type(of: value).fetchColumnType) ?? .null
    }
    return [
      "id": stored(id), "number": stored(number), "flag": stored(flag), "mood": stored(mood),
      "time": stored(time), "real": stored(real), "text": stored(text), "bytes": stored(bytes),
      "tag": stored(tag),
    ]
  }
}

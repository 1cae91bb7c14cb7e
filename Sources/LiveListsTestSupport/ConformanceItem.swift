public import LiveFetch

/// The rows with which the conformance suite tries a store.
///
/// The store under test needs a table `item` with the columns `id` (whole number, primary key), `section` (text),
/// `key` (whole number) and `note` (text or NULL).
public struct ConformanceItem: FetchModel, Hashable {
  /// The primary key.
  public var id: Int
  /// The section.
  public var section: String
  /// The value that the rows are sorted by.
  public var key: Int
  /// A value that may be missing.
  public var note: String?

  /// Creates a row.
  public init(id: Int, section: String, key: Int, note: String? = nil) {
    self.id = id
    self.section = section
    self.key = key
    self.note = note
  }

  /// The table.
  public static let fetchTable = FetchTable<ConformanceItem>(
    "item", id: .column("id", \.id),
    columns: [.column("section", \.section), .column("key", \.key), .column("note", \.note)])

  /// Creates a row from what the store read.
  public init(fetchRow row: FetchRow) throws {
    id = try row["id"]
    section = try row["section"]
    key = try row["key"]
    note = try row["note"]
  }

  /// The row's values by column.
  public var values: [String: FetchValue] {
    [
      "id": .integer(Int64(id)), "section": .text(section), "key": .integer(Int64(key)),
      "note": note.map { .text($0) } ?? .null,
    ]
  }
}

/// A write of the conformance suite.
public enum ConformanceWrite: Sendable, Hashable {
  /// Inserts a row, or replaces the one with its `id`.
  case put(ConformanceItem)
  /// Removes the row with an `id`, if there is one.
  case remove(Int)
}

/// A store under test: what the suite needs beside the store itself.
public protocol ConformanceSubject: Sendable {
  /// The store, with an empty table `item`, see ``ConformanceItem``.
  var store: any FetchStore { get }

  /// The store with an empty table `sample`, see ``ConformanceSample``: the same one unless a subject says so, as where a store has one
  /// table.
  var sampleStore: any FetchStore { get }

  /// Writes in one commit.
  func write(_ writes: [ConformanceWrite], origin: String?) async throws

  /// Writes, and takes it all back.
  func writeAndRollBack(_ writes: [ConformanceWrite]) async throws

  /// Inserts rows into the table `sample`, or replaces those with their `id`, in one commit. The last of several with one `id` stays.
  func write(_ samples: [ConformanceSample]) async throws

  /// Closes the store.
  func close() async throws

  /// Whether the store may report several commits as one, as one does that looks for commits. False unless a subject says so.
  var mergesCommits: Bool { get }
}

extension ConformanceSubject {
  /// The store.
  public var sampleStore: any FetchStore { store }

  /// False: each commit is reported by itself.
  public var mergesCommits: Bool { false }
}

/// A promise that a store does not keep.
public struct ConformanceFailure: Error, CustomStringConvertible {
  /// Which promise, with what was seen.
  public let description: String
}

extension InMemoryStore: ConformanceSubject {
  /// The store itself.
  public var store: any FetchStore { self }

  /// Writes in one commit.
  public func write(_ writes: [ConformanceWrite], origin: String?) async throws {
    write(origin: origin) { Self.perform(writes, in: &$0) }
  }

  /// Writes, and takes it all back.
  public func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
    do {
      try write { (transaction: inout Transaction) throws -> Void in
        Self.perform(writes, in: &transaction)
        throw CancellationError()
      }
    } catch is CancellationError {}
  }

  /// Writes rows of the table `sample`.
  public func write(_ samples: [ConformanceSample]) async throws {
    write { transaction in for sample in samples { transaction.put(sample.values, in: "sample") } }
  }

  private static func perform(_ writes: [ConformanceWrite], in transaction: inout Transaction) {
    for write in writes {
      switch write {
      case .put(let item): transaction.put(item.values, in: "item")
      case .remove(let id): transaction.remove(.integer(Int64(id)), from: "item")
      }
    }
  }
}

import ArrayStore
import LiveListsTestSupport
import LiveStore
import Testing

/// A store that was written outside of the library keeps the promises of its own.
@Suite("A store of somebody's own")
struct ArrayStoreTests {
  @Test("It passes the conformance suite", arguments: 1...8 as ClosedRange<UInt64>)
  func conforms(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).run { Subject() }
  }
}

/// The subject of the suite: the store, and a way to write the rows that the suite makes up.
private struct Subject: ConformanceSubject {
  private static let sampleColumns = [
    "id", "number", "flag", "mood", "time", "real", "text", "bytes", "tag",
  ]
  private let items = ArrayStore(table: "item", columns: ["id", "section", "key", "note"])
  private let samples = ArrayStore(table: "sample", columns: sampleColumns)

  var store: any FetchStore { items }
  var sampleStore: any FetchStore { samples }

  func write(_ writes: [ConformanceWrite], origin: String?) async throws {
    try items.write(origin: origin) { Self.perform(writes, on: &$0) }
  }

  func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {
    do {
      try items.write { rows in
        Self.perform(writes, on: &rows)
        throw CancellationError()
      }
    } catch is CancellationError {}
  }

  func write(_ new: [ConformanceSample]) async throws {
    try samples.write { rows in
      for sample in new {
        rows.removeAll { $0[0] == .integer(Int64(sample.id)) }
        rows.append(Self.sampleColumns.map { sample.values[$0] ?? .null })
      }
    }
  }

  func close() async throws { items.close() }

  private static func perform(_ writes: [ConformanceWrite], on rows: inout [ArrayStore.Row]) {
    for write in writes {
      switch write {
      case .put(let item):
        let row = ["id", "section", "key", "note"].map { item.values[$0] ?? .null }
        rows.removeAll { $0[0] == row[0] }
        rows.append(row)
      case .remove(let id): rows.removeAll { $0[0] == .integer(Int64(id)) }
      }
    }
  }
}

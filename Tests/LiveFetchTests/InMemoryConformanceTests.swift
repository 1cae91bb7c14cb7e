import LiveListsTestSupport
import Testing

@Suite("The store in memory")
struct InMemoryConformanceTests {
  @Test("It keeps the promises of a store", arguments: 1...8 as ClosedRange<UInt64>)
  func conforms(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).run { InMemoryStore() }
  }
}

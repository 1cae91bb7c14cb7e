import LiveFetch
import LiveListsTestSupport
import Testing
import _TestTools

/// The promises that several nodes keep together: a right store keeps them, and each mistake is found.
@Suite("The conformance suite of many nodes")
struct NodeConformanceTests {
  @Test(
    "A store that follows its log keeps all promises", arguments: inTurns(Array(1...8) as [UInt64], of: 2))
  func conforms(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).run { SharedNode() }
  }

  @Test("What a database does not have is left out", arguments: [1] as [UInt64])
  func leftOut(_ seed: UInt64) async throws {
    try await FetchStoreConformance(seed: seed).run { PlainNode() }
  }

  @Test(
    "Each mistake of a store of many nodes breaks a promise", arguments: SharedDatabase.Mistake.allCases,
    1...4 as ClosedRange<UInt64>)
  func mistakes(_ mistake: SharedDatabase.Mistake, _ seed: UInt64) async throws {
    let suite = FetchStoreConformance(seed: seed)
    let node = SharedNode(mistake)
    await #expect(throws: ConformanceFailure.self) {
      switch mistake {
      case .hearsOnlyItself, .losesOrigins: try await suite.twoNodes(node)
      case .countsByBeginning, .readsUncommitted: try await suite.longTransactions(node)
      case .overlooksEpochs: try await suite.epochChanges(node)
      case .overlooksPruning: try await suite.pruned(node)
      }
    }
  }
}

/// A node that has nothing but others beside it.
private struct PlainNode: ConformanceNode {
  var node = SharedNode()
  var store: any FetchStore { node.store }
  var mergesCommits: Bool { true }
  func write(_ writes: [ConformanceWrite], origin: String?) async throws {
    try await node.write(writes, origin: origin)
  }
  func writeAndRollBack(_ writes: [ConformanceWrite]) async throws {}
  func write(_ samples: [ConformanceSample]) async throws { try await node.write(samples) }
  func close() async throws { try await node.close() }
  func makeNode() async throws -> PlainNode { PlainNode(node: try await node.makeNode()) }
}

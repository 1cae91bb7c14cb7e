import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing
import _TestTools

/// Histories in which everything happens at once: providers that apply again, views that fail or go away in the middle,
/// sections that move while their items move.
@Suite("Laws of applying")
struct ApplyLawTests {
  static let stagings: [BatchStaging] = [.combined, .whenSectionsMoveAndChange, .always]

  struct Trouble: Error {}

  @Test("Providers that apply again, at random: all is shown in the end, by legal batches", arguments: 0..<12)
  func providersApplyAgain(seed: UInt64) async {
    var random = SeededGenerator(seed: seed &+ 9000)
    let view = TestView()
    var source: DiffableDataSource<TestView>?
    var asked: [TestSnapshot] = []
    var nested = 0
    source = DiffableDataSource(
      target: view,
      provider: .loading { items in
        if let source, !items.isEmpty, nested < 40, Int.random(in: 0..<3, using: &random) == 0 {
          nested += 1
          let next = random.edited(source.snapshot())
          asked.append(next)
          guard case .queued = await source.apply(next).outcome else {
            Issue.record("seed \(seed): not queued")
            return [:]
          }
        }
        return Dictionary(uniqueKeysWithValues: items.map { ($0, "cell \($0)") })
      })
    for _ in 0..<40 {
      guard let source else { return }
      let next = random.edited(source.snapshot())
      asked.append(next)
      await source.apply(next)
      // Whoever asked last is shown: what was asked for within is done before the call returns.
      #expect(source.snapshot() == asked.last, "seed \(seed)")
      #expect(view.contents == text(source.snapshot()), "seed \(seed)")
    }
    #expect(nested > 0)
    #expect(view.violations.isEmpty, "seed \(seed)")
    source = nil
  }

  @Test("Views that fail in the middle of the stages are put right by a reload", arguments: stagings, 0..<6)
  func viewsFail(_ staging: BatchStaging, seed: UInt64) async {
    var random = SeededGenerator(seed: seed &+ 7100)
    let view = StrictListView<String, Int, String>(staging: staging)
    var isFailing = false
    // The content of what arrives can't be had: the batch is performed, and then the call fails.
    let source = DiffableDataSource(
      target: view,
      provider: .loading { items in
        if isFailing, !items.isEmpty {
          isFailing = false
          throw Trouble()
        }
        return Dictionary(uniqueKeysWithValues: items.map { ($0, "cell \($0)") })
      })
    var errors = 0
    source.failureHandler = { _ in errors += 1 }
    var recovered = 0
    for step in 0..<60 {
      isFailing = Bool.random(using: &random)
      let next = random.snapshot(marks: true)
      let report = await source.apply(next)
      if case .recovered = report.outcome { recovered += 1 }
      if case .failed = report.outcome {
        #expect(source.snapshot() == next)
        isFailing = false
        await source.apply(next)
      }
      #expect(view.contents == text(next), "seed \(seed), step \(step)")
      #expect(source.snapshot() == next, "seed \(seed), step \(step)")
    }
    #expect(recovered > 0 && errors >= recovered)
    #expect(view.violations.isEmpty, "seed \(seed)")
  }

  /// A view that goes away in the middle of a change.
  final class Fleeting: ListTarget {
    var calls = 0
    var lastCall = Int.max

    private nonisolated(nonsending) func call() async throws {
      calls += 1
      await Task.yield()
      if calls >= lastCall { throw ListTargetError.gone }
    }

    nonisolated(nonsending) func reload(_ update: ListUpdate<String, Int, String>) async throws {
      try await call()
    }
    nonisolated(nonsending) func perform(_ update: ListUpdate<String, Int, String>) async throws {
      try await call()
    }
  }

  /// An actor with such a view.
  actor Host {
    private let view = Fleeting()
    private lazy var source = DiffableDataSource(target: view) { "\($0)" }

    init(lastCall: Int) { view.lastCall = lastCall }

    func apply(_ snapshot: TestSnapshot) async -> ApplyReport<Int>.Outcome {
      await source.apply(snapshot).outcome
    }
    var calls: Int { view.calls }
    var snapshot: TestSnapshot { source.snapshot() }
  }

  @Test(
    "Views that go away in the middle are not called again; whoever waits returns, and the state goes on",
    arguments: 1..<8)
  func viewsGo(lastCall: Int) async {
    let host = Host(lastCall: lastCall)
    let snapshots = (1...12).map { list("A[\($0),\($0 + 1)]") }
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for snapshot in snapshots {
        group.addTask {
          if case .targetGone = await host.apply(snapshot) { return true }
          return false
        }
      }
      return await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(outcomes.count == 12)
    #expect(outcomes.filter { $0 }.count == 12 - lastCall + 1)
    #expect(await host.calls == lastCall)
    #expect(await snapshots.contains(host.snapshot))
  }

  @Test(
    "Sections that move while their items move, come and go: legal in every staging", arguments: stagings,
    inTurns(Array(0..<8) as [UInt64], of: 2))
  func sectionsAndItemsMove(_ staging: BatchStaging, seed: UInt64) async {
    var random = SeededGenerator(seed: seed &+ 6200)
    let view = StrictListView<String, Int, String>(staging: staging, isStrict: staging != .combined)
    let source = DiffableDataSource(target: view) { "cell \($0)" }
    var touched = 0
    await source.apply(list("A[1,2,3] B[4,5,6] C[7,8] D[]"))
    for step in 0..<60 {
      // All sections stay, in another order; most items stay, anywhere.
      let before = source.snapshot()
      let names = before.sectionIdentifiers.shuffled(using: &random)
      var items = Array(1...9).shuffled(using: &random)
      items.removeLast(Int.random(in: 0...2, using: &random))
      var parts = names.map { ($0, [Int]()) }
      for item in items { parts[Int.random(in: 0..<parts.count, using: &random)].1.append(item) }
      let after = list(
        parts.map { "\($0.0)[\($0.1.map(String.init).joined(separator: ","))]" }.joined(separator: " "))
      let batch = BatchPlanner.structuralBatch(for: after.difference(from: before))
      if BatchPlanner.touchesItemsOfMovedSections(batch) { touched += 1 }
      await source.apply(after)
      #expect(view.contents == text(after), "seed \(seed), step \(step): \(text(before)) → \(text(after))")
    }
    #expect(touched > 20)
    #expect(view.violations.isEmpty, "seed \(seed): \(view.violations)")
  }

  @Test("A view that moved an item of a list that has changed since is reloaded, not told to take over")
  func shownInAnotherList() async throws {
    let desk = await ReorderingTests.Desk("A[1,2,3]")
    var session = try #require(desk.source.beginReordering([1]))
    session.move(to: ListIndexPath(item: 2, section: 0), in: desk.source.snapshot())
    await desk.source.apply(list("A[1,2,3,4]"))
    desk.view.forgetHistory()
    await desk.source.endReordering(session, isShownAlready: true)
    #expect(desk.view.events == [.reload])
    #expect(desk.view.contents == "A[2,3,1,4]")
    #expect(desk.did.count == 1)
  }

  @Test("A view that moved an item which may not be there is reloaded as it was, and nobody is told")
  func shownButRefused() async throws {
    let desk = await ReorderingTests.Desk("A[1,2,3]")
    var session = try #require(desk.source.beginReordering([1]))
    session.move(to: ReorderDestination(section: "Z"))
    guard case .refused = await desk.source.endReordering(session, isShownAlready: true).outcome else {
      Issue.record("not refused")
      return
    }
    #expect(desk.view.events == [.reload])
    #expect(desk.view.contents == "A[1,2,3]")
    #expect(desk.will.isEmpty && desk.did.isEmpty)
    // The same refusal of a drag that the view does not show asks nothing of it.
    desk.view.forgetHistory()
    await desk.source.endReordering(session)
    #expect(desk.view.events.isEmpty)
  }
}

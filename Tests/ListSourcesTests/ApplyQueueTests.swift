import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

/// An actor that owns a data source, as a server does.
actor ListHost {
  let view = TestView()
  private(set) var completions: [Int] = []
  private lazy var source = DiffableDataSource(target: view) { "cell \($0)" }

  func set(_ queueing: ApplyQueueing) { source.queueing = queueing }

  func animate() { view.animation = { await Task.yield() } }

  func apply(_ snapshot: TestSnapshot, number: Int = 0, origins: [String] = []) async -> ApplyReport<Int> {
    let report = await source.apply(snapshot, options: ApplyOptions(origins: origins))
    completions.append(number)
    return report
  }

  /// Issues an apply and, right behind it, word of an act that changes nothing.
  func applyAndAcknowledge(_ snapshot: TestSnapshot) async {
    let first = Task { await self.apply(snapshot, origins: ["change"]) }
    let second = Task { await self.source.acknowledge(["idle"]) }
    _ = await (first.value, second.value)
  }

  /// Issues applies in order while one is shown, and returns their reports in the order of the calls.
  func burst(_ snapshots: [TestSnapshot]) async -> [ApplyReport<Int>] {
    var tasks: [Task<ApplyReport<Int>, Never>] = []
    for (index, snapshot) in snapshots.enumerated() {
      tasks.append(Task { await self.apply(snapshot, number: index, origins: ["\(index)"]) })
    }
    var reports: [ApplyReport<Int>] = []
    for task in tasks { reports.append(await task.value) }
    return reports
  }

  var violations: [ListRuleViolation] { view.violations }
  var contents: String { view.contents }
  var snapshot: TestSnapshot { source.snapshot() }
  var origins: [String] { view.origins }
  var batches: [ListBatch] { view.batches }
  var events: [TestView.Event] { view.events }
  var providedItems: [Int] { view.providedItems }
  func forgetHistory() { view.forgetHistory() }
}

@Suite("Apply queue")
struct ApplyQueueTests {
  @Test("Applies that are not awaited are shown one after the other, and return in the order of the calls")
  func firstInFirstOut() async {
    let host = ListHost()
    await host.animate()
    let reports = await host.burst([list("A[1]"), list("A[1,2]"), list("A[2,1]"), list("A[3]")])
    #expect(reports.count == 4)
    #expect(await host.completions == [0, 1, 2, 3])
    #expect(await host.contents == "A[3]")
    #expect(await host.batches.count == 3)
    #expect(await host.origins == ["0", "1", "2", "3"])
    #expect(await host.violations.isEmpty)
  }

  @Test("A thousand applies from eight tasks at once: every batch is legal, every call returns")
  func manyTasks() async {
    let host = ListHost()
    await host.animate()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: UInt64(task))
          for number in 0..<125 {
            _ = await host.apply(random.snapshot(marks: true), number: task * 125 + number)
          }
        }
      }
    }
    #expect(await host.completions.count == 1000)
    #expect(await Set(host.completions).count == 1000)
    #expect(await host.violations.isEmpty)
    #expect(await host.contents == text(host.snapshot))
  }

  @Test("Word of a mutation that changes nothing keeps its position behind the changes before it")
  func acknowledging() async {
    let host = ListHost()
    await host.animate()
    _ = await host.apply(list("A[1]"))
    await host.applyAndAcknowledge(list("A[1,2]"))
    #expect(await host.contents == "A[1,2]")
    #expect(await host.origins == ["change", "idle"])
    #expect(await host.events.last == .acknowledge(["idle"]))
  }

  @Test("An apply from inside a provider waits its turn and is shown; nothing stands still")
  func nestedInProvider() async {
    let view = TestView()
    var source: DiffableDataSource<TestView>?
    var isNested = false
    source = DiffableDataSource(
      target: view,
      provider: .loading { items in
        if !isNested {
          isNested = true
          let report = await source?.apply(list("A[1,2,3]"))
          guard case .queued = report?.outcome else {
            Issue.record("\(String(describing: report?.outcome))")
            return [:]
          }
          #expect(source.map { text($0.snapshot()) } == "A[1,2]")
        }
        return Dictionary(uniqueKeysWithValues: items.map { ($0, "\($0)") })
      })
    await source?.apply(list("A[1,2]"))
    #expect(view.contents == "A[1,2,3]")
    #expect(view.violations.isEmpty)
    #expect(view.events.count == 2)
    source = nil
  }

  @Test("Applies from a provider and from other tasks keep their order")
  func nestedAmongOthers() async {
    let host = NestingHost()
    await host.run()
    #expect(await host.finished == ["first", "second"])
    #expect(await host.violations.isEmpty)
    #expect(await host.shown == ["A[1]", "A[1,9]", "A[1,2]"])
  }

  @Test("With the latest wins, waiting snapshots are passed over, and every call returns in order")
  func latestWins() async {
    let host = ListHost()
    await host.set(.latestSnapshot)
    _ = await host.apply(list("A[0]"), number: -1)
    await host.forgetHistory()
    await host.animate()
    let snapshots = (1...20).map { list("A[\(Array(0...$0).map(String.init).joined(separator: ","))]") }
    let reports = await host.burst(snapshots)
    #expect(reports.count == 20)
    #expect(await host.completions == [-1] + Array(0..<20))
    #expect(await host.batches.count == 2)
    #expect(await host.contents == text(snapshots[19]))
    // The acts of those that were passed over come along.
    #expect(await host.origins == (0..<20).map(String.init))
    let superseded = reports.filter { if case .superseded = $0.outcome { true } else { false } }
    #expect(superseded.count == 18)
    guard case .updated = reports[0].outcome, case .updated = reports[19].outcome else {
      Issue.record("the first and the last were shown")
      return
    }
  }

  @Test("With the latest wins, marks of passed-over snapshots survive on what is still there")
  func latestWinsKeepsMarks() async throws {
    let host = ListHost()
    await host.set(.latestSnapshot)
    _ = await host.apply(list("A[1,2,3]"))
    await host.forgetHistory()
    await host.animate()
    var first = list("A[1,2,3]")
    try first.reconfigureItems([1, 2, 3])
    var second = list("A[1,2]")
    try second.reloadItems([2])
    _ = await host.burst([list("A[3,1,2]"), first, second, list("A[2,1]")])
    let last = try #require(await host.batches.last)
    #expect(last.reloadedItems == [ListIndexPath(item: 0, section: 0)])
    #expect(last.reconfiguredItems == [ListIndexPath(item: 1, section: 0)])
    #expect(await host.contents == "A[2,1]")
    #expect(await host.violations.isEmpty)
  }

  @Test("With the latest wins, an item that left and came back in between is shown anew")
  func latestWinsKeepsReturns() async throws {
    let owner = ChangeHost()
    await owner.run()
    #expect(await owner.contents == "A[1,2]")
    #expect(await owner.batches.last?.reconfiguredItems == [ListIndexPath(item: 1, section: 0)])
  }
}

/// Lets three changes wait, in the middle of which an item leaves and comes back.
private actor ChangeHost {
  private let view = TestView()
  private lazy var source = DiffableDataSource(target: view) { "cell \($0)" }
  var contents: String { view.contents }
  var batches: [ListBatch] { view.batches }

  func run() async {
    source.queueing = .latestSnapshot
    view.animation = { await Task.yield() }
    let states = [list("A[2,1]"), list("A[1,2]"), list("A[1]"), list("A[1,2]")]
    await source.apply(list("A[1,2]"))
    var tasks: [Task<Void, Never>] = []
    var previous = list("A[1,2]")
    for state in states {
      let change = TestChange(
        previousSnapshot: previous, snapshot: state, difference: state.difference(from: previous))
      previous = state
      tasks.append(Task { _ = await self.source.apply(change) })
    }
    for task in tasks { await task.value }
  }
}

/// Applies from within the provider while another call waits.
private actor NestingHost {
  private let view = TestView()
  private(set) var finished: [String] = []
  private(set) var shown: [String] = []
  private var source: DiffableDataSource<TestView>?
  private var second: Task<Void, Never>?
  var violations: [ListRuleViolation] { view.violations }

  private func applyNested() async {
    await source?.apply(list("A[1,9]"))
    // Detached, so that it does not count as being inside.
    second = Task.detached { await self.applySecond() }
  }

  private func applySecond() async {
    await source?.apply(list("A[1,2]"))
    finished.append("second")
  }

  func run() async {
    let provider = ItemProvider<Int, String>.loading { [unowned self] items in
      if items == [1] { await self.applyNested() }
      return [:]
    }
    source = DiffableDataSource(target: view, provider: provider)
    view.animation = { [unowned self] in
      await Task.yield()
      self.takeDown()
    }
    await source?.apply(list("A[1]"))
    finished.append("first")
    await second?.value
  }

  private func takeDown() { shown.append(view.contents) }
}

import ListSources
import ListSourcesTestSupport
import Snapshots
import Testing

/// Applies from within applies, by every kind of task that a provider can start and await.
@Suite("Applies from tasks of a provider", .timeLimit(.minutes(20)))
struct NestedApplyTests {
  enum Nesting: CaseIterable {
    case direct, task, asyncLet, group, taskInTask, groupInTask
  }

  @Test(
    "A provider that awaits a task which applies: the apply is queued and shown", arguments: Nesting.allCases)
  func awaited(_ nesting: Nesting) async {
    let host = NestedHost()
    await host.onFirstLoad { host in
      let outcome = await host.apply(list("A[1,2,3]"), by: nesting)
      #expect(outcome == "queued")
      #expect(await host.shown != "A[1,2,3]")
    }
    #expect(await host.apply(list("A[1,2]")) == "reloaded")
    #expect(await host.shown == "A[1,2,3]")
    #expect(await host.apply(list("A[3]")) == "updated")
    #expect(await host.violations.isEmpty)
  }

  @Test("A task that a provider started and left behind applies like any other once the provider is done")
  func leftBehind() async {
    let host = NestedHost()
    let gate = Gate()
    await host.onFirstLoad { host in
      await host.start {
        await gate.wait()
        #expect(await host.apply(list("A[1,2,3]")) == "updated")
      }
    }
    #expect(await host.apply(list("A[1,2]")) == "reloaded")
    await gate.open()
    await host.finish()
    #expect(await host.shown == "A[1,2,3]")
  }

  @Test("A provider may await a task that an earlier one started: its apply is queued, too")
  func startedEarlier() async {
    let host = NestedHost()
    let gate = Gate()
    await host.onFirstLoad { host in
      await host.start {
        await gate.wait()
        #expect(await host.apply(list("A[9]")) == "queued")
      }
    }
    await host.apply(list("A[1]"))
    await host.onFirstLoad { host in
      await gate.open()
      await host.finish()
    }
    #expect(await host.apply(list("A[1,2]")) == "updated")
    #expect(await host.shown == "A[9]")
  }

  @Test("A detached task is not inside: its apply waits its turn and is told what became of it")
  func detached() async {
    let host = NestedHost()
    let gate = Gate()
    await host.onFirstLoad { host in
      await host.start {
        await Task.detached {
          await gate.open()
          #expect(await host.apply(list("A[1,2,3]")) == "updated")
        }.value
      }
      await gate.wait()
    }
    #expect(await host.apply(list("A[1,2]")) == "reloaded")
    await host.finish()
    #expect(await host.shown == "A[1,2,3]")
  }

  @Test("Two data sources whose providers apply to each other at the same time do not wait for each other")
  func crosswise() async {
    let (first, second) = (NestedHost(), NestedHost())
    let (firstGate, secondGate) = (Gate(), Gate())
    await first.onFirstLoad { _ in
      await firstGate.open()
      await secondGate.wait()
      _ = await second.apply(list("B[1,2]"))
    }
    await second.onFirstLoad { _ in
      await secondGate.open()
      await firstGate.wait()
      _ = await first.apply(list("A[1,2]"))
    }
    async let one = first.apply(list("A[1]"))
    async let two = second.apply(list("B[1]"))
    #expect(await [one, two] == ["reloaded", "reloaded"])
    // The one that was queued is done with the call that it came from inside of, or with the other's.
    #expect(await first.apply(list("A[1,2]")) == "unchanged")
    #expect(await second.apply(list("B[1,2]")) == "unchanged")
  }

  @Test("Three data sources in a ring do not wait for each other either")
  func ring() async {
    let hosts = (0..<3).map { _ in NestedHost() }
    let gates = (0..<3).map { _ in Gate() }
    for index in 0..<3 {
      let next = (index + 1) % 3
      await hosts[index].onFirstLoad { _ in
        await gates[index].open()
        for gate in gates { await gate.wait() }
        _ = await hosts[next].apply(list("A[1,2]"))
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for host in hosts { group.addTask { _ = await host.apply(list("A[1]")) } }
    }
    for host in hosts { #expect(await host.apply(list("A[1,2]")) == "unchanged") }
  }

  @Test(
    "One data source whose provider waits for another is no reason to refuse the other's wait for a third")
  func chain() async {
    let (first, second) = (NestedHost(), NestedHost())
    let gate = Gate()
    await second.onFirstLoad { _ in await gate.wait() }
    await first.onFirstLoad { _ in
      async let turn = second.apply(list("B[1,2]"))
      await gate.open()
      #expect(await turn == "updated")
    }
    async let other = second.apply(list("B[1]"))
    while await second.loads == 0 { await Task.yield() }
    #expect(await first.apply(list("A[1]")) == "reloaded")
    #expect(await other == "reloaded")
    #expect(await second.shown == "B[1,2]")
  }

  @Test("Random tasks within tasks that apply: all is shown, in the order of the calls", arguments: 0..<24)
  func law(seed: UInt64) async {
    let host = NestedHost(seed: seed)
    for _ in 0..<12 {
      let outcome = await host.applyRandomly()
      #expect(outcome != "queued", "seed \(seed)")
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<6 { _ = await host.applyRandomly() } }
      }
    }
    await host.finish()
    #expect(await host.applyLast() == "unchanged", "seed \(seed)")
    #expect(await host.isShown, "seed \(seed)")
    #expect(await host.violations.isEmpty, "seed \(seed)")
    #expect(await host.nested > 0, "seed \(seed)")
  }
}

/// Lets tasks wait until it is opened.
private actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for task in waiting { task.resume() }
    waiting = []
  }

  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}

/// An actor with a data source whose provider does things.
private actor NestedHost {
  private let view = TestView()
  private var source: DiffableDataSource<TestView>?
  private var pending: (@Sendable (NestedHost) async -> Void)?
  private var tasks: [Task<Void, Never>] = []
  private var random: SeededGenerator
  private let isRandom: Bool
  private var asked = list("A[]")
  private(set) var nested = 0
  private(set) var loads = 0

  init(seed: UInt64? = nil) {
    random = SeededGenerator(seed: (seed ?? 0) &+ 420)
    isRandom = seed != nil
  }

  var shown: String { view.contents }
  var violations: [ListRuleViolation] { view.violations }
  var isShown: Bool { view.contents == text(asked) && source.map { text($0.snapshot()) } == text(asked) }

  func onFirstLoad(_ body: @escaping @Sendable (NestedHost) async -> Void) { pending = body }

  /// Starts a task that inherits from the running one.
  func start(_ body: @escaping @Sendable () async -> Void) {
    tasks.append(Self.$number.withValue(tasks.count) { Task { await body() } })
  }

  /// The number of the started task that is running, if any. Tasks wait for earlier ones only, lest they wait for each
  /// other.
  @TaskLocal private static var number: Int = .max

  func finish() async {
    var next = 0
    while next < tasks.count {
      await tasks[next].value
      next += 1
    }
  }

  private func made() -> DiffableDataSource<TestView> {
    if let source { return source }
    let source = DiffableDataSource(
      target: view,
      provider: .loading { [unowned self] items in
        await self.load()
        return Dictionary(uniqueKeysWithValues: items.map { ($0, "\($0)") })
      })
    self.source = source
    return source
  }

  private func load() async {
    loads += 1
    if let body = pending {
      pending = nil
      await body(self)
    }
    if isRandom, nested < 60 {
      for _ in 0..<Int.random(in: 0...2, using: &random) { await nest(depth: 0) }
    }
  }

  /// Applies by some kind of task, or starts one that does, or waits for one that was started at some time.
  private func nest(depth: Int) async {
    nested += 1
    let again: @Sendable () async -> Void = {
      if depth < 3, await self.flip() {
        await self.nest(depth: depth + 1)
      } else {
        _ = await self.applyRandomly()
      }
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: await again()
    case 1: await Task { await again() }.value
    case 2:
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<2 { group.addTask { await again() } }
      }
    case 3:
      async let done: Void = again()
      await done
    case 4: start(again)
    default:
      let earlier = tasks.prefix(min(tasks.count, Self.number))
      if let task = earlier.randomElement(using: &random) { await task.value }
    }
  }

  private func flip() -> Bool { Bool.random(using: &random) }

  @discardableResult
  func apply(_ snapshot: TestSnapshot) async -> String {
    asked = snapshot
    return String("\(await made().apply(snapshot).outcome)".prefix { $0 != "(" })
  }

  func apply(_ snapshot: TestSnapshot, by nesting: NestedApplyTests.Nesting) async -> String {
    switch nesting {
    case .direct: return await apply(snapshot)
    case .task: return await Task { await self.apply(snapshot) }.value
    case .asyncLet:
      async let outcome = self.apply(snapshot)
      return await outcome
    case .group:
      return await withTaskGroup(of: String.self) { group in
        group.addTask { await self.apply(snapshot) }
        return await group.next() ?? ""
      }
    case .taskInTask: return await Task { await Task { await self.apply(snapshot) }.value }.value
    case .groupInTask: return await Task { await self.apply(snapshot, by: .group) }.value
    }
  }

  func applyRandomly() async -> String { await apply(random.edited(asked)) }

  func applyLast() async -> String { await apply(asked) }
}

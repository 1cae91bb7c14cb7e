@testable import LiveFetch
import _TestTools
import LiveStore
import Snapshots
import Testing

/// The laws of a live list, on the value alone: no store, no task and no lock.
@Suite("A live list as a value")
struct ListMachineTests {
  @Test(
    "Whatever comes in whatever order: what is notified is right, complete and notified once",
    arguments: 1...200)
  func law(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    var world = try MachineWorld(isWindow: seed % 3 == 0, "seed \(seed)")
    for _ in 0..<Int.random(in: 20...120, using: &random) {
      try world.step(using: &random)
      world.checkState()
    }
    if seed % 4 == 0 {
      world.close()
    } else {
      try world.calm()
      world.checkCompleteness()
    }
  }

  @Test("Random stories come to every state and every way out of it")
  func coverage() throws {
    let wanted: Set = [
      "idle → reading", "reading → live", "reading → failed", "failed → reading", "live → reading",
      "reading → reading", "overflow", "hidden", "known", "failure", "applied", "reread",
      "read behind a read", "interruption", "resumption",
    ]
    var seen: Set<String> = []
    for seed in 1...400 where !seen.isSuperset(of: wanted) {
      var random = SplitMix(seed: UInt64(seed))
      var world = try MachineWorld(isWindow: seed % 3 == 0, "seed \(seed)")
      for _ in 0..<120 {
        let before = world.stateName
        try world.step(using: &random)
        seen.insert("\(before) → \(world.stateName)")
      }
      seen.formUnion(world.events)
    }
    #expect(seen.isSuperset(of: wanted), "missing: \(wanted.subtracting(seen))")
  }

  @Test("A store that is closed ends the observation once, in every state, and nothing follows")
  func closing() throws {
    for steps in 0..<40 {
      var random = SplitMix(seed: UInt64(steps))
      var world = try MachineWorld(isWindow: false, "steps \(steps)")
      for _ in 0..<steps { try world.step(using: &random) }
      world.close()
    }
  }

  @Test("A read that finds the store closed closes the list")
  func closedRead() throws {
    var world = try MachineWorld(isWindow: false, "closed read")
    world.fetch(again: false)
    world.endRead(failing: .closed)
    #expect(world.stateName == "closed" && world.machine.failures.isEmpty)
    guard case .fail(let error) = world.machine.fetch(again: true) else { return #expect(Bool(false)) }
    #expect(error.kind == .closed)
  }

  @Test("Where too many events waited for a read, any row may have changed")
  func overflow() throws {
    let plan = try FetchDescriptor<Piece>().ordered(by: .ascending(\.key)).plan()
    var machine = ListMachine<Int>(plan, waitingCapacity: 1)
    func reset(_ position: UInt64) -> FetchStoreEvent {
      .reset(
        FetchReset(
          position: FetchPosition(position), reason: .touched, touched: [.integer(Int64(position))],
          origins: ["\(position)"]))
    }
    guard case .read(let first) = machine.fetch(again: false) else { return #expect(Bool(false)) }
    machine.readStarted(first, Task {})
    _ = machine.readFinished(ListState<Int>(plan), at: FetchPosition(0), took: .zero)
    guard case .read(let request) = machine.receive(reset(1)) else { return #expect(Bool(false)) }
    #expect(request.touched.rows.map(\.id) == [1])
    machine.readStarted(request, Task {})
    for position in 2...3 as ClosedRange<UInt64> {
      guard case .none = machine.receive(reset(position)) else { return #expect(Bool(false)) }
    }
    let actions = machine.readFinished(ListState<Int>(plan), at: FetchPosition(3), took: .zero)
    guard actions.count == 2, case .notify(.update(let update)) = actions[0],
      case .read(let next) = actions[1]
    else { return #expect(Bool(false)) }
    #expect(update.touched.isAll && update.origins == ["1", "2"])
    #expect(next.touched.isAll && next.reset?.origins == ["3"] && next.waiting.isEmpty)
  }

  @Test("A live list is there for whoever wants it; while it is read, all wait for one read")
  func fetching() throws {
    var world = try MachineWorld(isWindow: false, "fetching")
    world.fetch(again: false)
    for again in [false, true] {
      guard case .wait(let task) = world.machine.fetch(again: again) else { return #expect(Bool(false)) }
      #expect(task == world.machine.readTask)
    }
    try world.endRead()
    guard case .take(let update) = world.machine.fetch(again: false) else { return #expect(Bool(false)) }
    #expect(update.snapshot == world.machine.list.snapshot && update.cost.rowsRead == 0)
    guard case .read = world.machine.fetch(again: true) else { return #expect(Bool(false)) }
  }
}

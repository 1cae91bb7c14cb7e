@testable import LiveFetch
import LiveStore
import Snapshots
import Testing

/// A store that is cut off from its database for a while, as lists take it.
@Suite("An interrupted list")
struct InterruptionTests {
  private let error = FetchError.interrupted(CancellationError())

  private func liveMachine() throws -> ListMachine<Int> {
    let plan = try FetchDescriptor<Piece>().ordered(by: .ascending(\.key)).plan()
    var machine = ListMachine<Int>(plan)
    guard case .read(let request) = machine.fetch(again: false) else { throw error }
    machine.readStarted(request, Task {})
    _ = machine.readFinished(ListState<Int>(plan), at: FetchPosition(1), took: .zero)
    return machine
  }

  private func update(_ action: ListMachine<Int>.Action) -> FetchUpdate<Int>? {
    if case .notify(.update(let update)) = action { update } else { nil }
  }

  private func commit(_ position: UInt64) -> FetchStoreEvent {
    .changes(
      ChangeSet(position: FetchPosition(position), columns: ["id"], tableColumns: ["id"], rows: []))
  }

  @Test("It stays, says why it may be old, and is current again when the store is")
  func live() throws {
    var machine = try liveMachine()
    #expect(machine.isCurrent)
    let lost = update(machine.receive(.interrupted(error)))
    #expect(lost?.failures.map(\.kind) == [.interrupted] && lost?.cost.hasFailed == true)
    #expect(!machine.isCurrent && machine.failures.map(\.kind) == [.interrupted])
    #expect(machine.whole(FetchCost()).failures.map(\.kind) == [.interrupted], "who joins is told as well")
    let back = update(machine.receive(.resumed))
    #expect(back?.failures.isEmpty == true && back?.touched.isEmpty == true && back?.cost.hasFailed == false)
    #expect(back?.isResumption == true)
    #expect(machine.isCurrent && machine.failures.isEmpty)
    if case .none = machine.receive(.resumed) {
    } else {
      Issue.record("What was not lost does not come back.")
    }
  }

  @Test("The next commit ends it, though it concerns nothing of the list")
  func commit() throws {
    var machine = try liveMachine()
    _ = machine.receive(.interrupted(error))
    #expect(update(machine.receive(commit(2)))?.failures.isEmpty == true)
    #expect(machine.isCurrent)
  }

  @Test("A commit that changes columns alone that the list does not show ends it, too")
  func hiddenColumns() throws {
    let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key)).ignoringChanges(to: \.hidden)
    let plan = try request.plan()
    let names = Piece.fetchTable.columns.map(\.name)
    let values = plan.columns.map { $0.name == "id" ? FetchValue.integer(1) : .integer(0) }
    var machine = ListMachine<Int>(plan)
    guard case .read(let read) = machine.fetch(again: false) else { throw error }
    machine.readStarted(read, Task {})
    let list = try ListState<Int>(plan, reading: ArrayCursor([values]))
    _ = machine.readFinished(list, at: FetchPosition(1), took: .zero)
    _ = machine.receive(.interrupted(error))
    let hidden = try #require(names.firstIndex(of: "hidden"))
    let row = ChangeSet.Row(
      id: .integer(1), values: values, change: .updated(ColumnSet(column: hidden)))
    let back = update(
      machine.receive(
        .changes(
          ChangeSet(
            position: FetchPosition(2), columns: plan.columns.map(\.name), tableColumns: names, rows: [row])))
    )
    #expect(back?.isResumption == true && back?.touched.isEmpty == true)
    #expect(back?.hidden.change(of: 1) != nil && machine.isCurrent)
  }

  @Test("A list whose read failed meanwhile is read again when the store is back")
  func failed() throws {
    var machine = try liveMachine()
    guard case .read(let request) = machine.fetch(again: true) else { throw error }
    machine.readStarted(request, Task {})
    if case .none = machine.receive(.interrupted(error)) {
    } else {
      Issue.record("The read has its own pending.")
    }
    _ = machine.readFailed(error)
    #expect(!machine.isCurrent && machine.failures.count == 2)
    guard case .read(let again) = machine.receive(.resumed) else { throw error }
    machine.readStarted(again, Task {})
    let actions = machine.readFinished(ListState<Int>(machine.plan), at: FetchPosition(2), took: .zero)
    #expect(actions.compactMap { update($0)?.isResumption } == [true])
  }

  @Test("A list whose read fails only after the store is back is read again, unless it is away again")
  func failedLate() throws {
    var machine = try liveMachine()
    guard case .read(let request) = machine.fetch(again: true) else { throw error }
    machine.readStarted(request, Task {})
    for event in [.interrupted(error), .resumed] as [FetchStoreEvent] {
      guard case .none = machine.receive(event) else { throw error }
    }
    guard case .read(let again)? = machine.readFailed(error).last else { throw error }
    machine.readStarted(again, Task {})
    // Once for each time that the store has come back, and told once.
    #expect(machine.readFailed(error).isEmpty && !machine.isCurrent)

    guard case .read(let later) = machine.fetch(again: true) else { throw error }
    machine.readStarted(later, Task {})
    for event in [.resumed, .interrupted(error)] as [FetchStoreEvent] { _ = machine.receive(event) }
    #expect(machine.readFailed(error).count == 1 && machine.failures.count == 2)
    guard case .read = machine.receive(.resumed) else { throw error }
  }

  @Test(
    "A failure is told once for all reads that the store's return has asked for, and its end where nothing else has changed"
  )
  func failedAgain() throws {
    var machine = try liveMachine()
    guard case .read(let request) = machine.fetch(again: true) else { throw error }
    machine.readStarted(request, Task {})
    #expect(machine.readFailed(error).count == 1)
    for other in [error, .database(CancellationError())] {
      guard case .read(let again) = machine.receive(.resumed) else { throw error }
      machine.readStarted(again, Task {})
      #expect(machine.readFailed(other).count == (other.kind == error.kind ? 0 : 1))
    }
    guard case .read(let last) = machine.receive(.resumed) else { throw error }
    machine.readStarted(last, Task {})
    let actions = machine.readFinished(machine.list, at: FetchPosition(1), took: .zero)
    #expect(actions.compactMap { update($0)?.isResumption } == [true] && machine.isCurrent)
  }

  @Test("Events that waited for a read do not end an interruption that came after them")
  func waiting() throws {
    var machine = try liveMachine()
    guard case .read(let request) = machine.fetch(again: true) else { throw error }
    machine.readStarted(request, Task {})
    _ = machine.receive(commit(5))
    _ = machine.receive(.interrupted(error))
    _ = machine.readFinished(ListState<Int>(machine.plan), at: FetchPosition(4), took: .zero)
    #expect(!machine.isCurrent && machine.failures.map(\.kind) == [.interrupted])
  }

  @Test("A closed list is not interrupted")
  func closed() throws {
    var machine = try liveMachine()
    _ = machine.receive(.closed)
    if case .none = machine.receive(.interrupted(error)) {} else { Issue.record("Nothing follows the end.") }
    #expect(machine.failures.isEmpty)
  }
}

import Foundation
import LiveFetch
import LiveListsTestSupport
import _TestTools
import Snapshots
import Testing

/// Single commits, with exactly what listeners are notified of.
@Suite("What a commit is as a change of a list")
struct ChangeEventTests {
  let store = InMemoryStore()

  func controller(
    _ request: FetchDescriptor<Piece> = FetchDescriptor().ordered(by: .ascending(\.key)).sectioned(
      by: \.section)
  ) -> FetchController<Piece> { FetchController(request, in: store) }

  /// a[1(key 10), 2(key 20)] b[3(key 10)]
  func listening() async throws -> (FetchController<Piece>, FetchChanges<Int>.Iterator) {
    store.put(Piece(1, "a", 10), Piece(2, "a", 20), Piece(3, "b", 10))
    let controller = controller()
    let snapshot = try await controller.performFetch()
    #expect(snapshot == ["a": [1, 2], "b": [3]])
    let iterator = controller.changes.makeAsyncIterator()
    let first = try #require(try await iterator.next())
    #expect(first.isInitial && first.inserted == [1, 2, 3])
    return (controller, iterator)
  }

  @Test("Before the first fetch there is nothing, and a request without an order is refused")
  func beforeFetch() async throws {
    #expect(controller().snapshot == nil)
    let error = await #expect(throws: FetchError.self) {
      try await FetchController(FetchDescriptor<Piece>(), in: store).performFetch()
    }
    #expect(error?.kind == .request)
    #expect(throws: FetchDescriptorError.self) { try FetchDescriptor<Piece>().validated() }
  }

  @Test("Without rows there is one section when unsectioned, and none otherwise")
  func empty() async throws {
    #expect(try await controller(FetchDescriptor().ordered(by: .ascending(\.id))).performFetch() == ["": []])
    #expect(try await controller().performFetch().numberOfSections == 0)
  }

  @Test("Sections come in order, and the index has a title for each letter")
  func sectionIndex() async throws {
    store.put(Piece(1, "b", 1), Piece(2, "a", 2), Piece(3, "a", 1), Piece(4, "ab", 1))
    let controller = controller()
    #expect(try await controller.performFetch() == ["a": [3, 2], "ab": [4], "b": [1]])
    #expect(controller.sectionIndex().map(\.title) == ["A", "B"])
    #expect(controller.sectionIndex().map(\.section) == [0, 2])
    #expect(controller.sectionIndex { $0 == "b" ? nil : $0.text }.map(\.title) == ["a", "ab"])
  }

  #if DEBUG
    @Test("More sections than a list can have are refused, with the reason")
    func tooManySections() async throws {
      store.put(Piece(1, "a", 1), Piece(2, "b", 1), Piece(3, "c", 1))
      let error = await SectionLimit.$lowered.withValue(2) {
        await #expect(throws: FetchError.self) { try await controller().performFetch() }
      }
      #expect(error?.kind == .tooManySections)
      #expect(error?.underlying is SnapshotError<FetchSectionID, Int>)
    }

    @Test("A commit that would make a section too many is refused, with the reason, and the list stays")
    func oneSectionTooMany() async throws {
      let (controller, changes) = try await listening()
      try await SectionLimit.$lowered.withValue(2) {
        store.put(Piece(4, "c", 10))
        let change = try #require(try await changes.next())
        #expect(change.failures.map(\.kind) == [.tooManySections])
        #expect(change.snapshot == ["a": [1, 2], "b": [3]])
        // By the rows alone, without reading anew.
        let plan = try FetchDescriptor<Piece>().ordered(by: .ascending(\.key)).sectioned(by: \.section).plan()
        var state = ListState<Int>(plan)
        func put(_ id: Int64, in section: String) throws {
          let values = plan.columns.map { column -> FetchValue in
            column.name == "section" ? .text(section) : .integer(id)
          }
          let row = ChangeSet.Row(id: .integer(id), values: values)
          let names = plan.columns.map(\.name)
          _ = try state.apply(
            ChangeSet(position: FetchPosition(2), columns: names, tableColumns: names, rows: [row]))
        }
        try put(1, in: "a")
        try put(2, in: "b")
        let error = #expect(throws: FetchError.self) { try put(3, in: "c") }
        #expect(error?.kind == .tooManySections && error?.underlying is SnapshotError<FetchSectionID, Int>)
      }
      store.remove(4)
      await controller.waitUntilCurrent()
      #expect(controller.snapshot == ["a": [1, 2], "b": [3]])
    }
  #endif

  @Test("A section that begins again is an error, and the same sections by folded text are none")
  func outOfOrder() async throws {
    store.put(Piece(1, name: "apple"), Piece(2, name: "Apple"), Piece(3, name: "apple"))
    let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.name, folded: true))
    let raw = controller(request.sectioned(by: \.name, order: .bySortKeys))
    let error = await #expect(throws: FetchError.self) { try await raw.performFetch() }
    #expect(error?.kind == .outOfOrderSection)
    #expect(raw.snapshot == nil)
    #expect(
      try await controller(request.sectioned(by: .folded(\.name))).performFetch() == ["apple": [1, 2, 3]])
    #expect(
      try await controller(request.sectioned(by: \.name)).performFetch() == ["Apple": [2], "apple": [1, 3]])
  }

  @Test("No value is the section without a name, and months are in the order of time")
  func months() async throws {
    let march = Date(timeIntervalSince1970: 1_709_300_000)
    store.put(
      Piece(1, taken: march), Piece(2, taken: march.addingTimeInterval(40 * 86_400)), Piece(3))
    let up = controller(FetchDescriptor().ordered(by: .ascending(\.taken)).sectioned(by: .month(\.taken)))
    #expect(try await up.performFetch() == ["": [3], "2024-03": [1], "2024-04": [2]])
    let down = controller(FetchDescriptor().ordered(by: .descending(\.taken)).sectioned(by: .month(\.taken)))
    #expect(try await down.performFetch() == ["2024-04": [2], "2024-03": [1], "": [3]])
  }

  @Test("An unknown identifier has no index path and no object")
  func strangers() async throws {
    let (controller, _) = try await listening()
    #expect(controller.indexPath(for: 99) == nil)
    #expect(controller.object(for: 99) == nil)
    #expect(controller.id(at: ListIndexPath(item: 5, section: 0)) == nil)
    #expect(controller.object(for: 2)?.key == 20)
  }

  @Test("An insertion names the inserted row alone")
  func insertion() async throws {
    let (_, changes) = try await listening()
    store.put(Piece(4, "a", 5), origin: "drop")
    let change = try #require(try await changes.next())
    #expect(
      change.inserted == [4] && change.updated.isEmpty && change.moved.isEmpty && change.deleted.isEmpty)
    #expect(change.difference.insertedSections.isEmpty)
    #expect(change.snapshot == ["a": [4, 1, 2], "b": [3]])
    #expect(change.origins == ["drop"])
  }

  @Test("A key that stays between its neighbours is an update, another a move and no update")
  func updateOrMove() async throws {
    let (_, changes) = try await listening()
    store.put(Piece(1, "a", 15))
    let update = try #require(try await changes.next())
    #expect(update.updated == [1] && update.moved.isEmpty && !update.difference.changesStructure)
    #expect(update.snapshot.reconfiguredItemIdentifiers == [1])
    store.put(Piece(1, "a", 25))
    let move = try #require(try await changes.next())
    #expect(move.moved == [1] && move.updated.isEmpty)
    #expect(move.snapshot == ["a": [2, 1], "b": [3]])
  }

  @Test("A row of another section moves there, and a tie is broken by the primary key")
  func otherSection() async throws {
    let (_, changes) = try await listening()
    store.put(Piece(1, "b", 10))
    let change = try #require(try await changes.next())
    #expect(change.moved == [1] && change.snapshot == ["a": [2], "b": [1, 3]])
    #expect(change.difference.insertedSections.isEmpty && change.difference.deletedSections.isEmpty)
  }

  @Test("A row that goes alone into a new section moves")
  func newSection() async throws {
    let (_, changes) = try await listening()
    store.put(Piece(2, "aa", 20))
    let change = try #require(try await changes.next())
    #expect(change.moved == [2] && change.difference.insertedSections.map(\.id) == ["aa"])
    #expect(change.snapshot == ["a": [1], "aa": [2], "b": [3]])
  }

  @Test("The only row of a section takes it along under another name")
  func renamedSection() async throws {
    let (_, changes) = try await listening()
    store.put(Piece(3, "c", 10))
    let change = try #require(try await changes.next())
    #expect(change.difference.deletedSections.map(\.id) == ["b"])
    #expect(change.difference.insertedSections.map(\.id) == ["c"])
    #expect(change.moved == [3] && change.snapshot == ["a": [1, 2], "c": [3]])
  }

  @Test("A row that others push aside is updated, not moved")
  func pushedAside() async throws {
    let (_, changes) = try await listening()
    store.put(Piece(2, "a", 20, hidden: 1), Piece(4, "a", 5))
    let change = try #require(try await changes.next())
    #expect(change.inserted == [4] && change.updated == [2] && change.moved.isEmpty)
  }

  @Test("A row that no longer matches is deleted, and one that begins to is inserted; others are silence")
  func membership() async throws {
    store.put(Piece(1, "a", 1), Piece(2, "a", 2))
    let controller = controller(
      FetchDescriptor().filter(#Predicate { $0.key < 5 }).ordered(by: .ascending(\.key)))
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(9, "a", 9))
    store.put(Piece(2, "a", 7))
    let gone = try #require(try await changes.next())
    #expect(gone.deleted == [2] && gone.cost.commits == 1)
    store.put(Piece(2, "a", 3))
    #expect(try #require(try await changes.next()).inserted == [2])
    store.write { $0.put(["id": .integer(1)], in: "another table") }
    #expect(controller.statistics.deliveries == 3)
  }

  @Test("Swapping the keys of neighbours is one move and one update; shifting all keys is updates")
  func swapping() async throws {
    let (_, changes) = try await listening()
    store.put(Piece(1, "a", 20), Piece(2, "a", 10))
    let swap = try #require(try await changes.next())
    #expect(swap.moved.count == 1 && swap.updated.count == 1)
    store.put(Piece(1, "a", 21), Piece(2, "a", 11), Piece(3, "b", 11))
    let shift = try #require(try await changes.next())
    #expect(shift.moved.isEmpty && Set(shift.updated) == [1, 2, 3])
  }

  @Test("Keys that change and leave the order as it is are updates, also beside a row that keeps its key")
  func shifting() async throws {
    store.put(Piece(1, "a", 10), Piece(2, "a", 20), Piece(3, "a", 30))
    let controller = controller()
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(1, "a", 11), Piece(2, "a", 21), Piece(3, "a", 30, hidden: 1))
    let change = try #require(try await changes.next())
    #expect(change.moved.isEmpty && Set(change.updated) == [1, 2, 3])
  }

  @Test("Rows with equal orders are in the order of their keys, and gaps are legal")
  func equalOrders() async throws {
    store.put(Piece(5, "a", 1), Piece(4, "a", 1), Piece(1, "a", 0), Piece(9, "a", 40_000))
    let controller = controller()
    #expect(try await controller.performFetch() == ["a": [1, 4, 5, 9]])
    store.remove(4)
    store.put(Piece(3, "a", 1))
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["a": [1, 3, 5, 9]])
  }

  @Test(
    "Before the commit nothing is notified; what a delegate writes in a call comes in a call of its own"
  )
  func pending() async throws {
    store.put(Piece(1, "a", 10))
    let controller = controller()
    try await controller.performFetch()
    store.write { transaction in
      transaction.put(Piece(2, "a", 5).row, in: "piece")
      #expect(controller.indexPath(for: 1) == ListIndexPath(item: 0, section: 0))
      transaction.put(Piece(3, "a", 6).row, in: "piece")
      #expect(controller.statistics.commits == 0 && controller.snapshot?.numberOfItems == 1)
    }
    #expect(controller.statistics.commits == 1 && controller.indexPath(for: 1)?.item == 2)
    let writer = WritingDelegate(store)
    controller.setDelegate(writer)
    #expect(await writer.calls(3) == ["begin 3", "end 3", "begin 4", "end 4", "begin 5", "end 5"])
  }

  @Test("A row that is taken away by itself is deleted, and after a reset the list is what is there")
  func invalidated() async throws {
    let (controller, changes) = try await listening()
    store.remove(2)
    #expect(try #require(try await changes.next()).deleted == [2])
    store.reset()
    await controller.waitUntilCurrent()
    #expect(try await controller.performFetch() == ["a": [1], "b": [3]])
  }

  @Test(
    "What is notified as moved or updated was touched, and the differences lead there",
    arguments: 1...8 as ClosedRange<UInt64>)
  func touchedOnly(_ seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let controller = controller()
    var replayed = try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    for step in 0..<80 {
      var touched: Set<Int> = []
      let before = controller.snapshot
      store.write { transaction in
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let id = Int.random(in: 0..<20, using: &random)
          touched.insert(id)
          if Int.random(in: 0..<5, using: &random) == 0 {
            transaction.remove(.integer(Int64(id)), from: "piece")
          } else {
            let section = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
            transaction.put(Piece(id, section, .random(in: 0..<9, using: &random)).row, in: "piece")
          }
        }
      }
      await controller.waitUntilCurrent()
      if controller.snapshot == before, touched.isDisjoint(with: before?.itemIdentifiers ?? []) { continue }
      let change = try #require(try await changes.next())
      replayed = try replayed.applying(change.difference)
      #expect(replayed == controller.snapshot, "seed \(seed), step \(step)")
      let notified = change.updated + change.moved + change.inserted + change.deleted
      #expect(touched.isSuperset(of: notified), "seed \(seed), step \(step)")
      #expect(Set(notified).count == notified.count, "seed \(seed), step \(step): a row is notified twice")
    }
  }

  @Test("At the last rank that there is, there is a typed error, and no rank wraps around")
  func lastRank() throws {
    let last = try #require(Rank(bytes: [0x86] + Array(repeating: 0xFF, count: 7)))
    let first = try #require(Rank(bytes: [0x79] + Array(repeating: 0, count: 7)))
    #expect(throws: RankError.exhausted) { try Rank.between(last, nil) }
    #expect(throws: RankError.exhausted) { try Rank.between(nil, first) }
    #expect(throws: RankError.exhausted) { try Rank.place(1, before: [last], after: []) }
    let inside = try Rank.between(first, last)
    #expect(first < inside && inside < last)
    #expect(try Rank.between(nil, last) < last)
  }

  @Test("Forty thousand rows are in order, more than sixteen bits count")
  func manyOrders() async throws {
    let ranks = try Rank.between(nil, nil, count: 40_000)
    #expect(zip(ranks, ranks.dropFirst()).allSatisfy(<))
    store.write { transaction in
      for number in (0..<40_000).reversed() { transaction.put(Piece(number, "a", number).row, in: "piece") }
    }
    let controller = controller()
    #expect(try await controller.performFetch().itemIdentifiers == Array(0..<40_000))
    store.put(Piece(40_000, "a", 40_000))
    #expect(controller.snapshot?.items.last == 40_000)
  }
}

/// A delegate that writes while it is notified, until there are five rows.
private actor WritingDelegate: FetchControllerDelegate {
  private let store: InMemoryStore
  private var log: [String] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<[String], Never>)?

  init(_ store: InMemoryStore) { self.store = store }

  func listDidChange(_ change: FetchChange<Int>) async {
    let count = change.snapshot.numberOfItems
    log.append("begin \(count)")
    if count < 5 { store.put(Piece(count + 10, "a", count + 10)) }
    await Task.yield()
    log.append("end \(count)")
    if let (count, continuation) = waiting, log.count >= count * 2 {
      waiting = nil
      continuation.resume(returning: log)
    }
  }

  /// Returns the log, once it has so many calls.
  func calls(_ count: Int) async -> [String] {
    if log.count >= count * 2 { return log }
    return await withCheckedContinuation { waiting = (count, $0) }
  }
}

import Foundation
import LiveFetch
import LiveListsTestSupport
import _TestTools
import Snapshots
import Testing

@Suite("The controller")
struct ControllerTests {
  let store = InMemoryStore()
  let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key))

  func live(_ request: FetchDescriptor<Piece>? = nil) async throws -> FetchController<Piece> {
    let controller = FetchController(request ?? self.request, in: store)
    try await controller.performFetch()
    return controller
  }

  @Test("A slow listener skips to the newest, and what it is told leads there")
  func slowListener() async throws {
    store.put(Piece(1, "a", 1))
    let controller = try await live()
    let slow = controller.changes.makeAsyncIterator()
    let quick = controller.changes.makeAsyncIterator()
    let first = try #require(try await slow.next())
    _ = try await quick.next()
    for number in 2...50 {
      store.put(Piece(number, "a", number), origin: "\(number)")
      #expect(try await quick.next()?.inserted == [number])
    }
    store.put(Piece(1, "a", 99))
    store.remove(50)
    let change = try #require(try await slow.next())
    // No row that was there before is left unchanged: there is nothing past which the first could have moved.
    #expect(change.inserted == Array(2...49) && change.updated == [1] && change.moved.isEmpty)
    #expect(change.deleted.isEmpty && change.cost.commits == 51)
    #expect(change.origins == (2...50).map { "\($0)" })
    #expect(try first.snapshot.applying(change.difference) == change.snapshot)
    #expect(controller.statistics.skippedCommits >= 50)
  }

  @Test("What comes and goes while a listener sleeps is nothing to it")
  func cameAndWent() async throws {
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(1))
    store.remove(1)
    store.put(Piece(2))
    #expect(try await changes.next()?.inserted == [2])
  }

  @Test("Who gave a commit an origin is told of it, though nothing came of it")
  func originAlone() async throws {
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(1), origin: "act")
    store.remove(1)
    let change = try #require(try await changes.next())
    #expect(change.origins == ["act"] && change.difference.isEmpty && change.updated.isEmpty)
  }

  @Test("Paused, nothing is shown; resumed, all of it at once")
  func pause() async throws {
    store.put(Piece(1))
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    controller.pause()
    store.put(Piece(2))
    store.put(Piece(1, "a", 5))
    #expect(controller.snapshot == ["": [1]])
    controller.resume()
    #expect(controller.snapshot == ["": [2, 1]])
    let change = try #require(try await changes.next())
    #expect(change.inserted == [2] && change.moved == [] && change.updated == [1])
  }

  @Test("Of many commits the newest origins are told, each touched row once, and every failure")
  func manyCommits() async throws {
    store.put(Piece(1))
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    for number in 1...4_100 { store.put(Piece(1, "a", number), origin: "\(number)") }
    for id in [7, 8] {
      store.write { transaction in
        var row = Piece(id).row
        row["key"] = .text("none")
        transaction.put(row, in: "piece")
      }
    }
    let change = try #require(try await changes.next())
    #expect(change.origins == (5...4_100).map { "\($0)" })
    #expect(change.updated == [1] && change.moved.isEmpty)
    #expect(change.failures.map(\.row?.id) == ["7", "8"])
  }

  @Test("Changed rows are marked as reloaded where that is asked for")
  func reloaded() async throws {
    store.put(Piece(1), Piece(2))
    var options = FetchOptions()
    options.marksReloaded = true
    let controller = FetchController(request, in: store, options: options)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(2, hidden: 1))
    let change = try #require(try await changes.next())
    #expect(change.snapshot.reloadedItemIdentifiers == [2] && change.difference.reloadedItems == [2])
    #expect(change.snapshot.reconfiguredItemIdentifiers == [] && change.difference.reconfiguredItems == [])
  }

  @Test("Objects of rows that a commit touches are read anew, however long they have been at hand")
  func touchedObjects() async throws {
    for id in 1...6 { store.put(Piece(id, "a", id, name: "old")) }
    var options = FetchOptions()
    options.cacheSize = 8
    options.nearbyItemsSize = 1
    let controller = FetchController(request, in: store, options: options)
    try await controller.performFetch()
    for id in 1...6 { #expect(controller.object(for: id)?.name == "old") }
    for id in 1...6 { store.put(Piece(id, "a", id, name: "new")) }
    for id in 1...6 { #expect(controller.object(for: id)?.name == "new") }
  }

  @Test("Of neighbours those at hand are not read again, unless hardly any is at hand")
  func neighboursAtHand() async throws {
    for id in 0..<400 { store.put(Piece(id, "a", id)) }
    let controller = FetchController(request, in: store)
    let items = try await controller.performFetch().items
    _ = try controller.objects(in: 200..<201)
    #expect(controller.statistics.objectsRead == 1)
    #expect(controller.object(for: items[195])?.id == items[195])
    #expect(controller.statistics.objectsRead == 1 + 40)
    _ = try controller.objects(in: 300..<320)
    #expect(controller.object(for: items[295])?.id == items[295])
    #expect(controller.statistics.objectsRead == 1 + 40 + 20 + 20)
    for id in items[285..<325] { #expect(controller.object(for: id)?.id == id) }
    #expect(controller.statistics.objectsRead == 81)
  }

  @Test("What is touched during a pause is told after it, also to one who had not yet taken what came before")
  func behindAPause() async throws {
    store.put(Piece(1), Piece(2))
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(1, hidden: 1))
    controller.pause()
    store.put(Piece(2, hidden: 1))
    #expect(try #require(try await changes.next()).updated.contains(1))
    controller.resume()
    #expect(try #require(try await changes.next()).updated.contains(2))
  }

  @Test("Another filter, order or section comes as a difference; of overlapping calls the last wins")
  func update() async throws {
    store.put(Piece(1, "a", 1), Piece(2, "b", 2), Piece(3, "a", 3))
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    let first = try #require(try await changes.next())
    try await controller.update(request: request.filter(#Predicate { $0.section == "a" }))
    let filtered = try #require(try await changes.next())
    #expect(filtered.deleted == [2] && filtered.snapshot == ["": [1, 3]])
    #expect(try first.snapshot.applying(filtered.difference) == filtered.snapshot)
    try await controller.update(
      request: FetchDescriptor().ordered(by: .descending(\.key)).sectioned(by: \.section))
    #expect(controller.snapshot == ["a": [3, 1], "b": [2]])
    store.put(Piece(4, "b", 9))
    #expect(controller.snapshot == ["a": [3, 1], "b": [4, 2]])
    let words = ["x", "b"]
    for word in words {
      try await controller.update(request: request.filter(#Predicate { $0.section == word }))
    }
    #expect(controller.snapshot == ["": [2, 4]])
    let wrong = await #expect(throws: FetchError.self) {
      try await controller.update(request: FetchDescriptor())
    }
    #expect(wrong?.kind == .request)
    #expect(controller.snapshot == ["": [2, 4]])
  }

  @Test("Controllers with equal requests share one index")
  func sharing() async throws {
    store.put(Piece(1))
    let first = try await live()
    let second = try await live()
    #expect(FetchLists.count(in: store) == 1)
    #expect(second.statistics.fetches == 1)
    store.put(Piece(2))
    #expect(first.snapshot == second.snapshot && second.snapshot?.numberOfItems == 2)
    #expect(second.statistics.commits == 1)
  }

  @Test("A change of properties that are declared as not shown is silence")
  func hidden() async throws {
    store.put(Piece(1))
    let controller = try await live(request.ignoringChanges(to: \.hidden))
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    // The store in memory does not know which columns changed: it tells of the row.
    store.put(Piece(1, hidden: 5))
    #expect(try await changes.next()?.updated == [1])
  }

  @Test("A reset is answered by reading again, and delivers the difference")
  func reset() async throws {
    store.put(Piece(1))
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.reset()
    await controller.waitUntilCurrent()
    let change = try #require(try await changes.next())
    #expect(change.updated == [1] && change.cost.isReread && !change.difference.changesStructure)
  }

  @Test("When reading fails the last good list stays, the failure is told, and the next commit mends it")
  func failure() async throws {
    store.put(Piece(1))
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.failReads(with: .outOfOrderSection(name: "x"))
    store.reset()
    await controller.waitUntilCurrent()
    let failed = try #require(try await changes.next())
    #expect(failed.failures.count == 1 && failed.snapshot == ["": [1]])
    store.failReads(with: nil)
    store.put(Piece(2))
    await controller.waitUntilCurrent()
    #expect(try await changes.next()?.inserted == [2])
    #expect(controller.snapshot == ["": [1, 2]])
  }

  @Test("A section that would have to be in two positions fails the list, and it mends itself")
  func outOfOrderWhileLive() async throws {
    store.put(Piece(1, "a", 1), Piece(2, "b", 2))
    let controller = try await live(request.sectioned(by: \.section, order: .bySortKeys))
    #expect(controller.snapshot == ["a": [1], "b": [2]])
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    store.put(Piece(3, "a", 3))
    let failed = try #require(try await changes.next())
    #expect(failed.failures.first?.kind == .outOfOrderSection && failed.snapshot == ["a": [1], "b": [2]])
    store.put(Piece(3, "c", 3))
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["a": [1], "b": [2], "c": [3]])
  }

  @Test("A row that does not become an object is reported, and the others are had")
  func badObject() async throws {
    store.put(Piece(1), Piece(2))
    store.write { transaction in
      var row = Piece(3).row
      row["state"] = .text("nonsense")
      transaction.put(row, in: "piece")
    }
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    #expect(controller.object(for: 1)?.id == 1)
    let change = try #require(try await changes.next())
    #expect(change.failures.first?.row?.id == "3")
    #expect(controller.object(for: 3) == nil)
    #expect(try controller.objects(in: 0..<9).map(\.id) == [1, 2])
    #expect(try await controller.objects(for: [2, 1]).count == 2)
  }

  @Test("A row that cannot be listed is told of when that is new, and no longer when it is mended")
  func undecodableRow() async throws {
    func putBad(_ name: String, and other: Piece) {
      store.write { transaction in
        var row = Piece(2, name: name).row
        row["key"] = .text("none")
        transaction.put(row, in: "piece")
        transaction.put(other.row, in: "piece")
      }
    }
    /// Returns the first change of a controller that comes later.
    func late() async throws -> [String?] {
      let controller = FetchController(request, in: store)
      let changes = controller.changes.makeAsyncIterator()
      try await controller.performFetch()
      return try #require(try await changes.next()).failures.map(\.row?.id)
    }
    store.put(Piece(1, "a", 1))
    let controller = try await live()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    putBad("x", and: Piece(3, "a", 3))
    let new = try #require(try await changes.next())
    #expect(new.inserted == [3] && new.failures.map(\.row?.id) == ["2"])
    putBad("y", and: Piece(4, "a", 4))
    let known = try #require(try await changes.next())
    #expect(known.inserted == [4] && known.failures.isEmpty)
    #expect(try await late() == ["2"])
    store.put(Piece(2, "a", 2))
    let mended = try #require(try await changes.next())
    #expect(mended.inserted == [2] && mended.failures.isEmpty)
    #expect(try await late() == [])
    putBad("z", and: Piece(5, "a", 5))
    let again = try #require(try await changes.next())
    #expect(again.deleted == [2] && again.failures.map(\.row?.id) == ["2"])
    #expect(controller.snapshot == ["": [1, 3, 4, 5]])
  }

  @Test("A row whose section alone changes is in the new one, also where sections are no part of the order")
  func otherSectionInPlace() async throws {
    store.put(Piece(1, "a", 1), Piece(2, "a", 2), Piece(3, "c", 3))
    let controller = try await live(request.sectioned(by: \.section, order: .bySortKeys))
    store.put(Piece(2, "b", 2))
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["a": [1], "b": [2], "c": [3]])
    store.put(Piece(2, "c", 2))
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["a": [1], "c": [2, 3]])
  }

  @Test(
    "Several rows go at once where sections are no part of the order, and others come between those that stay"
  )
  func severalGo() async throws {
    for id in 1...6 { store.put(Piece(id, ["a", "a", "b", "b", "c", "c"][id - 1], id * 10)) }
    let controller = try await live(request.sectioned(by: \.section, order: .bySortKeys))
    store.remove(1, 3)
    store.put(Piece(7, "b", 35))
    await controller.waitUntilCurrent()
    #expect(controller.snapshot == ["a": [2], "b": [7, 4], "c": [5, 6]])
  }

  @Test("A limit and an offset stay exact while rows come and go", arguments: [1, 2, 3] as [UInt64])
  func window(_ seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let windows = [(4, 0), (3, 2), (0, 0), (100, 5)]
    var controllers: [FetchController<Piece>] = []
    for (limit, offset) in windows {
      controllers.append(
        try await live(request.filter(#Predicate { $0.key < 8 }).limit(limit).offset(offset)))
    }
    var pieces: [Int: Piece] = [:]
    for step in 0..<200 {
      let id = Int.random(in: 0..<15, using: &random)
      if Int.random(in: 0..<3, using: &random) == 0 {
        pieces[id] = nil
        store.remove(id)
      } else {
        let piece = Piece(id, "a", .random(in: 0..<10, using: &random))
        pieces[id] = piece
        store.put(piece)
      }
      let all = pieces.values.filter { $0.key < 8 }.sorted { ($0.key, $0.id) < ($1.key, $1.id) }.map(\.id)
      for ((limit, offset), controller) in zip(windows, controllers) {
        await controller.waitUntilCurrent()
        let expected = Array(all.dropFirst(offset).prefix(limit))
        #expect(
          controller.snapshot?.itemIdentifiers == expected, "seed \(seed), step \(step), limit \(limit)")
      }
    }
  }

  @Test("Streams end with the task, the controller and the store")
  func endings() async throws {
    store.put(Piece(1))
    let controller = try await live()
    let changes = controller.changes
    let task = Task {
      var count = 0
      for try await _ in changes { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value <= 1)
    let stopped = controller.changes.makeAsyncIterator()
    _ = try await stopped.next()
    controller.stop()
    #expect(try await stopped.next() == nil)
    let closed = try await live()
    let iterator = closed.changes.makeAsyncIterator()
    _ = try await iterator.next()
    store.close()
    #expect(try await iterator.next() == nil)
  }

  @Test("The position does not go back when a list is followed that the last commits did not concern")
  func positionOfAList() async throws {
    for number in 1...2 { store.put(Piece(number, "a", number)) }
    let all = try await live()
    let second = request.filter(#Predicate { $0.key == 2 })
    let other = try await live(second)
    for number in 11...14 { store.put(Piece(1, "a", number)) }
    await all.waitUntilCurrent()
    let before = try #require(all.position)
    try await all.update(request: second)
    #expect(all.snapshot == other.snapshot)
    #expect(try #require(all.position) >= before)
  }

  @Test("After a stop a fetch makes the list live again, for those who listen from then on")
  func stoppedAndFetched() async throws {
    store.put(Piece(1))
    let controller = try await live()
    let former = controller.changes.makeAsyncIterator()
    _ = try await former.next()
    controller.stop()
    let between = controller.changes.makeAsyncIterator()
    #expect(try await between.next()?.snapshot.itemIdentifiers == [1])
    store.put(Piece(2))
    try await controller.performFetch()
    let behind = controller.changes.makeAsyncIterator()
    #expect(try await former.next() == nil)
    #expect(try await between.next()?.inserted == [2])
    #expect(try await behind.next()?.snapshot.itemIdentifiers == [1, 2])
    store.put(Piece(3))
    #expect(try await between.next()?.inserted == [3])
    #expect(try await behind.next()?.inserted == [3])
    // A store that is closed ends them for good.
    store.close()
    #expect(try await between.next() == nil)
    let last = controller.changes.makeAsyncIterator()
    #expect(try await last.next()?.snapshot.itemIdentifiers == [1, 2, 3])
    #expect(try await last.next() == nil)
  }

  @Test("A delegate is told as a listener is, and does not keep the controller alive")
  func delegate() async throws {
    actor Delegate: FetchControllerDelegate {
      private var changes: [FetchChange<Int>] = []
      private var waiting: CheckedContinuation<FetchChange<Int>, Never>?

      func listDidChange(_ change: FetchChange<Int>) {
        if let waiting {
          self.waiting = nil
          waiting.resume(returning: change)
        } else {
          changes.append(change)
        }
      }

      func next() async -> FetchChange<Int> {
        if !changes.isEmpty { return changes.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }
      }
    }
    let delegate = Delegate()
    weak var released: FetchController<Piece>?
    do {
      let controller = try await live()
      released = controller
      controller.setDelegate(delegate)
      #expect(await delegate.next().isInitial)
      store.put(Piece(1))
      #expect(await delegate.next().inserted == [1])
    }
    #expect(released == nil)
  }

  @Test("A listener that is there before the first fetch gets it when it is made")
  func early() async throws {
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    let changes = controller.changes.makeAsyncIterator()
    try await controller.performFetch()
    #expect(try await changes.next()?.snapshot == ["": [1]])
  }

  @Test(
    "Writers and listeners on many tasks: each listener ends at the same list, and its differences lead there"
  )
  func concurrency() async throws {
    let controller = try await live()
    let store = store
    let last = 400
    try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        let changes = controller.changes
        group.addTask {
          var replayed: DiffableSnapshot<FetchSectionID, Int>?
          for try await change in changes {
            replayed = try replayed.map { try $0.applying(change.difference) } ?? change.snapshot
            #expect(replayed == change.snapshot)
            if change.snapshot.numberOfItems == last { break }
          }
          return replayed?.itemIdentifiers ?? []
        }
      }
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<100 {
            let id = writer * 100 + number
            store.put(Piece(id, "a", (id * 7_919) % 1_000))
          }
          return []
        }
      }
      for try await items in group where !items.isEmpty {
        #expect(items == controller.snapshot?.itemIdentifiers)
      }
    }
  }
}

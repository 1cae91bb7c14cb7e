import Foundation
import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

@Suite("Failures are part of what a list is")
struct FailureTests {
  let store = InMemoryStore()
  let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key))

  private func putBad(_ ids: Int...) {
    store.write { transaction in
      for id in ids {
        var row = Piece(id).row
        row["key"] = .text("none")
        transaction.put(row, in: "piece")
      }
    }
  }

  @Test("Who listens after the fetch is told of the rows that cannot be listed, and they are counted")
  func listeningAfterwards() async throws {
    store.put(Piece(1))
    putBad(2)
    let controller = FetchController(request, in: store)
    #expect(try await controller.performFetch() == ["": [1]])
    #expect(controller.failures.map(\.row?.id) == ["2"] && controller.statistics.failures == 1)
    let first = try #require(try await controller.changes.makeAsyncIterator().next())
    #expect(first.failures.map(\.row?.id) == ["2"])
    putBad(3)
    #expect(controller.statistics.failures == 2)
    putBad(3)
    #expect(controller.statistics.failures == 2)
    #expect(Set(controller.failures.map(\.row?.id)) == ["2", "3"])
    // Reading says nothing new.
    try await controller.performFetch()
    #expect(controller.statistics.failures == 2)
    store.put(Piece(2), Piece(3))
    #expect(controller.failures.isEmpty)
    #expect(try #require(try await controller.changes.makeAsyncIterator().next()).failures.isEmpty)
  }

  @Test("Who listens to a list that could not be read is told so, until it is")
  func failedList() async throws {
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    store.failReads(with: .outOfOrderSection(name: "x"))
    store.reset()
    await controller.waitUntilCurrent()
    let first = try #require(try await controller.changes.makeAsyncIterator().next())
    #expect(first.failures.map(\.kind) == [.outOfOrderSection] && first.snapshot == ["": [1]])
    store.failReads(with: nil)
    store.put(Piece(2))
    await controller.waitUntilCurrent()
    #expect(controller.failures.isEmpty && controller.snapshot == ["": [1, 2]])
  }

  @Test("A listener that never reads keeps no more than the newest failures, of objects as well")
  func bounded() async throws {
    store.put(Piece(1))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    for id in 10..<1_510 { putBad(id) }
    store.write { transaction in
      var row = Piece(2, name: "bad").row
      row["state"] = .text("nonsense")
      transaction.put(row, in: "piece")
    }
    for _ in 0..<5 { #expect(controller.object(for: 2) == nil) }
    let change = try #require(try await changes.next())
    let failed = (511..<1_510).map { "\($0)" } + ["2"]
    #expect(change.failures.map(\.row?.id) == failed)
    #expect(controller.statistics.failures == 1_501)
  }

  @Test(
    "Who asks for an object that cannot be made whenever a change comes is told once, and again after the next"
  )
  func objectsOfEveryChange() async throws {
    func putNonsense() {
      store.write { transaction in
        var row = Piece(2, name: "bad").row
        row["state"] = .text("nonsense")
        transaction.put(row, in: "piece")
      }
    }
    store.put(Piece(1), Piece(2))
    let controller = FetchController(request, in: store)
    try await controller.performFetch()
    let changes = controller.changes.makeAsyncIterator()
    _ = try await changes.next()
    for round in 1...2 {
      putNonsense()
      #expect(try await changes.next()?.updated == [2])
      for _ in 0..<3 { #expect(controller.object(for: 2) == nil) }
      #expect(try await changes.next()?.failures.map(\.row?.id) == ["2"])
      for _ in 0..<3 { #expect(controller.object(for: 2) == nil) }
      store.put(Piece(1, name: "next \(round)"))
      // The next change is of the write, with no failure of what was told.
      let next = try #require(try await changes.next())
      #expect(next.updated == [1] && next.failures.isEmpty)
      store.put(Piece(2))
      _ = try await changes.next()
    }
  }

  @Test("Dates that all rows store in another form are refused with the cure; one such row is a bad row")
  func otherDates() async throws {
    func putText(_ id: Int) {
      store.write { transaction in
        var row = Piece(id).row
        row["taken"] = .text("2024-03-01 12:00:00.000")
        transaction.put(row, in: "piece")
      }
    }
    putText(1)
    putText(2)
    let request = FetchDescriptor<Piece>().ordered(by: .descending(\.taken))
    let controller = FetchController(request, in: store)
    let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
    #expect(error?.kind == .request && error?.description.contains("stored: .dateText") == true)
    // Also where it is shown as any error is.
    #expect(error?.localizedDescription == error?.description)
    #expect(controller.snapshot == nil)
    store.put(Piece(2, taken: Date(timeIntervalSince1970: 0)))
    #expect(try await controller.performFetch() == ["": [2]])
    #expect(controller.failures.map(\.row?.id) == ["1"])
    #expect(controller.failures[0].description.contains("stored: .dateText"))
    // A list that is live does not end by it.
    putText(2)
    #expect(try await controller.performFetch() == ["": []])
  }

  @Test(
    "A whole number in a column of dates: a form is named only where the number may be of it",
    arguments: [
      ("seconds", Int64(1_700_000_000), "dateSeconds"), ("milliseconds", 1_700_000_000_000, "milliseconds"),
      ("microseconds", 1_700_000_000_000_000, "stored: .date`"), ("small", 7, "how its dates are stored"),
    ])
  func numbersForDates(_ form: (name: String, number: Int64, cure: String)) async throws {
    struct Written: FetchModel {
      var id: Int
      var at: Date
      static let fetchTable = FetchTable<Written>(
        "written", id: .column("id", \.id), columns: [.column("at", \.at, stored: .dateText)])
      init(fetchRow row: FetchRow) throws { (id, at) = (try row["id"], try row["at"]) }
    }
    store.write { transaction in
      transaction.put(["id": .integer(1), "at": .integer(form.number)], in: "written")
    }
    let controller = FetchController(
      FetchDescriptor<Written>().ordered(by: .ascending(\.at)), in: store)
    let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
    let description = try #require(error?.description)
    #expect(description.contains(form.cure), "\(description)")
    #expect(description.contains("stored: .date`") == (form.name == "microseconds"))
    #expect(description.contains("dateSeconds") == (form.name == "seconds"))
  }

  @Test("A list that could not be read at first says why, until it is")
  func failedFirst() async throws {
    store.put(Piece(1))
    store.failReads(with: .outOfOrderSection(name: "x"))
    let controller = FetchController(request, in: store)
    await #expect(throws: FetchError.self) { try await controller.performFetch() }
    #expect(controller.failures.map(\.kind) == [.outOfOrderSection])
    store.failReads(with: nil)
    try await controller.performFetch()
    #expect(controller.failures.isEmpty)
    let wrong = FetchController(FetchDescriptor<Piece>(), in: store)
    await #expect(throws: FetchError.self) { try await wrong.performFetch() }
    #expect(wrong.failures.map(\.kind) == [.request])
  }

  @Test("A date that no column can hold is told by its number")
  func distantDate() async throws {
    let date = Date(timeIntervalSince1970: 1e300)
    let controller = FetchController(request.filter(#Predicate { $0.taken ?? date < date }), in: store)
    let error = await #expect(throws: FetchError.self) { try await controller.performFetch() }
    #expect(error?.description.contains("1e+300") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("unavailable") == false)
  }
}

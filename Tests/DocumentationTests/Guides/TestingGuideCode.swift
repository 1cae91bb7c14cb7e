#if SQLite
  import ListSourcesTestSupport
  import LiveLists
  import LiveListsTestSupport
  import Testing

  // The code of "Testing your lists". It stands there line by line, and runs here as it would in the reader's tests.

  struct ToDo: LiveRecord, DraftModel, Hashable {
    var id: Int64
    var title: String
    var isDone: Bool
  }

  extension FetchDescriptor<ToDo> {
    static let open = FetchDescriptor<ToDo>().filter(#Predicate { !$0.isDone }).ordered(
      by: .ascending(\.title))
  }

  struct ToDoTests {
    let store = InMemoryStore()

    /// Puts rows into the store in memory, as a write to the database would.
    private func put(_ toDos: ToDo...) throws {
      try store.write { table in
        for toDo in toDos { table.put(try toDo.fetchValues(), in: "toDo") }
      }
    }

    @Test("A to-do that is done leaves the list")
    func doneLeaves() async throws {
      try put(ToDo(id: 1, title: "Bake", isDone: false), ToDo(id: 2, title: "Answer", isDone: false))
      let open = FetchController(.open, in: store)
      let changes = open.changes.makeAsyncIterator()
      let first = try await changes.next()
      #expect(first?.snapshot.itemIdentifiers == [2, 1])

      try put(ToDo(id: 2, title: "Answer", isDone: true))
      let second = try await changes.next()
      #expect(second?.deleted == [2] && second?.snapshot.itemIdentifiers == [1])
    }

    @Test("A rename moves one row and reads one row")
    func renameMovesOneRow() async throws {
      for id in 1...1_000 as ClosedRange<Int64> { try put(ToDo(id: id, title: "Step \(id)", isDone: false)) }
      let open = FetchController(.open, in: store)
      let changes = open.changes.makeAsyncIterator()
      _ = try await changes.next()

      try put(ToDo(id: 500, title: "A first step", isDone: false))
      let change = try #require(try await changes.next())
      #expect(change.moved == [500] && change.snapshot.itemIdentifiers.first == 500)
      #expect(change.cost.rowsRead <= 1)
    }

    @Test("The view is asked for nothing impossible")
    func legalBatches() async throws {
      let view = StrictListView<FetchSectionID, Int64, String>()
      let open = FetchController(.open, in: store)
      let source = DiffableDataSource(target: view) { id in open.object(for: id)?.title }
      let changes = open.changes.makeAsyncIterator()
      for round in 0..<20 {
        for id in 1...12 as ClosedRange<Int64> {
          try put(ToDo(id: id, title: "\(Int.random(in: 0..<100))", isDone: Bool.random()))
        }
        if let change = try await changes.next() { await source.apply(change) }
        #expect(view.violations.isEmpty, "round \(round)")
        #expect(view.sections.flatMap(\.items) == open.snapshot?.itemIdentifiers)
      }
    }

    @Test("A failure of the database leaves the list as it was")
    func failedFetch() async throws {
      try put(ToDo(id: 1, title: "Bake", isDone: false))
      let open = FetchController(.open, in: store)
      try await open.performFetch()

      store.failReads(with: .closed)
      await #expect(throws: FetchError.self) { try await open.performFetch() }
      #expect(open.snapshot?.itemIdentifiers == [1])
    }
  }
#endif

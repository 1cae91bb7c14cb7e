#if DEBUG
  import LiveFetch
  import LiveListsTestSupport
  import Snapshots
  import Testing

  @Suite("More sections than a list can have")
  struct FetchedSectionLimitTests {
    private let store = InMemoryStore()
    private let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.key))
      .sectioned(by: \.section, order: .ascending)

    @Test("A list with too many sections is refused with the reason")
    func fetched() async throws {
      for number in 0..<6 { store.put(Piece(number, "s\(number)", number)) }
      let controller = FetchController(request, in: store)
      let error = await SectionLimit.$lowered.withValue(5) {
        await #expect(throws: FetchError.self) { try await controller.performFetch() }
      }
      #expect(error?.kind == .tooManySections && error?.description.contains("at most") == true)
    }

    @Test("A section too many fails the live list, the last good one stays, and it mends itself")
    func live() async throws {
      for number in 0..<5 { store.put(Piece(number, "s\(number)", number)) }
      let controller = FetchController(request, in: store)
      let good = try await controller.performFetch()
      let changes = controller.changes.makeAsyncIterator()
      _ = try await changes.next()
      await SectionLimit.$lowered.withValue(5) {
        store.put(Piece(9, "s9", 9))
        await controller.waitUntilCurrent()
      }
      let change = try #require(try await changes.next())
      #expect(change.failures.map(\.kind) == [.tooManySections] && change.snapshot == good)
      store.put(Piece(9, "s4", 9))
      await controller.waitUntilCurrent()
      #expect(controller.snapshot?.numberOfSections == 5 && controller.snapshot?.numberOfItems == 6)
    }

    @Test("SQL of a request's own that gives too many sections is refused with the reason")
    func raw() throws {
      let plan = try FetchDescriptor<Piece>.sql(
        "SELECT id, section FROM piece ORDER BY section", reading: ["piece"], isSectioned: true
      ).plan()
      let rows = (0..<6).map { [FetchValue.integer($0), .text("s\($0)")] }
      let error = SectionLimit.$lowered.withValue(5) {
        #expect(throws: FetchError.self) { try ListState<Int>(plan, reading: ArrayCursor(rows)) }
      }
      #expect(error?.kind == .tooManySections)
    }
  }
#endif

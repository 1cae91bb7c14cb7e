import LiveDrafts

/// A store that hands on what it does not do itself.
protocol ForwardingStore: DraftSaving {
  var base: any DraftSaving { get }
}

extension ForwardingStore {
  func observe(
    _ plan: FetchPlan, receive: @escaping @Sendable (FetchStoreEvent) -> Void
  ) -> FetchObservation { base.observe(plan, receive: receive) }

  func waitUntilCurrent() async { await base.waitUntilCurrent() }

  func read<Result: Sendable>(
    _ plan: FetchPlan, _ body: @escaping @Sendable (any FetchRowCursor) throws -> Result
  ) async throws -> (Result, FetchPosition) { try await base.read(plan, body) }

  func rows<Made>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: (FetchValue, FetchRow) -> Made
  ) throws -> [Made] { try base.rows(ids, of: plan, make) }

  func loadRows<Made: Sendable>(
    _ ids: [FetchValue], of plan: FetchPlan, _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] { try await base.loadRows(ids, of: plan, make) }

  func rows(
    in range: FetchOrderRange, of plan: FetchPlan, _ take: (FetchRawValue, FetchRow) -> Bool
  ) throws -> Bool { try base.rows(in: range, of: plan, take) }

  func loadRows<Made: Sendable>(
    _ ids: [FetchValue], in range: FetchOrderRange, of plan: FetchPlan,
    _ make: @escaping @Sendable (FetchValue, FetchRow) -> Made
  ) async throws -> [Made] { try await base.loadRows(ids, in: range, of: plan, make) }

  func columnNames(of table: String) throws -> [String]? { try base.columnNames(of: table) }
}

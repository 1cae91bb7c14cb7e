import Synchronization

/// The lists that are live on a store. Controllers with equal requests share one index.
public final class FetchLists: Sendable {
  private struct Key: Hashable {
    var plan: FetchPlan
    var id: ObjectIdentifier
  }
  private struct Weak: Sendable {
    weak var list: (any AnyObject & Sendable)?
  }
  private let known = Mutex<[Key: Weak]>([:])

  /// Creates an empty register.
  public init() {}

  /// The number of lists that are live.
  public var count: Int { known.withLock { $0.values.count { $0.list != nil } } }

  func list<ID: FetchIdentifier>(_ plan: FetchPlan, in store: any FetchStore, of id: ID.Type) -> FetchList<ID>
  {
    known.withLock { known in
      let key = Key(plan: plan, id: ObjectIdentifier(ID.self))
      if let list = known[key]?.list as? FetchList<ID> { return list }
      if known.count > 64, known.count.nonzeroBitCount == 1 { known = known.filter { $0.value.list != nil } }
      let list = FetchList<ID>(plan, in: store)
      known[key] = Weak(list: list)
      return list
    }
  }
}

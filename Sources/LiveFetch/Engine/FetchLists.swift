package import LiveStore
import Synchronization

/// The lists that are live. Controllers with equal requests on one store share one index.
///
/// They are kept here and not by the stores: a store needs nothing of the engine. A list holds its store, so that no other
/// store can have that store's identity while the list lives.
package enum FetchLists {
  private struct Key: Hashable {
    var store: ObjectIdentifier
    var plan: FetchPlan
    var id: ObjectIdentifier
  }
  private struct Weak: Sendable {
    weak var list: (any AnyObject & Sendable)?
  }
  private static let known = Mutex<[Key: Weak]>([:])

  /// The number of lists that are live on a store.
  package static func count(in store: any FetchStore) -> Int {
    known.withLock { known in
      known.count { $0.key.store == ObjectIdentifier(store) && $0.value.list != nil }
    }
  }

  static func list<ID: FetchIdentifier>(
    _ plan: FetchPlan, in store: any FetchStore, of id: ID.Type
  ) -> FetchList<ID> {
    let key = Key(store: ObjectIdentifier(store), plan: plan, id: ObjectIdentifier(ID.self))
    return known.withLock { known in
      if let list = known[key]?.list as? FetchList<ID> { return list }
      if known.count > 64, known.count.nonzeroBitCount == 1 { known = known.filter { $0.value.list != nil } }
      let list = FetchList<ID>(plan, in: store)
      known[key] = Weak(list: list)
      return list
    }
  }
}

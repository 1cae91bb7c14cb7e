import Synchronization

/// The values of the pages that are open, by the names that they give themselves.
///
/// Pages do not say that they go. So those that were used last are kept, and whatever is in use by a stream lives as long as that.
public final class PerPage<Value: Sendable>: Sendable {
  private let limit: Int
  private let isNeeded: @Sendable (Value) -> Bool
  private let make: @Sendable () -> Value
  /// The one that was used last is the last.
  private let known = Mutex<[(page: String, value: Value)]>([])

  /// Creates an empty collection.
  /// - Parameters:
  ///   - limit: The number of pages that are kept.
  ///   - isNeeded: Whether a page is kept beyond that.
  ///   - make: Makes the value of a new page.
  public init(
    limit: Int = 100, isNeeded: @escaping @Sendable (Value) -> Bool = { _ in false },
    _ make: @escaping @Sendable () -> Value
  ) {
    self.limit = limit
    self.isNeeded = isNeeded
    self.make = make
  }

  /// The value of a page, which is made if it is new.
  public subscript(page: String) -> Value {
    known.withLock { known in
      let value = known.firstIndex { $0.page == page }.map { known.remove(at: $0).value } ?? make()
      if known.count >= limit, let unused = known.firstIndex(where: { !isNeeded($0.value) }) {
        known.remove(at: unused)
      }
      known.append((page, value))
      return value
    }
  }
}

import LiveStore

/// The rows that may have changed.
enum ListTouched<ID: FetchIdentifier>: Sendable {
  /// These rows; some may be named twice.
  case some([ID])
  /// Any row.
  case all

  mutating func formUnion(_ other: Self) {
    switch other {
    case .all: self = .all
    case .some(let ids): formUnion(ids)
    }
  }

  /// Removes repetitions: of rows that several commits touched, and of two keys that make one identifier.
  /// - Complexity: O(*k*) for *k* rows.
  mutating func removeRepetitions() {
    guard case .some(let ids) = self, ids.count > 1 else { return }
    var seen: Set<ID> = []
    self = .some(ids.filter { seen.insert($0).inserted })
  }

  mutating func formUnion(_ more: [ID]) {
    guard !more.isEmpty, case .some(let ids) = self else { return }
    self = .some(ids + more)
  }
}

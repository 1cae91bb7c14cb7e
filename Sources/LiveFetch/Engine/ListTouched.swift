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

  mutating func formUnion(_ more: [ID]) {
    guard !more.isEmpty, case .some(let ids) = self else { return }
    self = .some(ids + more)
  }
}

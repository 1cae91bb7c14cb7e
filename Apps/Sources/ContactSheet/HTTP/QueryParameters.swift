import ContactSheetLibrary
/// The parameters of a query, decoded; a plus sign is a space, as forms and pages write it.
struct QueryParameters: Sendable {
  private let pairs: [(name: String, value: String)]

  init(_ query: (some StringProtocol)?) {
    pairs = (query.map { String($0) } ?? "").parts(between: "&").compactMap { pair in
      let parts = pair.parts(between: "=", maxSplits: 1, omittingEmpty: false)
      guard let name = PercentEncoding.decodedField(parts[0]) else { return nil }
      guard let value = parts.count > 1 ? PercentEncoding.decodedField(parts[1]) : "" else { return nil }
      return (name, value)
    }
  }

  /// The first value of a name.
  subscript(name: String) -> String? { pairs.first { $0.name.isExactly(name) }?.value }

  /// All values of a name, in order.
  func all(_ name: String) -> [String] { pairs.filter { $0.name.isExactly(name) }.map(\.value) }
}

import LiveDrafts
import LiveFetch
import LiveListsTestSupport
import Testing

/// The row with which drafts are tried.
typealias Item = ConformanceItem

extension InMemoryStore {
  func put(_ items: Item..., origin: String? = nil) {
    write(origin: origin) { transaction in for item in items { transaction.put(item.values, in: "item") } }
  }

  func remove(_ ids: Int...) {
    write { transaction in for id in ids { transaction.remove(.integer(Int64(id)), from: "item") } }
  }

  var items: [Int: Item] {
    get throws {
      var rows: [Int: Item] = [:]
      let values = write { $0.rows(of: "item") }.result
      for row in values.values {
        let item = try Item(fetchRow: FetchRow(DictionaryRow(row)))
        rows[item.id] = item
      }
      return rows
    }
  }
}

extension FetchDescriptor<Item> {
  static var byKey: Self { FetchDescriptor().ordered(by: .ascending(\.key)) }
}

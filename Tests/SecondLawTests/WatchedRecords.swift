#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots
  import Synchronization

  /// A record of GRDB's with a date, of which nothing says how the column stores it.
  struct DatedRecord<Key: LawKey>: FetchableRecord, FetchModel {
    var id: Key
    var date: Date?

    static var fetchTable: FetchTable<DatedRecord<Key>> {
      let naming = Naming.current.withLock { $0 }
      return FetchTable<DatedRecord<Key>>(
        naming.table, id: .column(naming.columns[.id] ?? "id", \.id, stored: naming.keyType),
        columns: [.column(naming.columns[.date] ?? "date", \.date)])
    }

    init(row: Row) throws {
      let naming = Naming.current.withLock { $0 }
      id = row[naming.columns[.id] ?? "id"]
      date = row[naming.columns[.date] ?? "date"]
    }
  }

  /// A live list of records, in the order of their dates.
  final class WatchedRecords<Key: LawKey> {
    static var spec: ListSpec { ListSpec(sorts: [Sort(role: .date)]) }
    let controller: FetchController<DatedRecord<Key>>

    init(_ store: SQLiteStore) {
      controller = FetchController(
        FetchDescriptor<DatedRecord<Key>>().ordered(by: .ascending(\.date)), in: store)
    }

    private func difference(_ kind: Difference.Kind, _ step: Int?, _ text: String) -> Difference {
      Difference(kind: kind, step: step, list: -1, text: "records: \(text)")
    }

    /// Compares the list and all its objects with the rows.
    /// - Returns: How many objects were compared.
    func compare(_ oracle: Oracle, _ step: Int?) async throws -> Int {
      await controller.waitUntilCurrent()
      let expected = oracle.expected(Self.spec, Key.self)
      guard let found = controller.snapshot?.itemIdentifiers else {
        throw difference(.list, step, "no list: \(controller.failures)")
      }
      guard found == expected.keys else {
        throw difference(.list, step, "is \(found), but the rows are \(expected.keys)")
      }
      let objects = try await controller.objects(for: found)
      for key in found {
        guard let row = expected.rowOfKey[key] else { continue }
        guard let object = objects[key] else { throw difference(.objects, step, "\(key) has no object") }
        let date = oracle.date(row)
        // GRDB's dates are of milliseconds.
        guard (object.date == nil) == (date == nil),
          abs((object.date ?? .distantPast).timeIntervalSince(date ?? .distantPast)) < 0.001
        else {
          throw difference(
            .objects, step,
            "\(key): the date is \(oracle.cell(.date, row)), the object has \(object.date as Any)")
        }
      }
      return found.count
    }
  }

  extension Oracle {
    /// The date of a row whose column has it as text.
    fileprivate func date(_ row: Int) -> Date? {
      guard case .text(let bytes) = cell(.date, row) else { return nil }
      return Self.date(of: String(decoding: bytes, as: UTF8.self))
    }
  }
#endif

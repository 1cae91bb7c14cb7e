#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import Synchronization

  /// The property of the model that a column fills.
  enum Role: String, CaseIterable, Hashable, Sendable {
    case id, number, other, real, text, name, bytes, date, made
  }

  /// Which column of the present case's table fills which property. One case runs at a time in a process.
  struct Naming: Sendable {
    var table = "item"
    var columns: [Role: String] = [:]
    var keyType = FetchColumnType.integer
    var dateType = FetchColumnType.date
    /// All columns of the table, listed or not, as of now.
    var all: [String] = []

    static let current = Mutex(Naming())
  }

  /// A key of the law's model, and how it is read from what the database stores, apart from the library.
  protocol LawKey: FetchIdentifier, DatabaseValueConvertible {
    static func read(_ cell: Cell) -> Self?
  }

  extension Int64: LawKey {
    static func read(_ cell: Cell) -> Int64? {
      if case .integer(let value) = cell { value } else { nil }
    }
  }

  extension String: LawKey {
    static func read(_ cell: Cell) -> String? {
      if case .text(let bytes) = cell { String(validating: bytes, as: UTF8.self) } else { nil }
    }
  }

  extension UUID: LawKey {
    static func read(_ cell: Cell) -> UUID? {
      switch cell {
      case .blob(let bytes) where bytes.count == 16:
        bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      case .text(let bytes): UUID(uuidString: String(decoding: bytes, as: UTF8.self))
      default: nil
      }
    }
  }

  /// The model of every case: some properties that requests name, and all of the row's values as they are stored.
  struct Item<Key: LawKey>: FetchModel {
    var id: Key
    var number: Int64?
    var other: Int64
    var real: Double?
    var text: String?
    var name: String
    var bytes: Data?
    var date: Date?
    var made: Int64?
    var values: [String: FetchValue] = [:]

    static var fetchTable: FetchTable<Item<Key>> {
      let naming = Naming.current.withLock { $0 }
      var columns: [FetchColumn<Item<Key>>] = []
      func add<Value: FetchColumnValue>(
        _ role: Role, _ path: any KeyPath<Item<Key>, Value> & Sendable, _ type: FetchColumnType? = nil
      ) {
        guard let name = naming.columns[role] else { return }
        columns.append(.column(name, path, stored: type))
      }
      add(.number, \.number)
      add(.other, \.other)
      add(.real, \.real)
      add(.text, \.text)
      add(.name, \.name)
      add(.bytes, \.bytes)
      add(.date, \.date, naming.dateType)
      add(.made, \.made)
      return FetchTable<Item<Key>>(
        naming.table, id: .column(naming.columns[.id] ?? "id", \.id, stored: naming.keyType), columns: columns
      )
    }

    init(fetchRow row: FetchRow) throws {
      let naming = Naming.current.withLock { $0 }
      id = try row.value(naming.columns[.id] ?? "id", as: naming.keyType)
      // What the law compares is `values`; the typed properties are there for requests to name.
      other = 0
      name = ""
      for column in naming.all {
        if let value = row.storedValue(column) { values[column] = value }
      }
    }
  }
#endif

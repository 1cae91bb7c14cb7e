#if SQLite
  import LiveDrafts
  import LiveFetch

  extension TaskHistory {
    /// A table of which each row may refer to two others, by its columns `parent` and `other`.
    enum Table: Int, CaseIterable, Sendable {
      case owner, shelf, photo

      /// - Parameter hasCovers: Whether owners refer to photos, as these do to them.
      fileprivate func references(hasCovers: Bool) -> (parent: Table, other: Table) {
        switch self {
        case .owner: (.owner, hasCovers ? .photo : .owner)
        case .shelf: (.owner, .shelf)
        case .photo: (.shelf, .owner)
        }
      }
    }

    /// The tables, with the rows with which each history begins.
    var schema: String {
      """
      PRAGMA defer_foreign_keys = ON;
      CREATE TABLE owner (id INTEGER PRIMARY KEY, name INTEGER,
        parent INTEGER REFERENCES owner ON DELETE \(ownersCascade ? "CASCADE" : "SET NULL"),
        other INTEGER REFERENCES \(hasCovers ? "photo" : "owner") ON DELETE SET NULL\(rest));
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, name INTEGER,
        parent INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
        other INTEGER REFERENCES shelf ON DELETE \(ownersCascade ? "SET NULL" : "CASCADE")\(rest));
      CREATE TABLE photo (id INTEGER PRIMARY KEY, name INTEGER,
        parent INTEGER NOT NULL REFERENCES shelf ON DELETE CASCADE,
        other INTEGER REFERENCES owner ON DELETE SET NULL\(rest));
      \(rows.map { "INSERT INTO \($0);" }.joined())
      \(isUnique ? Table.allCases.map { "UPDATE \($0) SET code = id;" }.joined() : "")
      \(hasTriggers ? triggers : "")
      \(hasCounts ? counting : "")
      """
    }

    /// The rows with which each history begins.
    var rows: [String] {
      [
        "owner (id, name, parent, other) VALUES (0, 0, NULL, NULL), (1, 0, NULL, 0), (2, 0, 1, NULL)",
        "shelf (id, name, parent, other) VALUES (0, 0, 0, NULL), (1, 0, 1, 0), (2, 0, 1, NULL)",
        "photo (id, name, parent, other) VALUES (0, 0, 0, 0), (1, 0, 1, 1), (2, 0, 2, NULL), (3, 0, 0, 2)",
      ]
    }

    private var rest: String {
      ", code INTEGER\(isUnique ? " UNIQUE" : ""), count INTEGER NOT NULL DEFAULT 0, CHECK (name < 9)"
    }

    /// Triggers that count the photos of shelves.
    private var counting: String {
      let count = "UPDATE shelf SET count = (SELECT count(*) FROM photo WHERE parent = shelf.id)"
      return count + ";"
        + ["INSERT", "UPDATE OF parent", "DELETE"].map { event in
          "CREATE TRIGGER count_\(event.prefix(6)) AFTER \(event) ON photo BEGIN \(count)"
            + " WHERE count <> (SELECT count(*) FROM photo WHERE parent = shelf.id); END;"
        }.joined(separator: "\n")
    }

    /// Triggers that write another name than a row was given.
    private var triggers: String {
      Table.allCases.flatMap { table in
        ["INSERT", "UPDATE OF name"].map { event in
          "CREATE TRIGGER \(table)_\(event.prefix(6)) AFTER \(event) ON \(table) WHEN NEW.name = 3 "
            + "BEGIN UPDATE \(table) SET name = 2 WHERE id = NEW.id; END;"
        }
      }.joined(separator: "\n")
    }
  }

  protocol TaskTable: Sendable { static var table: TaskHistory.Table { get } }

  struct TaskRow<Kind: TaskTable>: DraftModel, Hashable, CustomStringConvertible {
    var id: Int
    var name = 0
    var parent: Int?
    var other: Int?
    var code: Int?
    var count = 0

    static var fetchTable: FetchTable<Self> {
      FetchTable(
        "\(Kind.table)", id: .column("id", \.id),
        columns: [
          .column("name", \.name), .column("parent", \.parent), .column("other", \.other),
          .column("code", \.code), .column("count", \.count),
        ])
    }

    init(id: Int) { self.id = id }

    init(fetchRow row: FetchRow) throws {
      id = try row["id"]
      name = try row["name"]
      parent = try row["parent"]
      other = try row["other"]
      code = try row["code"]
      count = try row["count"]
    }

    fileprivate mutating func set(_ columns: [String: Int?]) {
      if let name = columns["name"] ?? nil { self.name = name }
      if let parent = columns["parent"] { self.parent = parent }
      if let other = columns["other"] { self.other = other }
      if let code = columns["code"] { self.code = code }
    }

    var description: String {
      let references = [parent, other].map { $0.map(String.init) ?? "nil" }
      return "\(Kind.table) \(id): name \(name), parent \(references[0]), other \(references[1])"
        + (code.map { ", code \($0)" } ?? "")
    }
  }

  enum Owners: TaskTable { static let table = TaskHistory.Table.owner }
  enum Shelves: TaskTable { static let table = TaskHistory.Table.shelf }
  enum Photos: TaskTable { static let table = TaskHistory.Table.photo }
  typealias Owner = TaskRow<Owners>
  typealias Shelf = TaskRow<Shelves>
  typealias Photo = TaskRow<Photos>

  extension DraftEdit {
    func exists(_ table: TaskHistory.Table, _ id: Int) throws -> Bool {
      switch table {
      case .owner: try find(Owner.self, id: id) != nil
      case .shelf: try find(Shelf.self, id: id) != nil
      case .photo: try find(Photo.self, id: id) != nil
      }
    }

    /// - Parameter hasCovers: Whether owners refer to photos, as these do to them.
    func make(_ change: TaskHistory.Change, hasCovers: Bool) throws {
      let references = change.table.references(hasCovers: hasCovers)
      switch change.table {
      case .owner: try make(change, Owner.self, references)
      case .shelf: try make(change, Shelf.self, references)
      case .photo: try make(change, Photo.self, references)
      }
    }

    private func make<Kind>(
      _ change: TaskHistory.Change, _ type: TaskRow<Kind>.Type,
      _ references: (parent: TaskHistory.Table, other: TaskHistory.Table)
    ) throws {
      let isThere = try exists(change.table, change.id)
      guard var columns = change.columns else {
        if isThere { try delete(type, id: change.id) }
        return
      }
      for (name, table) in [("parent", references.parent), ("other", references.other)] {
        if let id = columns[name] ?? nil, try !exists(table, id) { columns.removeValue(forKey: name) }
      }
      if isThere {
        try update(type, id: change.id) { $0.set(columns) }
      } else if change.table == .owner || columns["parent"] ?? nil != nil {
        var row = type.init(id: change.id)
        row.set(columns)
        try insert(row)
      }
    }
  }
#endif

import LiveListsTestSupport

/// A database the plain way, for the law of drafts: rows as Swift values, and its rules as loops over all of them.
struct LawDatabase {
  typealias Fields = DraftOracle.Fields

  /// The rules by which it does more than it is told.
  enum Rules: Sendable {
    case none
    /// Triggers change rows that are written (`SQLiteSubject.triggers`).
    case triggers
    /// Two tables with foreign keys and triggers between them (`SQLiteSubject.keys`). Rows with small ids are albums, all others items.
    case keys
  }

  /// A row that a draft saves.
  struct Statement {
    enum Kind { case insert, update, remove }
    enum Write {
      case insert(Item)
      case update(Fields)
      case remove
    }

    var id: Int
    /// The kind of the change, whatever comes of it.
    var kind: Kind
    /// nil where nothing is to be written.
    var write: Write?
  }

  /// A change that a foreign key has made to a row as another one was deleted.
  struct Effect {
    var id: Int
    var cause: Int
    var before: Item
    var after: Item?
  }

  var rules: Rules
  var rows: [Int: Item]
  var effects: [Effect] = []

  static func isAlbum(_ id: Int) -> Bool { id < 4 }

  private var items: [Item] { rows.values.filter { !Self.isAlbum($0.id) } }
  private var albums: [Item] { rows.values.filter { Self.isAlbum($0.id) } }

  /// Whether each foreign key has its row.
  var isValid: Bool {
    guard rules == .keys else { return true }
    let (ids, notes) = (Set(albums.map(\.id)), Set(albums.compactMap(\.note)))
    return items.allSatisfy { ids.contains($0.key) && ($0.note.map(notes.contains) ?? true) }
  }

  // MARK: Writes

  /// Writes as others do: whole rows, whether they are there or not.
  mutating func perform(_ write: ConformanceWrite) {
    switch write {
    case .put(let item):
      if rules == .keys, rows[item.id] != nil {
        update(item.id, DraftOracle.fields(item))
      } else {
        insert(item)
      }
    case .remove(let id): remove(id)
    }
  }

  /// Writes what a draft saves, in its order; where a row is then not there that is to be updated, with updates before deletions.
  /// - Returns: nil where that cannot be.
  func performing(_ statements: [Statement]) -> Self? {
    if let database = performed(statements) { return database.isValid ? database : nil }
    guard let first = statements.firstIndex(where: { $0.kind == .remove }) else { return nil }
    let later = statements[first...].filter { $0.kind == .update }
    let others = statements[first...].filter { $0.kind != .update }
    guard let database = performed(statements[..<first] + later + others) else { return nil }
    return database.isValid ? database : nil
  }

  private func performed(_ statements: [Statement]) -> Self? {
    var database = self
    for statement in statements {
      switch statement.write {
      case nil: break
      case .remove: database.remove(statement.id)
      case .insert(let item):
        if database.rows[item.id] != nil { return nil }
        database.insert(item)
      case .update(let fields):
        if database.rows[statement.id] == nil { return nil }
        database.update(statement.id, fields)
      }
    }
    return database
  }

  private mutating func insert(_ item: Item) {
    rows[item.id] = item
    if rules == .triggers {
      rows[item.id] = Item(
        id: item.id, section: item.section, key: min(item.key, 2), note: item.note ?? "t")
    }
  }

  private mutating func update(_ id: Int, _ fields: Fields) {
    guard let old = rows[id], var new = DraftOracle.item(DraftOracle.fields(old).merging(fields) { $1 })
    else { return }
    if rules == .triggers, fields["key"] != nil, new.key == 3 { new.key = 2 }
    rows[id] = new
    guard rules == .keys, Self.isAlbum(id) else { return }
    for item in items {
      // ON UPDATE CASCADE, and the trigger that has items follow their album's section.
      if let note = old.note, note != new.note, item.note == note { rows[item.id]?.note = new.note }
      if old.section != new.section, item.key == id { rows[item.id]?.section = new.section }
    }
  }

  private mutating func remove(_ id: Int) {
    guard let old = rows.removeValue(forKey: id), rules == .keys else { return }
    guard Self.isAlbum(id) else {
      // The trigger that counts an album's deletions.
      rows[old.key]?.key += 1
      return
    }
    for item in items.sorted(by: { $0.id < $1.id }) {
      // ON DELETE CASCADE and ON DELETE SET NULL.
      if item.key == id {
        rows[item.id] = nil
      } else if item.note != nil, item.note == old.note {
        rows[item.id]?.note = nil
      } else {
        continue
      }
      effects.append(Effect(id: item.id, cause: id, before: item, after: rows[item.id]))
    }
  }
}

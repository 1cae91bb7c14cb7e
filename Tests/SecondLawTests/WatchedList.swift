#if SQLite
  import Foundation
  import LiveFetch
  import LiveFetchSQLite
  import Snapshots

  /// A live list, what was delivered of it last, and the rows as they were then.
  final class WatchedList<Key: LawKey> {
    typealias Sections = [ListSection<Key>]

    let number: Int
    var spec: ListSpec
    let controller: FetchController<Item<Key>>
    private let changes: FetchChanges<Key>.Iterator
    /// A listener that reads nothing before the end.
    private let late: FetchChanges<Key>.Iterator
    /// The change that was delivered last.
    private(set) var shown: Sections = []
    /// All rows at that time, by key: values by column.
    private var rows: [Key: [String: Cell]] = [:]
    private var bad: [String: [String: Cell]] = [:]
    /// Whether the list was fetched since, so that rows may be told as changed that did not.
    var isFetched = false
    /// Whether rows may be told that are as they were when the list was told last.
    private var isLoose = false
    private var dice: Dice

    init(_ number: Int, _ spec: ListSpec, _ store: SQLiteStore) {
      self.number = number
      self.spec = spec
      controller = FetchController(spec.request(Key.self), in: store)
      changes = controller.changes.makeAsyncIterator()
      late = controller.changes.makeAsyncIterator()
      dice = Dice(seed: UInt64(number))
    }

    func difference(_ kind: Difference.Kind, _ step: Int?, _ text: String) -> Difference {
      Difference(kind: kind, step: step, list: number, text: text)
    }

    /// The snapshot that `performFetch` returned.
    func begin(_ snapshot: DiffableSnapshot<FetchSectionID, Key>, _ oracle: Oracle) throws {
      let expected = oracle.expected(spec, Key.self)
      if expected.isOutOfOrder { throw difference(.list, nil, "a list whose sections are not together") }
      try same(Sections(snapshot), Sections(expected), nil)
    }

    /// The first element of `changes`: the whole list, and all that is wrong with it.
    func first(_ oracle: Oracle) async throws {
      guard let change = try await changes.next() else { throw difference(.silence, nil, "no first change") }
      let expected = oracle.expected(spec, Key.self)
      try same(Sections(change.snapshot), Sections(expected), nil)
      guard change.isInitial, change.previousSnapshot == nil, change.inserted == expected.keys else {
        throw difference(.replay, nil, "the first change has other rows than its snapshot")
      }
      let told = Set(change.failures.map { $0.row?.id ?? "?" })
      let all = Set(expected.bad.map { oracle.cell(.id, $0).description })
      let isWrong = spec.limit == nil ? told.count != all.count : told.count > all.count
      if isWrong {
        throw difference(.failures, nil, "told \(told.sorted()), but \(all.sorted()) cannot be listed")
      }
      remember(oracle, expected)
    }

    /// The first element of a listener that has read nothing so far: the list as it is, and no more failures than are kept.
    func readLate(_ oracle: Oracle) async throws {
      let expected = oracle.expected(spec, Key.self)
      if expected.isOutOfOrder { return }
      guard let change = try await late.next() else { throw difference(.silence, nil, "no late change") }
      try same(Sections(change.snapshot), Sections(expected), nil)
      guard change.isInitial, change.inserted == expected.keys else {
        throw difference(.replay, nil, "the late change has other rows than its snapshot")
      }
      let told = Set(change.failures.map { $0.row?.id ?? "?" })
      let missed = Set(expected.bad.map { oracle.cell(.id, $0).description }).count > told.count
      if spec.limit == nil && missed || change.failures.count > 1_100 {
        throw difference(.failures, nil, "told \(told.sorted()) late, \(change.failures.count) in all")
      }
    }

    private func same(_ found: Sections, _ expected: Sections, _ step: Int?) throws {
      guard found != expected else { return }
      throw difference(.list, step, "is \(found), but the rows are \(expected)")
    }

    private func remember(_ oracle: Oracle, _ expected: Expected<Key>) {
      shown = Sections(expected)
      rows = [:]
      for row in oracle.table.rows.indices {
        if let key = Key.read(oracle.cell(.id, row)) { rows[key] = oracle.values(row) }
      }
      // Of two keys that Swift takes for one, the row that is listed.
      for (key, row) in expected.rowOfKey { rows[key] = oracle.values(row) }
      bad = oracle.bad(expected)
    }

    /// Compares the list after a step, and what was delivered of it.
    /// - Parameter isStrict: Whether each row was written at most once, so that a row which is as it was must not
    ///   be told.
    func compare(_ oracle: Oracle, _ step: Int, isStrict: Bool) async throws -> (
      compared: Bool, delivered: Bool
    ) {
      let expected = oracle.expected(spec, Key.self)
      // The last good list stays; what it is then, no rule says.
      if expected.isOutOfOrder { return (false, false) }
      let sections = Sections(expected)
      guard let snapshot = controller.snapshot else { throw difference(.list, step, "no list") }
      try same(Sections(snapshot), sections, step)
      try compareSectionValues(snapshot, oracle, expected, step)
      if !isStrict { isLoose = true }
      let hidden = Set(spec.hidden.compactMap { oracle.naming.columns[$0] })
      let old = Set(shown.flatMap(\.keys))
      let changed = Set(
        expected.keys.filter { key in
          guard old.contains(key), let before = rows[key], let row = expected.rowOfKey[key] else {
            return false
          }
          return oracle.differs(row, before, except: hidden)
        })
      let nowBad = oracle.bad(expected)
      let newBad = nowBad.filter { bad[$0.key] == nil }
      let expectsFailures = !newBad.isEmpty && spec.limit == nil
      var isDelivered = false
      if sections != shown || !changed.isEmpty || expectsFailures {
        isDelivered = true
        guard let change = try await changes.next() else {
          throw difference(.silence, step, "changed: \(changed); the list was \(shown)")
        }
        try check(change, sections, changed, step, isStrict: !isLoose && !isFetched)
        if expectsFailures {
          let told = Set(change.failures.map { $0.row?.id ?? "?" })
          if told.count < newBad.count {
            throw difference(
              .failures, step, "told \(told.sorted()), but \(newBad.keys.sorted()) cannot be listed")
          }
        }
        isFetched = false
        isLoose = false
      }
      remember(oracle, expected)
      return (true, isDelivered)
    }

    private func check(
      _ change: FetchChange<Key>, _ sections: Sections, _ changed: Set<Key>, _ step: Int, isStrict: Bool
    ) throws {
      try same(Sections(change.snapshot), sections, step)
      guard let previous = change.previousSnapshot, Sections(previous) == shown else {
        throw difference(.replay, step, "the change does not begin with what was delivered before")
      }
      let replayed = Replay.apply(change.difference, to: shown)
      if replayed != sections {
        throw difference(.replay, step, "\(change.difference) leads from \(shown) to \(replayed)")
      }
      let old = shown.flatMap(\.keys)
      let new = sections.flatMap(\.keys)
      guard change.inserted == new.filter({ !Set(old).contains($0) }),
        change.deleted == old.filter({ !Set(new).contains($0) })
      else {
        throw difference(
          .replay, step, "inserted \(change.inserted), deleted \(change.deleted); \(old) became \(new)")
      }
      let told = Set(change.updated + change.moved)
      let missed = changed.subtracting(told)
      if !missed.isEmpty {
        throw difference(.updated, step, "not told: \(missed), told: \(told), in \(shown)")
      }
      // Rows that had to move may be told though nothing in them changed only where the list was read as a whole.
      if isStrict, !change.cost.isReread, told != changed {
        throw difference(.updated, step, "told: \(told), changed: \(changed)")
      }
      // Another request moves rows that did not change; those are in the difference alone.
      if isFetched { return }
      if let wrong = Moves.check(
        old: shown, new: sections, updated: change.updated, moved: change.moved,
        isExact: !change.cost.isReread)
      {
        throw difference(
          .moved, step,
          "\(wrong); updated \(change.updated), moved \(change.moved), \(shown) became \(sections)")
      }
    }

    /// Compares the values that sections' identifiers give with those of the rows.
    private func compareSectionValues(
      _ snapshot: DiffableSnapshot<FetchSectionID, Key>, _ oracle: Oracle, _ expected: Expected<Key>,
      _ step: Int
    ) throws {
      guard let section = spec.section, section.kind == .value else { return }
      for (id, keys) in zip(snapshot.sectionIdentifiers, expected.sections.map(\.keys)) where !id.isEmpty {
        guard let row = keys.first.flatMap({ expected.rowOfKey[$0] }) else { continue }
        let read: Cell =
          switch (oracle.cell(section.role, row), section.role) {
          case (.integer, .date), (.real, .date):
            // As a date it is one, which has no exact microseconds.
            try id.value(as: Date.self) == id.value(as: Date?.self) ? oracle.cell(section.role, row) : .null
          case (.integer(let cell), .real):
            try id.value(as: Double.self) == Double(cell) ? .integer(cell) : .null
          case (.integer, _): .integer(try id.value(as: Int64.self))
          case (.real, _): .real(try id.value(as: Double.self))
          case (.text, _): .text(Array(try id.value(as: String.self).utf8))
          case (.blob, _): .blob(Array(try id.value(as: Data.self)))
          case (.null, _): .null
          }
        if Cell.compare(read, oracle.cell(section.role, row)) != 0 {
          throw difference(.list, step, "the section \(id) is of rows with \(oracle.cell(section.role, row))")
        }
      }
    }

    /// Compares objects with the rows: of what is listed, and of some rows that are not.
    /// - Returns: How many were compared.
    func compareObjects(_ oracle: Oracle, _ step: Int?, all: Bool) async throws -> Int {
      var rowOfKey: [Key: Int] = [:]
      var rowOfText: [[UInt8]: Int] = [:]
      for row in oracle.table.rows.indices {
        guard let key = Key.read(oracle.cell(.id, row)) else { continue }
        rowOfKey[key] = row
        if case .text(let bytes) = oracle.cell(.id, row) { rowOfText[bytes] = row }
      }
      // Of two keys that Swift takes for one each has its own row.
      func row(_ key: Key) -> Int? {
        (key as? String).map { rowOfText[Array($0.utf8)] } ?? rowOfKey[key]
      }
      let listed = controller.snapshot?.itemIdentifiers ?? []
      let others = rowOfKey.keys.filter { !listed.contains($0) }.sorted { "\($0)" < "\($1)" }
      var wanted = listed.filter { _ in all || dice.chance(70) }
      wanted += others.filter { _ in all || dice.chance(25) }
      wanted += rows.keys.filter { rowOfKey[$0] == nil }.prefix(2)
      let objects = try await controller.objects(for: wanted)
      for key in wanted {
        try compare(objects[key], row(key), key, oracle, step)
      }
      if let key = wanted.first(where: { listed.contains($0) && row($0) != nil }) {
        try compare(controller.object(for: key), row(key), key, oracle, step)
      }
      return wanted.count
    }

    private func compare(
      _ object: Item<Key>?, _ row: Int?, _ key: Key, _ oracle: Oracle, _ step: Int?
    ) throws {
      guard let row else {
        if object != nil { throw difference(.objects, step, "\(key) has an object and no row") }
        return
      }
      guard let object else { throw difference(.objects, step, "\(key) has a row and no object") }
      for (column, cell) in zip(oracle.table.columns, oracle.table.rows[row])
      where object.values[column] != cell.fetchValue {
        let value = object.values[column].map { "\($0)" } ?? "nothing"
        throw difference(.objects, step, "\(key): \(column) is \(cell), the object has \(value)")
      }
    }
  }

  extension Oracle {
    func values(_ row: Int) -> [String: Cell] {
      Dictionary(zip(table.columns, table.rows[row])) { first, _ in first }
    }

    /// Returns whether a row has another value than before in a column that both have.
    func differs(_ row: Int, _ before: [String: Cell], except hidden: Set<String>) -> Bool {
      zip(table.columns, table.rows[row]).contains { column, cell in
        guard let old = before[column], !hidden.contains(column) else { return false }
        return old != cell
      }
    }

    /// The rows that cannot be listed, by key.
    func bad<Key>(_ expected: Expected<Key>) -> [String: [String: Cell]] {
      var bad: [String: [String: Cell]] = [:]
      for row in expected.bad { bad[cell(.id, row).description] = values(row) }
      return bad
    }
  }
#endif

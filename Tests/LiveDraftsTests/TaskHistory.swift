#if SQLite
  import LiveDrafts
  import _TestTools

  /// A history of a draft in which much is done in the midst of saves.
  struct TaskHistory: Sendable {
    /// A change of a row, which is made where the row's references are there.
    struct Change: Sendable {
      var table: Table
      var id: Int
      /// nil where the row is deleted. Otherwise it is inserted where it is not there.
      var columns: [String: Int?]?

      static func set(_ table: Table, _ id: Int, _ columns: [String: Int?] = [:]) -> Self {
        Self(table: table, id: id, columns: columns)
      }

      static func delete(_ table: Table, _ id: Int) -> Self { Self(table: table, id: id) }
    }

    enum Act: Sendable {
      case edit([Change])
      /// An edit that has seen its rows at one moment of a save, and sets them at the next.
      case slowEdit([Change])
      case undo, redo, discard
      case discardRows(Table, [Int])
      /// A save that waits for the one under way.
      case save(Rows?)
      /// An edit with a save of its own. It fails where a name is 9.
      case write([Change])

      static func edit(_ changes: Change...) -> Self { .edit(changes) }
    }

    /// The rows of one table.
    struct Rows: Sendable {
      var table: Table
      var ids: [Int]
    }

    /// Something that is done at a moment of a save (`MomentStore`); at the end where the save has no such moment.
    struct Timed: Sendable {
      var moment: Int
      var act: Act

      static func at(_ moment: Int, _ act: Act) -> Self { Self(moment: moment, act: act) }
    }

    enum Step: Sendable {
      case act(Act)
      case save(only: Rows?, [Timed])
      case write([Change], [Timed])

      static func edit(_ changes: Change...) -> Self { .act(.edit(changes)) }
      static let undo = Self.act(.undo)
      static let redo = Self.act(.redo)
      static let discard = Self.act(.discard)
      static func save(_ acts: Timed...) -> Self { .save(only: nil, acts) }
      static func save(_ table: Table, _ ids: Int..., acts: Timed...) -> Self {
        .save(only: Rows(table: table, ids: ids), acts)
      }
    }

    var telling = Telling.rows
    /// Whether triggers change names that are written.
    var hasTriggers = false
    /// Whether no two rows of a table have the same code.
    var isUnique = false
    /// Whether triggers count the photos of shelves.
    var hasCounts = false
    /// Whether owners refer to photos, as these do to them.
    var hasCovers = false
    /// Whether owners go along with those that they belong to. Otherwise shelves go with those that they refer to.
    var ownersCascade: Bool
    var steps: [Step]
  }

  extension TaskHistory {
    init(seed: UInt64, count: Int, telling: Telling) {
      var random = SplitMix(seed: seed)
      self.telling = telling
      hasTriggers = seed % 2 == 1
      let hasWrites = seed & 2 != 0
      isUnique = seed & 4 != 0
      hasCovers = seed & 16 != 0
      let names = ["name", "parent", "other"] + (isUnique ? ["code"] : [])
      // Of a commit that names no rows nobody knows that a trigger has changed a pending row, and nobody else.
      hasCounts = seed & 8 != 0 && telling != .resets
      ownersCascade = Bool.random(using: &random)
      func isOne(of number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }
      func id() -> Int { Int.random(in: 0..<4, using: &random) }
      func table() -> Table { Table.allCases.randomElement(using: &random)! }
      func change() -> Change {
        let (table, row) = (table(), id())
        if isOne(of: 4) { return .delete(table, row) }
        var columns: [String: Int?] = [:]
        for name in names where Bool.random(using: &random) {
          columns.updateValue(["other", "code"].contains(name) && isOne(of: 4) ? nil : id(), forKey: name)
        }
        return .set(table, row, columns)
      }
      func rows() -> Rows { Rows(table: table(), ids: (0..<4).filter { _ in Bool.random(using: &random) }) }
      func changes() -> [Change] { (0..<Int.random(in: 1...3, using: &random)).map { _ in change() } }
      func written() -> [Change] {
        var changes = changes()
        if isOne(of: 2) { changes.append(.set(table(), id(), ["name": 9])) }
        return changes
      }
      func act() -> Act {
        if hasWrites, isOne(of: 6) {
          return isOne(of: 2) ? .write(written()) : .save(isOne(of: 2) ? rows() : nil)
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<6:
          let changes = changes()
          return isOne(of: 3) ? .slowEdit(changes) : .edit(changes)
        case 6..<9: return .undo
        case 9, 10: return .redo
        default:
          if Bool.random(using: &random) { return .discard }
          let rows = rows()
          return .discardRows(rows.table, rows.ids)
        }
      }
      steps = (0..<count).map { _ in
        if Int.random(in: 0..<5, using: &random) < 3 { return .act(act()) }
        let acts = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          Timed(moment: Int.random(in: 0..<12, using: &random), act: act())
        }
        let sorted = acts.sorted { $0.moment < $1.moment }
        if hasWrites, isOne(of: 3) { return .write(written(), sorted) }
        return .save(only: isOne(of: 3) ? rows() : nil, sorted)
      }
    }
  }

  // MARK: Shrinking

  extension TaskHistory {
    /// Leaves out what is not needed for it to fail.
    /// - Parameter play: Plays a history, and returns what is wrong.
    /// - Returns: The history, and what is wrong with it.
    func shrunk(
      _ play: (TaskHistory) async throws -> String? = { try await $0.failure() }
    ) async -> (TaskHistory, String) {
      var (best, last) = (self, "")
      var isShorter = true
      while isShorter {
        isShorter = false
        for simpler in best.simpler {
          guard let failure = try? await play(simpler) else { continue }
          (best, last, isShorter) = (simpler, failure, true)
          break
        }
      }
      return (best, last)
    }

    /// The histories that have a little less than this one.
    private var simpler: [TaskHistory] {
      var all: [TaskHistory] = []
      func replace(_ position: Int, by others: [Step]) {
        var other = self
        other.steps.replaceSubrange(position...position, with: others)
        all.append(other)
      }
      for (position, step) in steps.enumerated().reversed() {
        replace(position, by: [])
        switch step {
        case .act(let act): for act in act.simpler { replace(position, by: [.act(act)]) }
        case .write(let changes, let acts):
          replace(position, by: [.act(.edit(changes)), .save(only: nil, acts)])
          if acts.isEmpty { replace(position, by: [.act(.write(changes))]) }
          for changes in Act.simpler(changes) { replace(position, by: [.write(changes, acts)]) }
          for number in acts.indices.reversed() {
            var fewer = acts
            let act = fewer.remove(at: number).act
            replace(position, by: [.write(changes, fewer)])
            replace(position, by: [.write(changes, fewer), .act(act)])
            for act in act.simpler {
              var others = acts
              others[number].act = act
              replace(position, by: [.write(changes, others)])
            }
          }
        case .save(let only, let acts):
          replace(position, by: acts.map { .act($0.act) })
          if only != nil { replace(position, by: [.save(only: nil, acts)]) }
          for number in acts.indices.reversed() {
            var fewer = acts
            let act = fewer.remove(at: number).act
            replace(position, by: [.save(only: only, fewer)])
            replace(position, by: [.save(only: only, fewer), .act(act)])
            for act in act.simpler {
              var others = acts
              others[number].act = act
              replace(position, by: [.save(only: only, others)])
            }
          }
        }
      }
      return all
    }
  }

  extension TaskHistory.Act {
    /// The acts that do a little less.
    fileprivate var simpler: [Self] {
      switch self {
      case .edit(let changes): Self.simpler(changes).map { .edit($0) }
      case .slowEdit(let changes): [.edit(changes)] + Self.simpler(changes).map { .slowEdit($0) }
      case .write(let changes): [.edit(changes)] + Self.simpler(changes).map { .write($0) }
      case .save(let rows): rows == nil ? [] : [.save(nil)]
      case .undo, .redo, .discard, .discardRows: []
      }
    }

    fileprivate static func simpler(_ changes: [TaskHistory.Change]) -> [[TaskHistory.Change]] {
      var all: [[TaskHistory.Change]] = []
      for position in changes.indices.reversed() {
        var fewer = changes
        let change = fewer.remove(at: position)
        if !fewer.isEmpty { all.append(fewer) }
        for column in change.columns?.keys.sorted() ?? [] {
          var others = changes
          others[position].columns?.removeValue(forKey: column)
          all.append(others)
        }
      }
      return all
    }
  }
#endif

@testable import LiveStore
import _TestTools
import Testing

@Suite("The rows that commits touched")
struct TouchedRowsTests {
  @Test("Merged changes say of each row what became of it, however they are grouped", arguments: 1...60)
  func law(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var story = Story(columnCount: [1, 3, 64, 70].randomElement(using: &random) ?? 3)
    let commits = (0..<Int.random(in: 1...12, using: &random)).map { _ in story.commit(using: &random) }
    let folded = commits.reduce(into: TouchedRows<Int>(columns: story.names)) { $0.merge($1) }
    let grouped = Self.merge(commits[...], using: &random)
    for row in 0..<Story.rowCount {
      let change = folded.change(of: row)
      #expect(change == grouped.change(of: row), "seed \(seed), row \(row)")
      #expect(change == story.expected(row), "seed \(seed), row \(row)")
      #expect(story.isTrue(change, of: row), "seed \(seed), row \(row): \(String(describing: change))")
      let columns = folded.changedColumns(of: row)
      if let columns { #expect(columns.isSuperset(of: story.differing(row)), "seed \(seed), row \(row)") }
    }
    #expect(Set(folded.rows.map(\.id)) == story.touched && folded.rows.count == story.touched.count)
    #expect(folded.isEmpty == story.touched.isEmpty && !folded.isAll)
  }

  /// Merges neighbours with one another, in a random order.
  private static func merge(_ commits: ArraySlice<TouchedRows<Int>>, using random: inout SplitMix)
    -> TouchedRows<Int>
  {
    guard commits.count > 1, let first = commits.indices.dropFirst().randomElement(using: &random) else {
      return commits.first ?? TouchedRows()
    }
    var merged = merge(commits[..<first], using: &random)
    merged.merge(merge(commits[first...], using: &random))
    return merged
  }

  @Test("Two changes that cannot follow one another are unknown together, and an unknown one stays so")
  func contradictions() {
    let update = RowChange.updated([ColumnSet(column: 2)])
    for (first, second) in [
      (.inserted, .inserted), (.deleted, .deleted), (.deleted, update), (update, .inserted),
      (.insertedAndDeleted, update), (.insertedAndDeleted, .deleted), (.unknown, .inserted),
      (.deleted, .unknown),
    ] as [(RowChange, RowChange)] {
      #expect(first.merged(with: second) == .unknown, "\(first), \(second)")
    }
  }

  @Test("From column 63 on a change of one may be that of any of them")
  func lastBit() {
    let names = (0..<70).map { "c\($0)" }
    var rows = TouchedRows<Int>(columns: names)
    rows.append(1, .updated([ColumnSet(column: 2), ColumnSet(column: 66)]))
    #expect(rows.changedColumns(of: 1) == Set(["c2"] + names[63...]))
    #expect(ColumnSet(column: 63) == ColumnSet(column: 69) && ColumnSet(column: 62) != ColumnSet(column: 63))
    #expect(ColumnSet.all.mayContain(column: 100) && !ColumnSet(column: 62).mayContain(column: 63))
  }

  @Test(
    "Of rows of other columns all columns are taken for changed, and rows that came or left stay what they are"
  )
  func otherColumns() {
    var rows = TouchedRows<Int>(columns: ["a", "b"])
    for row in 1...2 { rows.append(row, .updated(ColumnSet(column: 1))) }
    rows.append(3, .deleted)
    var later = TouchedRows<Int>(columns: ["b", "a"])
    later.append(2, .updated(ColumnSet(column: 0)))
    later.append(4, .updated(ColumnSet(column: 0)))
    rows.merge(later)
    #expect(rows.columns == ["b", "a"] && rows.changedColumns(of: 4) == ["b"])
    #expect(rows.changedColumns(of: 1) == nil && rows.changedColumns(of: 2) == nil)
    #expect(rows.change(of: 3) == .deleted && rows.changedColumns(of: 5) == [])
    rows.merge([4])
    #expect(rows.columns == ["b", "a"] && rows.change(of: 4) == .unknown)
  }

  @Test("All rows stay all, whatever comes before or after; what is forgotten is not there")
  func all() {
    var rows: TouchedRows<Int> = [1, 2, 2]
    #expect(rows.rows.map(\.id) == [1, 2])
    rows.forget(2)
    #expect(rows.rows.map(\.id) == [1] && rows.change(of: 2) == nil)
    rows.merge(.all)
    rows.merge([3])
    rows.append(4, .inserted)
    #expect(rows.isAll && rows.rows.isEmpty && !rows.isEmpty && rows.change(of: 9) == .unknown)
    rows.forget()
    #expect(rows.isEmpty && !rows.isAll)
  }

  @Test("However many commits touch the same rows, hardly more are stored than there are")
  func bounded() {
    var rows = TouchedRows<Int>()
    for _ in 0..<500 { rows.merge(TouchedRows(0..<100)) }
    #expect(rows.storedRows.count <= 2 * 100 + 1_024 + 100 && rows.rows.count == 100)
  }
}

/// A table as plain as can be, and all that has ever been done to it: what merged changes are compared with.
private struct Story {
  static let rowCount = 8

  let columnCount: Int
  private var rows: [Int: [Int]] = [:]
  private let first: [Int: [Int]]
  /// Everything that was done to a row, as it was said.
  private var said: [Int: [Step]] = [:]
  private var counter = 0

  private enum Step {
    case insert, delete, update(Set<Int>), nothingKnown
  }

  var names: [String] { (0..<columnCount).map { "c\($0)" } }
  var touched: Set<Int> { Set(said.keys) }

  init(columnCount: Int) {
    self.columnCount = columnCount
    for row in 0..<Self.rowCount / 2 { rows[row] = [Int](repeating: 0, count: columnCount) }
    first = rows
  }

  mutating func commit(using random: inout SplitMix) -> TouchedRows<Int> {
    var touched = TouchedRows<Int>(columns: names)
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let row = Int.random(in: 0..<Self.rowCount, using: &random)
      touched.append(row, step(row, using: &random))
    }
    return touched
  }

  private mutating func step(_ row: Int, using random: inout SplitMix) -> RowChange {
    counter += 1
    let isUnknown = Int.random(in: 0..<12, using: &random) == 0
    var step = Step.delete
    var change = RowChange.deleted
    if var values = rows[row] {
      if Int.random(in: 0..<3, using: &random) == 0 {
        rows[row] = nil
      } else {
        // Some columns are said to have changed that have not.
        let columns = Set(
          (0..<Int.random(in: 0...3, using: &random)).map { _ in
            Int.random(in: 0..<columnCount, using: &random)
          })
        for column in columns where Bool.random(using: &random) { values[column] = counter }
        rows[row] = values
        (step, change) = (.update(columns), .updated(ColumnSet(columns.map { ColumnSet(column: $0) })))
      }
    } else {
      rows[row] = [Int](repeating: counter, count: columnCount)
      (step, change) = (.insert, .inserted)
    }
    said[row, default: []].append(isUnknown ? .nothingKnown : step)
    return isUnknown ? .unknown : change
  }

  /// Whether a change is a true statement of a row.
  func isTrue(_ change: RowChange?, of row: Int) -> Bool {
    let (before, after) = (first[row], rows[row])
    return switch change {
    case nil: before == after
    case .inserted: before == nil && after != nil
    case .deleted: before != nil && after == nil
    case .insertedAndDeleted: before == nil && after == nil
    case .updated(let columns):
      before != nil && after != nil
        && (0..<columnCount).allSatisfy { before?[$0] == after?[$0] || columns.mayContain(column: $0) }
    case .unknown: true
    }
  }

  /// The most that can be said of a row by what was said of each step.
  func expected(_ row: Int) -> RowChange? {
    guard let steps = said[row] else { return nil }
    var columns: Set<Int> = []
    var wasAway = false
    for step in steps {
      switch step {
      case .nothingKnown: return .unknown
      case .insert, .delete: wasAway = true
      case .update(let more): columns.formUnion(more.map { min($0, 63) })
      }
    }
    switch (first[row] != nil, rows[row] != nil) {
    case (false, true): return .inserted
    case (true, false): return .deleted
    case (false, false): return .insertedAndDeleted
    case (true, true):
      return .updated(wasAway ? .all : ColumnSet(columns.map { ColumnSet(rawValue: 1 << UInt64($0)) }))
    }
  }

  /// The columns in which a row that is there before and after differs.
  func differing(_ row: Int) -> Set<String> {
    guard let before = first[row], let after = rows[row] else { return [] }
    return Set((0..<columnCount).filter { before[$0] != after[$0] }.map { "c\($0)" })
  }
}

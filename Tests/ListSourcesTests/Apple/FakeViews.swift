import ListSources
import ListSourcesApple
import ListSourcesTestSupport
import Snapshots

/// A view that takes batches as a collection view of Apple's does: it asks for the numbers before and after, adds them up by
/// the strictest rules, and moves its cells by itself.
@MainActor
final class FakeBatchView: BatchView {
  /// How it deals with the completion of a batch.
  enum Manner: CaseIterable, Sendable {
    case atOnce, later, twice, never
  }

  var isOnScreen = true
  var manner = Manner.atOnce
  /// Answers for its data source.
  var counts: () -> [Int] = { [] }
  var items: () -> [[Int]] = { [] }
  /// Is called after each batch.
  var didBatch: () -> Void = {}
  private(set) var shown: [[Int?]] = []
  private(set) var reloads = 0
  private(set) var batches: [ListBatch] = []
  private(set) var animated: [Bool] = []
  private(set) var violations: [ListRuleViolation] = []
  private var current: ListBatch?

  func reloadData() {
    reloads += 1
    shown = items()
  }

  func perform(_ batch: ListBatch) { current = batch }

  func performBatch(
    isAnimated: Bool, _ updates: @escaping () -> Void, completion: @escaping () -> Void
  ) {
    animated.append(isAnimated)
    let before = counts()
    updates()
    let batch = current ?? ListBatch()
    current = nil
    batches.append(batch)
    do {
      try ListBatchValidator(before: before, after: counts(), isStrict: true).check(batch)
    } catch {
      violations.append(error)
    }
    // Cells of items that stay or move are its own; what is new it asks for.
    shown = items()
    didBatch()
    switch manner {
    case .atOnce: completion()
    case .later:
      Task {
        await Task.yield()
        completion()
      }
    case .twice:
      completion()
      completion()
    case .never: break
    }
  }
}

/// The target of such a view, as thin as those of UIKit.
@MainActor
final class FakeBatchTarget: BatchViewTarget<FakeBatchView, String, Int, String> {
  override init(view: FakeBatchView) {
    super.init(view: view)
    view.counts = { [unowned self] in (0..<shown.numberOfSections).map(numberOfItems(inSection:)) }
    view.items = { [unowned self] in shown.sections.map { Array($0.items) } }
  }

  override func perform(_ batch: ListBatch, in view: FakeBatchView) { view.perform(batch) }
}

/// A view of rows that performs one operation after the other, as `NSTableView` does, and shows texts.
@MainActor
final class FakeRowView: ListView {
  var isOnScreen = true
  var text: (Int) -> String = { _ in "" }
  var count: () -> Int = { 0 }
  private(set) var rows: [String] = []
  private(set) var reloads = 0
  private(set) var asked = 0

  func reloadData() {
    reloads += 1
    rows = (0..<count()).map(text)
  }

  func perform(_ operations: [RowOperation], refreshing: [Int]) {
    var inserted: Set<Int> = []
    for operation in operations {
      switch operation {
      case .remove(let row): rows.remove(at: row)
      case .insert(let row): rows.insert("new", at: row)
      case .move(let from, let to): rows.insert(rows.remove(at: from), at: to)
      }
    }
    for (row, text) in rows.enumerated() where text == "new" { inserted.insert(row) }
    for row in inserted.union(refreshing) {
      asked += 1
      rows[row] = text(row)
    }
  }
}

/// The target of such a view.
@MainActor
final class FakeRowTarget: RowViewTarget<FakeRowView, String, Int, String> {
  override init(view: FakeRowView, hasSectionHeaders: Bool) {
    super.init(view: view, hasSectionHeaders: hasSectionHeaders)
    view.count = { [unowned self] in rows.count }
    view.text = { [unowned self] row in
      if case .header(let section)? = rows[row] { return "§\(section)" }
      return itemAndContent(inRow: row)?.content ?? "nothing"
    }
  }

  override func perform(
    _ change: FlatRowsChange<String, Int>, isAnimated: Bool, in view: FakeRowView, takeOver: () -> Void
  ) {
    takeOver()
    view.perform(change.operations, refreshing: change.refreshedRows)
  }
}

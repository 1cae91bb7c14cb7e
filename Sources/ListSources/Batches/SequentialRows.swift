internal import Snapshots

/// One operation on the rows of a flat list, by the rows as they are when the operations before it are done.
public enum RowOperation: Hashable, Sendable {
  /// Takes a row out.
  case remove(at: Int)
  /// Puts a new row in.
  case insert(at: Int)
  /// Takes a row out and puts it in where it is to be.
  case move(from: Int, to: Int)
}

extension ListBatch {
  /// The operations of a batch on one section as a sequence, for views that perform each operation at once and count
  /// its rows in the state before it, such as `NSTableView`.
  ///
  /// There are as many operations as in the batch. Removals come first, from the last row to the first.
  ///
  /// - Parameter section: The index of the section, before the batch and after it. Operations elsewhere are left out.
  /// - Complexity: O(*c* log *c*), where *c* is the number of operations.
  public func sequentialRowOperations(inSection section: Int = 0) -> [RowOperation] {
    let deleted = deletedItems.filter { $0.section == section }.map(\.item).sorted()
    let moved = movedItems.filter { $0.from.section == section && $0.to.section == section }
      .map { (from: $0.from.item, to: $0.to.item) }
    var operations = deleted.reversed().map { RowOperation.remove(at: $0) }

    let deletedPositions = Positions(deleted)
    let movedFrom = moved.map(\.from).sorted()
    let movedPositions = Positions(movedFrom)
    // How many rows that stay lie before each row that moves, as long as it has not moved.
    let staysBefore = Positions(
      movedFrom.enumerated().map { $1 - deletedPositions.countBelow($1) - $0 })
    // The same for the rows that were placed, in the order in which they are. Both ascend.
    var staysBeforePlaced: [Int] = []
    var unplaced = RunningCount(movedFrom.count)
    let arrivals =
      (insertedItems.filter { $0.section == section }.map { (to: $0.item, from: Int?.none) }
      + moved.map { (to: $0.to, from: Int?.some($0.from)) })
      .sorted { $0.to < $1.to }
    // A row is put directly behind the one that is before it in the end. Before that lie the rows that stay, those
    // that were placed already, and those that are still to move from there.
    for (placed, arrival) in arrivals.enumerated() {
      let stays = arrival.to - placed
      var stillBefore = unplaced.count(below: staysBefore.countBelow(stays))
      if let from = arrival.from {
        let rank = movedPositions.countBelow(from)
        let ownStays = staysBefore[rank]
        let source =
          ownStays + unplaced.count(below: rank) + Positions(staysBeforePlaced).countBelow(ownStays + 1)
        unplaced.remove(rank)
        if ownStays < stays { stillBefore -= 1 }
        operations.append(.move(from: source, to: arrival.to + stillBefore))
      } else {
        operations.append(.insert(at: arrival.to + stillBefore))
      }
      staysBeforePlaced.append(stays)
    }
    return operations
  }
}

/// Counts how many of the first numbers are left of those that were there at the start.
private struct RunningCount {
  private var sums: [Int]

  init(_ count: Int) {
    sums = [Int](repeating: 0, count: count + 1)
    for index in 1..<max(1, sums.count) { sums[index] = index & -index }
  }

  func count(below number: Int) -> Int {
    var result = 0
    var index = number
    while index > 0 {
      result += sums[index]
      index -= index & -index
    }
    return result
  }

  mutating func remove(_ number: Int) {
    var index = number + 1
    while index < sums.count {
      sums[index] -= 1
      index += index & -index
    }
  }
}

import Foundation
import ListSourcesTestSupport
import LiveLists
import Testing

/// "From performBatchUpdates": its steps are the files that are type-checked, and what it says of crashes is so.
@Suite struct BatchUpdatesGuideTests {
  private static func step(_ number: Int) throws -> [String] {
    let file = GuideBlockTests.root.appending(path: "Examples/BatchUpdates/Step\(number).swift")
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    // Without the condition around it, and the indentation by that.
    return lines.dropFirst().dropLast(2).map { String($0.hasPrefix("  ") ? $0.dropFirst(2) : $0) }
  }

  /// Carries the pieces of a difference out, each of which has to fit one position.
  private static func apply(_ difference: String, to lines: [String]) -> [String]? {
    var lines = lines
    for piece in difference.components(separatedBy: "\n@@\n") {
      let marked = piece.components(separatedBy: "\n")
      let old = marked.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) }
      let new = marked.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()) }
      let found = lines.indices.filter { lines[$0...].starts(with: old) }
      guard found.count == 1 else { return nil }
      lines.replaceSubrange(found[0]..<(found[0] + old.count), with: new)
    }
    return lines
  }

  @Test("Each step's difference leads from one file that is type-checked to the next")
  func steps() throws {
    let article = GuideBlockTests.root.appending(path: "Sources/LiveLists/LiveLists.docc/FromBatchUpdates.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let differences = GuideBlockTests.blocks("diff", in: text)
    #expect(differences.count == 7)
    var lines = try Self.step(0)
    for (number, difference) in differences.enumerated() {
      lines = try #require(Self.apply(difference, to: lines), "step \(number + 1) does not fit")
      #expect(try lines == Self.step(number + 1), "step \(number + 1)")
    }
  }

  @Test(
    "A delegate's operations can be a batch that no view takes: the move and the insert of one index path")
  func crash() throws {
    // Beach and Dunes are there. Pier comes before Beach, and then Dunes moves there: the delegate is told of each as it happens.
    var batch = ListBatch()
    let first = ListIndexPath(item: 0, section: 0)
    batch.insertedItems = [first]
    batch.movedItems = [ListBatch.ItemMove(from: ListIndexPath(item: 1, section: 0), to: first)]
    let violation = #expect(throws: ListRuleViolation.self) {
      try ListBatchValidator(before: [2], after: [3]).check(batch)
    }
    #expect(violation?.rule == .itemDouble)
  }

  @Test("Two who feed one view have it count rows that it does not know")
  func twoFeeds() throws {
    // The delegate has inserted the row; the data source, which compares with what it has shown, inserts it again.
    var batch = ListBatch()
    batch.insertedItems = [ListIndexPath(item: 0, section: 0)]
    let violation = #expect(throws: ListRuleViolation.self) {
      try ListBatchValidator(before: [3], after: [3]).check(batch)
    }
    #expect(violation?.rule == .itemCount)
  }
}

import Foundation
import Snapshots
import Testing

@Suite("Writing snapshots down and reading them again")
struct SnapshotCodableTests {
  typealias Outline = DiffableSectionSnapshot<Int>

  func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  /// Decodes what must be refused as corrupt, and says why it was.
  func refusal<Value: Decodable>(
    _ type: Value.Type, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    do {
      _ = try decode(type, text)
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      Issue.record("another error: \(error)", sourceLocation: sourceLocation)
      return ""
    }
    Issue.record("it was not refused", sourceLocation: sourceLocation)
    return ""
  }

  @Test("A snapshot comes back with its sections, items and marks, and can be edited")
  func snapshot() throws {
    var snapshot: Letters = ["A": [1, 2, 3], "B": [], "C": [4]]
    try snapshot.reloadItems([3, 1])
    try snapshot.reconfigureItems([2])
    try snapshot.reloadSections(["C"])
    var copy = try roundTrip(snapshot)
    #expect(copy == snapshot)
    #expect(copy.reloadedItemIdentifiers == [3, 1])
    #expect(copy.reconfiguredItemIdentifiers == [2])
    #expect(copy.reloadedSectionIdentifiers == ["C"])
    #expect(copy.difference(from: snapshot).changesStructure == false)
    try copy.moveItem(1, afterItem: 4)
    #expect(copy == ["A": [2, 3], "B": [], "C": [4, 1]])
    #expect(try roundTrip(Letters()) == Letters())
  }

  @Test("A snapshot in which something occurs twice is refused, and named")
  func duplicates() {
    let twice = #"{"sections":[{"id":"A","items":[1,2]},{"id":"B","items":[7,2]}]}"#
    #expect(refusal(Letters.self, twice).contains("[2]"))
    let sections = #"{"sections":[{"id":"A","items":[]},{"id":"A","items":[]}]}"#
    #expect(refusal(Letters.self, sections).contains(#"["A"]"#))
  }

  @Test("Marks on what is not there are refused, and named")
  func strangers() {
    let items = #"{"sections":[{"id":"A","items":[1]}],"reloadedItems":[9]}"#
    #expect(refusal(Letters.self, items).contains("item 9"))
    let reconfigured = #"{"sections":[{"id":"A","items":[1]}],"reconfiguredItems":[8]}"#
    #expect(refusal(Letters.self, reconfigured).contains("item 8"))
    let sections = #"{"sections":[{"id":"A","items":[1]}],"reloadedSections":["Z"]}"#
    #expect(refusal(Letters.self, sections).contains("section Z"))
  }

  @Test("What is missing or of another type is an error of decoding")
  func malformed() {
    #expect(throws: DecodingError.self) { try decode(Letters.self, "{}") }
    #expect(throws: DecodingError.self) {
      try decode(Letters.self, #"{"sections":[{"id":"A","items":["x"]}]}"#)
    }
    #expect(throws: DecodingError.self) { try decode(Outline.self, #"{"items":[{"id":1}]}"#) }
  }

  @Test("An outline comes back with its levels and what is expanded, and can be edited")
  func outline() throws {
    var outline = Outline()
    try outline.append([1, 2, 3])
    try outline.append([11, 12], to: 1)
    try outline.append([111], to: 11)
    outline.expand([1, 111])
    var copy = try roundTrip(outline)
    #expect(copy == outline)
    #expect(copy.visualDescription == outline.visualDescription)
    #expect(try copy.parent(of: 12) == 1)
    try copy.delete([1])
    #expect(copy.items == [2, 3])
    #expect(try roundTrip(Outline()) == Outline())
  }

  @Test("An outline in which an item occurs twice, or has no parent, is refused")
  func badOutline() {
    func row(_ id: Int, _ level: Int) -> String { #"{"id":\#(id),"level":\#(level),"isExpanded":false}"# }
    #expect(refusal(Outline.self, #"{"items":[\#(row(1, 0)),\#(row(1, 1))]}"#).contains("[1]"))
    #expect(refusal(Outline.self, #"{"items":[\#(row(5, 1))]}"#).contains("Item 5"))
    #expect(refusal(Outline.self, #"{"items":[\#(row(1, 0)),\#(row(2, 2))]}"#).contains("Item 2"))
    #expect(refusal(Outline.self, #"{"items":[\#(row(1, 0)),\#(row(2, -1))]}"#).contains("Item 2"))
  }

  @Test("A difference comes back, and one that fits nothing changes nothing")
  func difference() throws {
    let old: Letters = ["A": [1, 2, 3], "B": [4, 5], "C": [6]]
    var new: Letters = ["D": [9], "B": [5, 4, 2], "A": [1, 3]]
    try new.reloadItems([4])
    try new.reconfigureItems([5])
    try new.reloadSections(["A"])
    let difference = new.difference(from: old)
    let copy = try roundTrip(difference)
    #expect(copy == difference)
    #expect(try old.applying(copy) == new)
    #expect(try old.applying(copy).reloadedItemIdentifiers == [4])

    typealias Difference = SnapshotDifference<String, Int>
    let stranger = ListIndexPath(item: 0, section: 0)
    let bad: [Difference] = [
      Difference(deletedItems: [.init(id: 99, path: stranger)]),
      Difference(insertedItems: [.init(id: 1, path: stranger)]),
      Difference(insertedItems: [.init(id: 99, path: ListIndexPath(item: -1, section: 0))]),
      Difference(insertedItems: [.init(id: 99, path: ListIndexPath(item: 0, section: 7))]),
      Difference(insertedSections: [.init(id: "Z", index: -2)]),
      Difference(insertedSections: [.init(id: "A", index: 0)]),
      Difference(movedSections: [.init(id: "A", from: 0, to: 9)]),
      Difference(movedItems: [.init(id: 1, from: stranger, to: ListIndexPath(item: 0, section: -1))]),
      Difference(reloadedItems: [99]),
    ]
    for difference in bad {
      #expect(throws: SnapshotError<String, Int>.self, "\(difference)") {
        try old.applying(try roundTrip(difference))
      }
      #expect(throws: SnapshotError<String, Int>.self, "\(difference)") {
        try difference.collectionDifference(from: old)
      }
    }
  }
}

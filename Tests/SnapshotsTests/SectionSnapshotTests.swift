import Snapshots
import Testing

/// Examples of section snapshots.
@Suite("The outline of a section")
struct SectionSnapshotTests {
  typealias Outline = DiffableSectionSnapshot<Int>

  var outline = Outline()

  init() throws {
    try outline.append([1, 2, 3])
    try outline.append([11, 12], to: 1)
    try outline.append([111], to: 11)
  }

  func expectRefusal(_ expected: Outline.EditError, _ edit: (inout Outline) throws -> Void) {
    var copy = outline
    #expect(throws: expected) { try edit(&copy) }
    #expect(copy == outline)
  }

  @Test("Items depth first, roots visible, levels by depth")
  func structure() throws {
    #expect(outline.items == [1, 11, 111, 12, 2, 3])
    #expect(outline.visibleItems == [1, 2, 3])
    #expect(outline.rootItems == [1, 2, 3])
    #expect(try outline.items.map { try outline.level(of: $0) } == [0, 1, 2, 1, 0, 0])
    #expect(outline.items.map { outline.index(of: $0) } == [0, 1, 2, 3, 4, 5])
    #expect(try outline.parent(of: 111) == 11)
    #expect(try outline.parent(of: 1) == nil)
  }

  @Test("An item is visible when every ancestor is expanded")
  mutating func expand() throws {
    outline.expand([11, 99])
    #expect(outline.visibleItems == [1, 2, 3])
    #expect(try !outline.isVisible(111))
    outline.expand([1])
    #expect(outline.visibleItems == [1, 11, 111, 12, 2, 3])
    #expect(try outline.isVisible(111))
    #expect(outline.expandedItems == [1, 11])
  }

  @Test("Inserting after an item means after all its descendants")
  mutating func insertAfter() throws {
    try outline.insert([9], after: 1)
    #expect(outline.items == [1, 11, 111, 12, 9, 2, 3])
    #expect(outline.rootItems == [1, 9, 2, 3])
    try outline.insert([8], before: 12)
    #expect(outline.items == [1, 11, 111, 8, 12, 9, 2, 3])
    #expect(try outline.parent(of: 8) == 1)
  }

  @Test("Adding what is there, or anything twice, is refused with the offenders as found")
  func duplicates() {
    expectRefusal(.duplicateItems([2, 50])) { try $0.append([50, 2, 50], to: 3) }
  }

  @Test("Deleting an unknown item is refused, a parent with its child is not")
  func delete() throws {
    expectRefusal(.unknownItem(99)) { try $0.delete([2, 99]) }
    var copy = outline
    try copy.delete([1, 11])
    #expect(copy.items == [2, 3])
    copy = outline
    try copy.delete([11, 3])
    #expect(copy.items == [1, 12, 2])
    #expect(copy.index(of: 2) == 2)
  }

  @Test("What is expanded inside is remembered, but not across deletion")
  mutating func remember() throws {
    outline.expand([1, 11])
    outline.collapse([1])
    outline.expand([1])
    #expect(try outline.isExpanded(11))
    try outline.delete([11])
    try outline.append([11], to: 1)
    #expect(try !outline.isExpanded(11))
  }

  @Test("A part is independent and starts from level zero")
  func part() throws {
    var part = try outline.snapshot(of: 1)
    #expect(part.rootItems == [11, 12])
    #expect(try part.level(of: 111) == 1)
    #expect(try part.parent(of: 11) == nil)
    try part.delete([11])
    #expect(outline.contains(111))
    #expect(try outline.snapshot(of: 2).items.isEmpty)
    #expect(try outline.snapshot(of: 1, includingParent: true).items == [1, 11, 111, 12])
    #expect(throws: Outline.EditError.unknownItem(99)) { try outline.snapshot(of: 99) }
  }

  @Test("Outlines with different items expanded are not equal")
  func equality() {
    var copy = outline
    copy.expand([1])
    #expect(copy != outline)
    copy.collapse([1])
    #expect(copy == outline)
    #expect(copy.hashValue == outline.hashValue)
  }

  @Test("Replacing children takes the old ones away and grafts the new with what is expanded")
  mutating func replace() throws {
    var new = Outline()
    try new.append([12, 13])
    try new.append([131], to: 13)
    new.expand([13])
    try outline.replace(childrenOf: 1, using: new)
    #expect(outline.items == [1, 12, 13, 131, 2, 3])
    #expect(try outline.isExpanded(13))
    #expect(!outline.contains(11))
    var thief = Outline()
    try thief.append([2])
    expectRefusal(.duplicateItems([2])) { try $0.replace(childrenOf: 1, using: thief) }
    var circle = Outline()
    try circle.append([13, 1])
    expectRefusal(.duplicateItems([1])) { try $0.replace(childrenOf: 1, using: circle) }
  }

  @Test("Grafting an outline beside an item puts it at that item's level")
  mutating func graft() throws {
    var new = Outline()
    try new.append([7])
    try new.append([71], to: 7)
    try outline.insert(new, after: 11)
    #expect(outline.items == [1, 11, 111, 7, 71, 12, 2, 3])
    #expect(try outline.level(of: 71) == 2)
    #expect(try outline.parent(of: 7) == 1)
  }

  @Test("The picture shows levels, what is expanded and what is visible")
  mutating func picture() {
    outline.expand([1])
    #expect(
      outline.visualDescription == """
        DiffableSectionSnapshot: 6 items, 5 visible
        +* 1
          -* 11
            -  111
          -* 12
        -* 2
        -* 3
        """)
  }

  @Test("An empty argument does nothing, whatever the destination")
  func emptyArgument() throws {
    var copy = outline
    try copy.append([], to: 99)
    try copy.insert([Int](), after: 99)
    try copy.insert(Outline(), before: 99)
    #expect(copy == outline)
  }
}

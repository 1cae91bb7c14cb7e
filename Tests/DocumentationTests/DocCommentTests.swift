#if SQLite
  import Foundation
  import LiveLists
  import Testing

  /// The code of the modules' doc comments: each block stands in a file that is compiled.
  @Suite struct DocCommentTests {
    @Test(
      "Each Swift block of a doc comment is code that is compiled",
      arguments: GuideBlockTests.files("Sources", ".swift"))
    func compiled(_ file: URL) throws {
      let code = try GuideBlockTests.code
      for comment in try comments(of: file) {
        for block in GuideBlockTests.blocks("swift", in: comment)
        where !code.contains(where: { $0.contains(GuideBlockTests.letters(block)) }) {
          Issue.record("No file that is compiled has this of \(file.lastPathComponent):\n\(block)")
        }
      }
    }

    private func comments(of file: URL) throws -> [String] {
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      let said = lines.map { line -> Substring? in
        let text = line.drop { $0 == " " }
        return text.hasPrefix("///") ? text.dropFirst(text.hasPrefix("/// ") ? 4 : 3) : nil
      }
      return said.split(separator: nil).map { $0.compactMap(\.self).joined(separator: "\n") }
    }

    @Test("Snapshots are what their comments say")
    func snapshots() throws {
      let snapshot: DiffableSnapshot<String, Int> = ["A": [1, 2, 3], "B": [4, 5], "C": []]
      #expect(snapshot.sectionIdentifiers == ["A", "B", "C"] && snapshot.itemIdentifiers == [1, 2, 3, 4, 5])
    }

    @Test("A snapshot is made step by step")
    func steps() throws {
      var snapshot = DiffableSnapshot<String, Int>()
      try snapshot.appendSections(["Fruit", "Vegetables"])
      try snapshot.appendItems([1, 2, 3], toSection: "Fruit")
      try snapshot.appendItems([4])
      try snapshot.moveItem(2, beforeItem: 4)
      #expect(snapshot == ["Fruit": [1, 3], "Vegetables": [2, 4]])
    }

    @Test("A difference is one of the standard library's")
    func differences() throws {
      let old: DiffableSnapshot<String, Int> = ["A": [1, 2], "B": [3]]
      let new: DiffableSnapshot<String, Int> = ["A": [2], "B": [3, 1, 4]]
      let changes = try new.difference(from: old).collectionDifference(from: old)
      let items = old.itemIdentifiers.applying(changes)  // [2, 3, 1, 4]
      #expect(items == [2, 3, 1, 4])
    }
  }
#endif

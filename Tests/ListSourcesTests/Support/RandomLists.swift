import Snapshots

/// A generator of random numbers that gives the same ones for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

typealias TestSnapshot = DiffableSnapshot<String, Int>

/// Makes a snapshot from its text, such as `A[1,2] B[3] C[]`.
func list(_ text: String) -> TestSnapshot {
  var sections: [(String, [Int])] = []
  for part in text.split(separator: " ") {
    let halves = part.dropLast().split(separator: "[", omittingEmptySubsequences: false)
    sections.append((String(halves[0]), halves[1].split(separator: ",").compactMap { Int($0) }))
  }
  do {
    return try TestSnapshot(sections: sections)
  } catch {
    fatalError("\(text): \(error)")
  }
}

/// The text of a snapshot, as ``list(_:)`` reads it.
func text(_ snapshot: DiffableSnapshot<some Hashable & Sendable, Int>) -> String {
  snapshot.sections.map { "\($0.id)[" + $0.items.map { "\($0)" }.joined(separator: ",") + "]" }
    .joined(separator: " ")
}

extension SeededGenerator {
  /// A random snapshot of few sections and items, with marks now and then.
  mutating func snapshot(sections: Int = 6, items: Int = 24, marks: Bool = false) -> TestSnapshot {
    let names = ["A", "B", "C", "D", "E", "F", "G", "H"].prefix(sections)
    var parts = names.filter { _ in Int.random(in: 0..<3, using: &self) > 0 }.shuffled(using: &self)
      .map { ($0, [Int]()) }
    if !parts.isEmpty {
      let density = Int.random(in: 1...4, using: &self)
      for item in Array(0..<items).shuffled(using: &self)
      where Int.random(in: 0..<4, using: &self) < density {
        parts[Int.random(in: 0..<parts.count, using: &self)].1.append(item)
      }
    }
    var snapshot = list(
      parts.map { "\($0.0)[" + $0.1.map(String.init).joined(separator: ",") + "]" }.joined(separator: " "))
    if marks { mark(&snapshot) }
    return snapshot
  }

  /// A snapshot that differs from another by a few edits.
  mutating func edited(_ snapshot: TestSnapshot, items: Int = 24, edits: Int = 3) -> TestSnapshot {
    var result = snapshot.removingMarks()
    for _ in 0..<Int.random(in: 1...edits, using: &self) {
      let present = result.itemIdentifiers
      let sections = result.sectionIdentifiers
      switch Int.random(in: 0..<9, using: &self) {
      case 0: result.deleteItems(Array(present.shuffled(using: &self).prefix(2)))
      case 1, 2:
        if let item = present.randomElement(using: &self), let other = present.randomElement(using: &self),
          item != other
        {
          try? result.moveItem(item, beforeItem: other)
        }
      case 3, 4:
        if let section = sections.randomElement(using: &self) {
          try? result.appendItems([Int.random(in: 0..<items, using: &self)], toSection: section)
        }
      case 5:
        if let other = present.randomElement(using: &self) {
          let item = Int.random(in: 0..<items, using: &self)
          if item != other { try? result.insertItems([item], beforeItem: other) }
        }
      case 6:
        let name = ["A", "B", "C", "D", "E", "F"].randomElement(using: &self) ?? "A"
        if result.indexOfSection(name) == nil {
          if let other = sections.randomElement(using: &self) {
            try? result.insertSections([name], beforeSection: other)
          } else {
            try? result.appendSections([name])
          }
        }
      case 7:
        if sections.count > 1, Bool.random(using: &self) {
          result.deleteSections([sections[Int.random(in: 0..<sections.count, using: &self)]])
        }
      default:
        if let section = sections.randomElement(using: &self),
          let other = sections.randomElement(using: &self),
          section != other
        {
          try? result.moveSection(section, afterSection: other)
        }
      }
    }
    return result
  }

  mutating func mark(_ snapshot: inout TestSnapshot) {
    let items = snapshot.itemIdentifiers.shuffled(using: &self)
    try? snapshot.reloadItems(Array(items.prefix(Int.random(in: 0...2, using: &self))))
    try? snapshot.reconfigureItems(Array(items.suffix(Int.random(in: 0...3, using: &self))))
    if Int.random(in: 0..<4, using: &self) == 0, let section = snapshot.sectionIdentifiers.first {
      try? snapshot.reloadSections([section])
    }
  }
}

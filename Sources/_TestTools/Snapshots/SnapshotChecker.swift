public import Snapshots

/// A snapshot and the naive model of it, edited side by side and compared.
public struct SnapshotChecker: Sendable {
  /// The snapshot that is judged.
  public private(set) var real = DiffableSnapshot<Int, Int>()
  /// The model that judges.
  public private(set) var naive = NaiveSnapshot<Int, Int>()

  /// Starts with empty snapshots.
  public init() {}

  /// Starts with snapshots of these sections and items, of which none may occur twice.
  public init(sections: [(Int, [Int])]) throws(SnapshotError<Int, Int>) {
    real = try DiffableSnapshot(sections: sections)
    naive = try NaiveSnapshot(sections: sections)
  }

  /// Runs an edit on both; says what they disagree about, if they do.
  public mutating func run(_ edit: SnapshotEdit) -> String? {
    let before = real
    let left = Result { () throws(SnapshotError<Int, Int>) in try edit.run(on: &real) }
    let right = Result { () throws(SnapshotError<Int, Int>) in try edit.run(on: &naive) }
    switch (left, right) {
    case (.success, .success): return nil
    case (.failure(let a), .failure(let b)):
      if a != b { return "threw \(a), not \(b)" }
      return real == before ? nil : "changed something although it threw"
    case (.failure(let error), .success): return "threw \(error)"
    case (.success, .failure(let error)): return "did not throw \(error)"
    }
  }

  /// The first disagreement of the two when all queries are compared, or nil.
  ///
  /// - Parameters:
  ///   - items: Items are numbered up to this.
  ///   - sections: Sections are numbered up to this.
  public func disagreement(items: Int, sections: Int) -> String? {
    #if DEBUG
      if let broken = real.brokenInvariants.first { return broken }
    #endif
    if real.sectionIdentifiers != naive.sectionIdentifiers { return "sectionIdentifiers" }
    if real.itemIdentifiers != naive.itemIdentifiers { return "itemIdentifiers" }
    if real.numberOfItems != naive.numberOfItems { return "numberOfItems" }
    if real.numberOfSections != naive.numberOfSections { return "numberOfSections" }
    if real.reloadedItemIdentifiers != naive.reloadedItemIdentifiers { return "reloaded items" }
    if real.reloadedSectionIdentifiers != naive.reloadedSectionIdentifiers { return "reloaded sections" }
    if real.reconfiguredItemIdentifiers != naive.reconfiguredItemIdentifiers { return "reconfigured items" }
    if real.items.indices.map({ real.items[$0] }) != naive.itemIdentifiers { return "items by position" }
    return sectionDisagreement(sections) ?? itemDisagreement(items)
  }

  private func sectionDisagreement(_ sections: Int) -> String? {
    for section in -1...sections {
      if real.indexOfSection(section) != naive.indexOfSection(section) { return "indexOfSection" }
      let left = Result { () throws(SnapshotError<Int, Int>) in
        try real.itemIdentifiers(inSection: section)
      }
      let right = Result { () throws(SnapshotError<Int, Int>) in
        try naive.itemIdentifiers(inSection: section)
      }
      if left != right { return "itemIdentifiers(inSection:)" }
      if (try? real.numberOfItems(inSection: section)) != (try? naive.numberOfItems(inSection: section)) {
        return "numberOfItems(inSection:)"
      }
    }
    for (section, expected) in zip(real.sections, naive.contents) {
      let byPosition = section.items.indices.map { section.items[$0] }
      if section.id != expected.0 || Array(section.items) != expected.1 || byPosition != expected.1 {
        return "sections"
      }
    }
    return nil
  }

  private func itemDisagreement(_ items: Int) -> String? {
    for item in 0...items {
      if real.sectionIdentifier(containingItem: item) != naive.sectionIdentifier(containingItem: item) {
        return "sectionIdentifier(containingItem:)"
      }
    }
    for item in stride(from: 0, through: items, by: max(1, items / 40)) {
      if real.indexOfItem(item) != naive.indexOfItem(item) { return "indexOfItem" }
      let path = naive.indexPath(ofItem: item)
      if real.indexPath(ofItem: item) != path { return "indexPath(ofItem:)" }
      if let path, real.itemIdentifier(at: path) != item { return "itemIdentifier(at:)" }
    }
    return nil
  }

  /// The error in the difference from an older state to this one, or nil. The difference is compared with the naive
  /// one, applied by both, and its inverse is applied.
  public func differenceDisagreement(from old: SnapshotChecker) -> String? {
    Self.disagreement(from: (old.real, old.naive), to: (real, naive))
  }

  /// The error in the difference between two snapshots, each given with its model, or nil.
  ///
  /// - Parameters:
  ///   - old: The snapshot before.
  ///   - new: The snapshot after.
  ///   - looksInside: Whether what comes of applying is looked at more closely, at several times the cost.
  public static func disagreement(
    from old: (real: DiffableSnapshot<Int, Int>, naive: NaiveSnapshot<Int, Int>),
    to new: (real: DiffableSnapshot<Int, Int>, naive: NaiveSnapshot<Int, Int>),
    looksInside: Bool = true
  ) -> String? {
    let difference = new.real.difference(from: old.real)
    let expected = new.naive.difference(from: old.naive)
    if difference.deletedSections != expected.deletedSections { return "deletedSections" }
    if difference.insertedSections != expected.insertedSections { return "insertedSections" }
    if difference.movedSections.count != expected.movedSections.count { return "moves of sections" }
    if difference.deletedItems != expected.deletedItems { return "deletedItems" }
    if difference.insertedItems != expected.insertedItems { return "insertedItems" }
    if difference.movedItems.count != expected.movedItems.count {
      return "\(difference.movedItems.count) moves of items, not \(expected.movedItems.count)"
    }
    if difference.movedItems != difference.movedItems.sorted(by: { $0.to < $1.to }) {
      return "order of moves"
    }
    if difference.isEmpty != (expected.isEmpty) { return "isEmpty" }
    guard let there = try? old.real.applying(difference), there == new.real,
      there.reloadedItemIdentifiers == new.real.reloadedItemIdentifiers
    else { return "applying" }
    #if DEBUG
      if looksInside, let broken = there.brokenInvariants.first { return broken }
    #endif
    // What was applied shares with the old snapshot, whatever the new one does, and what is made anew shares with
    // nothing: the difference is found in another way each time, and no worse.
    var others: [(String, DiffableSnapshot<Int, Int>)] = []
    if looksInside, let fresh = try? DiffableSnapshot(sections: new.naive.contents) {
      others = [("after applying", there), ("to a new snapshot", fresh)]
    }
    for (name, after) in others {
      let again = after.difference(from: old.real)
      if again.movedItems.count != expected.movedItems.count { return "moves \(name)" }
      if again.movedSections.count != expected.movedSections.count { return "moves of sections \(name)" }
      if again.deletedItems != expected.deletedItems { return "deletions \(name)" }
      if again.insertedItems != expected.insertedItems { return "insertions \(name)" }
      if (try? old.real.applying(again)) != new.real { return "applying the difference \(name)" }
    }
    guard let row = try? difference.collectionDifference(from: old.real),
      old.naive.itemIdentifiers.applying(row) == new.naive.itemIdentifiers,
      row.removals.count(where: { !$0.isAssociated }) == expected.deletedItems.count,
      row.insertions.count(where: { !$0.isAssociated }) == expected.insertedItems.count
    else { return "the difference of the items in a row" }
    guard let back = try? new.real.applying(difference.inverse), back == old.real else { return "inverse" }
    guard let judged = try? old.naive.applying(difference), judged == new.naive else {
      return "applying by the model"
    }
    return nil
  }
}

extension CollectionDifference.Change {
  fileprivate var isAssociated: Bool {
    switch self {
    case .insert(_, _, let partner), .remove(_, _, let partner): partner != nil
    }
  }
}

/// Removals, insertions and moves of items, all at once, in sections that stay.
///
/// It is for callers that keep the list in an order of their own and know both index paths of each item. They need not
/// be searched for, and the difference that the batch makes is known without comparing snapshots.
@usableFromInline
package struct SnapshotBatch<ItemID: Hashable & Sendable>: Sendable {
  /// An item that is removed from its old position.
  @usableFromInline
  package struct Departure: Sendable {
    @usableFromInline package var id: ItemID
    /// Its index path before the batch.
    @usableFromInline package var path: ListIndexPath

    @inlinable
    package init(id: ItemID, path: ListIndexPath) {
      self.id = id
      self.path = path
    }
  }

  /// An item that is inserted.
  @usableFromInline
  package struct Arrival: Sendable {
    @usableFromInline package var id: ItemID
    /// The index path, before the batch, of the item in front of which it is inserted.
    @usableFromInline package var before: ListIndexPath
    /// Its index path after the batch.
    @usableFromInline package var path: ListIndexPath
    /// The index among the departures of the same item, if it was in the snapshot.
    @usableFromInline package var departure: Int?

    @inlinable
    package init(id: ItemID, before: ListIndexPath, path: ListIndexPath, departure: Int?) {
      self.id = id
      self.before = before
      self.path = path
      self.departure = departure
    }
  }

  /// Ascending by index path.
  @usableFromInline package var departures: [Departure] = []
  /// Ascending by index path.
  @usableFromInline package var arrivals: [Arrival] = []

  @inlinable
  package init() {}
}

/// The changes of a batch in one section.
@usableFromInline
struct BatchSpan {
  @usableFromInline var section: Int
  @usableFromInline var departures: Range<Int>
  @usableFromInline var arrivals: Range<Int>

  @inlinable
  init(section: Int, departures: Range<Int>, arrivals: Range<Int>) {
    self.section = section
    self.departures = departures
    self.arrivals = arrivals
  }
}

extension DiffableSnapshot {
  /// Performs a batch, which must be right: the index paths are those of the items, and the sections exist. Sections that
  /// it leaves empty stay.
  ///
  /// - Returns: The difference from the snapshot before to this one. Nothing is marked.
  /// - Complexity: O(*k* log *n*) for *k* items; each part of the tree on the way to them is copied once.
  @inlinable
  package mutating func perform(
    _ batch: SnapshotBatch<ItemID>
  ) -> SnapshotDifference<SectionID, ItemID> {
    var removed = ItemTree.Unmatched()
    var inserted = ItemTree.Unmatched()
    removed.reserveCapacity(batch.departures.count)
    inserted.reserveCapacity(batch.arrivals.count)
    var found = Matching(removedCount: batch.departures.count, insertedCount: batch.arrivals.count)
    for departure in batch.departures {
      removed.append(PositionedElement(element: ItemElement(id: departure.id), position: departure.path.item))
    }
    for (number, arrival) in batch.arrivals.enumerated() {
      inserted.append(PositionedElement(element: ItemElement(id: arrival.id), position: arrival.path.item))
      if let departure = arrival.departure { found.note(departure, number) }
    }
    for (departure, isFound) in zip(batch.departures, found.isFound) where !isFound {
      itemMap.remove(departure.id)
      reloadedItemMarks.remove(departure.id)
      reconfiguredItemMarks.remove(departure.id)
    }
    let spans = Self.spans(of: batch)
    var pairs: [SectionPair] = []
    pairs.reserveCapacity(spans.count)
    for span in spans {
      let old = tree[span.section].element
      edit(span, of: batch)
      pairs.append(SectionPair(old: (span.section, old), new: (span.section, tree[span.section].element)))
    }
    return difference(of: pairs, spans, removed, inserted, found)
  }

  @inlinable @inline(never)
  static func spans(of batch: SnapshotBatch<ItemID>) -> [BatchSpan] {
    var spans: [BatchSpan] = []
    var (departure, arrival) = (0, 0)
    while departure < batch.departures.count || arrival < batch.arrivals.count {
      let leaving = departure < batch.departures.count ? batch.departures[departure].path.section : .max
      let coming = arrival < batch.arrivals.count ? batch.arrivals[arrival].path.section : .max
      let section = Swift.min(leaving, coming)
      let (firstDeparture, firstArrival) = (departure, arrival)
      while departure < batch.departures.count, batch.departures[departure].path.section == section {
        departure += 1
      }
      while arrival < batch.arrivals.count, batch.arrivals[arrival].path.section == section { arrival += 1 }
      spans.append(
        BatchSpan(
          section: section, departures: firstDeparture..<departure, arrivals: firstArrival..<arrival))
    }
    return spans
  }

  @inlinable @inline(never)
  mutating func edit(_ span: BatchSpan, of batch: SnapshotBatch<ItemID>) {
    let (section, label) = tree[span.section]
    var edits = TreeBatch<ItemElement<ItemID>>()
    edits.removed.reserveCapacity(span.departures.count)
    edits.inserted.reserveCapacity(span.arrivals.count)
    for departure in batch.departures[span.departures] { edits.removed.append(departure.path.item) }
    for arrival in batch.arrivals[span.arrivals] {
      edits.inserted.append(
        PositionedElement(element: ItemElement(id: arrival.id), position: arrival.before.item))
    }
    let labels = tree.update(label: label) { $0.items.edit(edits) } ?? []
    for (number, label) in zip(span.arrivals, labels) where label != 0 {
      let arrival = batch.arrivals[number]
      let address = ItemAddress(section: section.number, label: label)
      itemMap.set(arrival.id, to: address.word, isThere: arrival.departure != nil)
    }
    // Where neighbours' labels left no room, some are labelled anew. All items before them are in position by then.
    for (number, label) in zip(span.arrivals, labels) where label == 0 {
      let arrival = batch.arrivals[number]
      putItem(arrival.id, at: arrival.path.item, ofSection: section.number, label: tree[span.section].label)
    }
  }

  @inlinable @inline(never)
  func difference(
    of pairs: [SectionPair], _ spans: [BatchSpan], _ removed: ItemTree.Unmatched,
    _ inserted: ItemTree.Unmatched,
    _ found: Matching
  ) -> SnapshotDifference<SectionID, ItemID> {
    var result = SnapshotDifference<SectionID, ItemID>()
    removed.withUnsafeBufferPointer { removed in
      inserted.withUnsafeBufferPointer { inserted in
        var oldSections: [Int] = []
        var starts: [Int] = []
        for span in spans {
          oldSections.append(span.section)
          starts.append(span.departures.lowerBound)
        }
        starts.append(removed.count)
        for (pair, span) in zip(pairs, spans) {
          report(
            pair, retained: pair.old.items.count - span.departures.count, removed: removed, span.departures,
            inserted: inserted, span.arrivals, found,
            oldSections: oldSections, starts: starts, into: &result)
        }
      }
    }
    sortUnlessSorted(&result.movedItems) { $0.to }
    return result
  }
}

extension Matching {
  /// Creates an empty matching; known pairs are added by ``note(_:_:)``.
  @inlinable
  init(removedCount: Int, insertedCount: Int) {
    isFound = ContiguousArray(repeating: false, count: removedCount)
    partners = ContiguousArray(repeating: -1, count: insertedCount)
  }
}

extension DiffableSnapshot {
  /// The position of a section's first item and the number of its items, for callers that compute index paths themselves.
  @inlinable
  package func extent(ofSection id: SectionID) -> (section: Int, start: Int, count: Int)? {
    guard let label = sectionMap[id], let found = tree.find(label: label) else { return nil }
    return (found.position, tree.weight(before: label), found.element.items.count)
  }
}

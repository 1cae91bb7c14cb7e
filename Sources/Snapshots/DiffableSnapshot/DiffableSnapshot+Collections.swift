extension DiffableSnapshot {
  /// The sections with their items, in order; nothing is copied.
  ///
  /// - Complexity: O(1)
  @inlinable public var sections: Sections { Sections(tree: tree) }

  /// The items of all sections, in order; nothing is copied.
  ///
  /// - Complexity: O(1)
  @inlinable public var items: Items { Items(tree: tree) }

  /// A section and its items.
  public struct Section: Sendable, Identifiable {
    /// The section's identifier.
    public let id: SectionID
    /// The section's items, in order; nothing is copied.
    public let items: Items

    @inlinable
    init(_ element: SectionElement<SectionID, ItemID>) {
      id = element.id
      items = Items(tree: element.items)
    }

    /// The items of one section, in order.
    ///
    /// Going through them takes constant time an item; access by position costs O(log *k*).
    public struct Items: RandomAccessCollection, Sendable {
      @usableFromInline let tree: OrderTree<ItemElement<ItemID>>

      @inlinable
      init(tree: OrderTree<ItemElement<ItemID>>) { self.tree = tree }

      /// Zero.
      @inlinable public var startIndex: Int { 0 }
      /// The number of items.
      @inlinable public var endIndex: Int { tree.count }

      /// The item at a position, which must exist.
      ///
      /// - Complexity: O(log *k*) in the number of items.
      @inlinable
      public subscript(position: Int) -> ItemID {
        precondition(position >= 0 && position < tree.count, "There is no item at this position.")
        return tree[position].element.id
      }

      /// Goes through the items.
      @inlinable
      public func makeIterator() -> Iterator { Iterator(tree) }

      /// Goes through the items of a section.
      public struct Iterator: IteratorProtocol {
        @usableFromInline var base: TreeIterator<ItemElement<ItemID>>

        @inlinable
        init(_ tree: OrderTree<ItemElement<ItemID>>) { base = TreeIterator(tree) }

        /// The next item, or nil at the end.
        @inlinable @inline(__always)
        public mutating func next() -> ItemID? { base.next()?.id }
      }
    }
  }

  /// The sections of a snapshot with their items, in order.
  public struct Sections: RandomAccessCollection, Sendable {
    @usableFromInline let tree: OrderTree<SectionElement<SectionID, ItemID>>

    @inlinable
    init(tree: OrderTree<SectionElement<SectionID, ItemID>>) { self.tree = tree }

    /// Zero.
    @inlinable public var startIndex: Int { 0 }
    /// The number of sections.
    @inlinable public var endIndex: Int { tree.count }

    /// The section at a position, which must exist.
    ///
    /// - Complexity: O(log *s*) in the number of sections.
    @inlinable
    public subscript(position: Int) -> Section {
      precondition(position >= 0 && position < tree.count, "There is no section at this position.")
      return Section(tree[position].element)
    }

    /// Goes through the sections.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(tree) }

    /// Goes through the sections of a snapshot.
    public struct Iterator: IteratorProtocol {
      @usableFromInline var base: TreeIterator<SectionElement<SectionID, ItemID>>

      @inlinable
      init(_ tree: OrderTree<SectionElement<SectionID, ItemID>>) { base = TreeIterator(tree) }

      /// The next section, or nil at the end.
      @inlinable
      public mutating func next() -> Section? { base.next().map { Section($0) } }
    }
  }

  /// The items of all sections, in order.
  ///
  /// Going through them takes constant time an item; access by position costs O(log *n*).
  public struct Items: RandomAccessCollection, Sendable {
    @usableFromInline let tree: OrderTree<SectionElement<SectionID, ItemID>>

    @inlinable
    init(tree: OrderTree<SectionElement<SectionID, ItemID>>) { self.tree = tree }

    /// Zero.
    @inlinable public var startIndex: Int { 0 }
    /// The number of items.
    @inlinable public var endIndex: Int { tree.weight }

    /// The item at a position counted across all sections, which must exist.
    ///
    /// - Complexity: O(log *n*)
    @inlinable
    public subscript(position: Int) -> ItemID {
      precondition(position >= 0 && position < tree.weight, "There is no item at this position.")
      let (section, rest) = tree.element(atWeight: position)
      return section.items[rest].element.id
    }

    /// Goes through the items.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(tree) }

    /// Goes through the items of all sections.
    public struct Iterator: IteratorProtocol {
      // See `TreeIterator` for why the leaf that is being read is kept apart.
      @usableFromInline var start: UnsafePointer<ItemElement<ItemID>>?
      @usableFromInline var end: UnsafePointer<ItemElement<ItemID>>?
      @usableFromInline var leaves: ItemLeafTraversal<SectionID, ItemID>

      @inlinable
      init(_ tree: OrderTree<SectionElement<SectionID, ItemID>>) { leaves = ItemLeafTraversal(tree) }

      /// The next item, or nil at the end.
      @inlinable @inline(__always)
      public mutating func next() -> ItemID? {
        if start == end {
          guard let leaf = leaves.next() else { return nil }
          (start, end) = leaf
        }
        defer { withExtendedLifetime(leaves.section.root) {} }
        let element = start.unsafelyUnwrapped
        start = element + 1
        return element.pointee.id
      }
    }
  }
}

/// A traversal of the leaves of all sections.
@usableFromInline
struct ItemLeafTraversal<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  @usableFromInline var sections: TreeIterator<SectionElement<SectionID, ItemID>>
  @usableFromInline var section: LeafTraversal<ItemElement<ItemID>>

  @inlinable
  init(_ tree: OrderTree<SectionElement<SectionID, ItemID>>) {
    sections = TreeIterator(tree)
    section = LeafTraversal(OrderTree())
  }

  /// The next leaf of this section, or of the next that has items. It is there until the next call.
  @inlinable @inline(never)
  mutating func next() -> LeafTraversal<ItemElement<ItemID>>.Leaf? {
    if let leaf = section.next() { return leaf }
    while let element = sections.next() {
      section = LeafTraversal(element.items)
      if let leaf = section.next() { return leaf }
    }
    return nil
  }
}

@available(*, unavailable)
extension DiffableSnapshot.Sections.Iterator: Sendable {}
@available(*, unavailable)
extension DiffableSnapshot.Section.Items.Iterator: Sendable {}
@available(*, unavailable)
extension DiffableSnapshot.Items.Iterator: Sendable {}
